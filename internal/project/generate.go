package project

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/corpus"
	"github.com/assay-eval/assay/generate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/jsonl"
	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/testset"
)

// GenerateRequest says how queries are to be written; it starts as the configuration's generate section.
type GenerateRequest struct {
	config.Generate
	TermModel  generate.TermModel // of known-item queries
	Workers    int                // model calls under way at once; 0 means 1
	MaxCalls   int                // calls to the model after which to stop; 0 is no limit
	MaxMinutes float64            // minutes after which to stop; 0 is no limit
}

// Generated is what a generation came to.
type Generated struct {
	generate.Report
	Chunks    ChunkCounts         `json:"chunks"`
	Mix       []generate.Realised `json:"mix,omitempty"`       // of all queries of this kind, earlier calls included
	Precision *Precision          `json:"precision,omitempty"` // what this many queries can tell; nil for fewer than 2
}

// ChunkCounts say which chunks could be asked about.
type ChunkCounts struct {
	Seen       int            `json:"seen"`
	Eligible   int            `json:"eligible"`
	Ineligible map[string]int `json:"ineligible,omitempty"` // by reason
	Drawn      int            `json:"drawn"`
	Repeats    int            `json:"near_duplicates,omitempty"` // passed over: one that says the same was drawn
	Groups     []GroupCount   `json:"groups,omitempty"`          // of generate.by
}

// oversample is how many times the wanted number of chunks are drawn, so that rejected ones can be
// replaced; beyond that the model is too weak for the corpus and more chunks will not help.
const oversample = 3

// generation is a request made ready: what is asked, by whom, of which chunks.
type generation struct {
	req     GenerateRequest
	chunks  ChunkCounts
	planner *generate.Planner
	options generate.Options // without Keep and Reject
	set     *testset.Set
	rejects string
	meter   *meter // nil when no model writes
	done    answered

	groupOf func(*assay.Chunk) string // nil when there are no groups
	weights map[string]float64        // by group, when they are balanced
}

// Generate writes queries into the test set until there are as many as wanted, counting what earlier
// calls of the same kind have written. The report is right even when an error ended it.
func (p *Project) Generate(ctx context.Context, req GenerateRequest) (Generated, error) {
	g, err := p.prepare(ctx, req)
	if err != nil {
		return Generated{}, err
	}
	rejected, err := jsonl.Open(g.rejects)
	if err != nil {
		return Generated{}, err
	}
	defer rejected.Close()
	line := p.progress("generate", g.req.Sample)
	defer line.Stop()
	o := g.options
	o.Now = clock
	o.Keep = func(a generate.Accepted) error {
		g.weigh(&a.Query, &a.Chunk)
		_, err := g.set.AddGenerated(o.Now().UTC().Truncate(time.Second), testset.Generated{Query: a.Query, Chunk: a.Chunk})
		return err
	}
	o.Reject = func(r generate.Reject) error { return rejected.Append(r) }
	o.Progress = func(r generate.Report) { line.Set(r.Produced, "%d rejected", r.Asked-r.New-r.Failed) }
	if req.MaxMinutes > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, time.Duration(req.MaxMinutes*float64(time.Minute)), generate.ErrMinutes)
		defer cancel()
	}
	report, err := generate.Run(ctx, o)
	for _, w := range report.YieldWarnings() {
		p.opts.Warn(w)
	}
	like := o.Writer.Origin()
	same := slices.DeleteFunc(g.set.Queries(), func(q assay.Query) bool { return !generate.SameKind(q.Origin, like) })
	return Generated{report, g.chunks, g.planner.RealisedMix(same), precisionOf(same)}, err
}

// clock is the time of what is written: now, or that of SOURCE_DATE_EPOCH, by which programs that make files
// agree to make the same bytes again.
func clock() time.Time {
	if s, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(s, 0)
	}
	return time.Now()
}

// prepare draws the sample and opens all that a generation needs.
func (p *Project) prepare(ctx context.Context, req GenerateRequest) (*generation, error) {
	src, err := p.chunkSource(ctx, req.From)
	if err != nil {
		return nil, err
	}
	g := &generation{req: req, chunks: ChunkCounts{Ineligible: map[string]int{}}}
	sample, err := g.draw(ctx, src)
	if err != nil {
		return nil, err
	}
	req = g.req
	p.warnSample(sample, g)
	if g.planner, err = p.planner(req, sample.Chunks); err != nil {
		return nil, err
	}
	if g.set, err = p.TestsetToWrite(); err != nil {
		return nil, err
	}
	g.rejects = filepath.Join(p.Config.Testset, testset.RejectsFile)
	g.options = generate.Options{
		Chunks: sample.Chunks, Want: req.Sample, PerChunk: req.PerChunk, Workers: req.Workers, Plan: g.planner.Plan, Existing: g.set.Queries(),
		Taken: func(q *assay.Query) bool { _, ok := g.set.Query(testset.QueryID(q.Text, q.Filter)); return ok },
	}
	if err := p.writer(ctx, g, src); err != nil {
		return nil, err
	}
	done, have, err := asked(g.set, g.rejects, g.options.Writer.Origin())
	if err != nil {
		return nil, err
	}
	g.done = done
	g.options.Have, g.options.Done = have, func(chunk string, nth int) bool { return done[chunk][nth] }
	return g, nil
}

// eligible reports whether a chunk can be asked about, and counts why not.
func (g *generation) eligible(c *assay.Chunk) bool {
	reason := generate.Ineligible(c, g.minWords())
	if reason != "" {
		g.chunks.Ineligible[reason]++
	}
	return reason == ""
}

func (g *generation) minWords() int {
	switch {
	case g.req.MinWords > 0:
		return g.req.MinWords
	case g.req.Method == "known-item":
		return generate.MinWords
	}
	return generate.MinProseWords
}

// explainEmpty says why there is nothing to draw from.
func (g *generation) explainEmpty(err error) error {
	if len(g.chunks.Ineligible) == 0 {
		return err
	}
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(g.chunks.Ineligible)) {
		parts = append(parts, fmt.Sprintf("%s %d", reason, g.chunks.Ineligible[reason]))
	}
	hint := "cut the corpus into larger chunks (corpus.chunk.size)"
	if n := min(g.minWords()/2, generate.MinWords); n > 2 {
		hint += fmt.Sprintf(", or ask about smaller ones: generate.min_words: %d", n)
	}
	return assay.WithHint(fmt.Errorf("%w: %s", err, strings.Join(parts, ", ")), "%s", hint)
}

// chunkSource is where the chunks to write about come from.
func (p *Project) chunkSource(ctx context.Context, from string) (*corpus.Source, error) {
	if from != fromCorpus {
		return p.listedSource(ctx, from)
	}
	c := p.Config.Corpus
	if c == nil {
		return nil, assay.WithHint(assay.Usagef("%s has no corpus to write queries from", p.Config.File),
			"add corpus: {path: FOLDER}, or name a system whose chunks can be listed: generate: {from: SYSTEM}")
	}
	return p.openCorpus()
}

func (p *Project) warnSample(s *corpus.Sample, g *generation) {
	p.warnSkips(s.Skipped)
	if len(s.Chunks) >= g.req.Sample {
		return
	}
	text := fmt.Sprintf("only %d chunks of %d can be drawn with at most %d a document; %d queries are wanted", len(s.Chunks), s.Seen, g.req.PerDoc, g.req.Sample)
	if n := g.chunks.Ineligible[fmt.Sprintf("under %d words", g.minWords())]; n > 0 {
		text += fmt.Sprintf("; %s under %d words (generate.min_words)", plural.Count(n, "chunk has", "chunks have"), g.minWords())
	}
	p.opts.Warn(assay.Warning{Code: "small_corpus", Text: text})
}

// writer gives a generation its writer and the rules its queries must pass.
func (p *Project) writer(ctx context.Context, g *generation, src *corpus.Source) error {
	req, o := g.req, &g.options
	if req.Method == "known-item" {
		terms, err := generate.CountTerms(withoutSkips(src.Chunks(ctx)))
		// Simulated queries are words of their source by design; the rules are for written ones.
		o.Writer = &generate.KnownItem{Terms: terms, Model: req.TermModel, Seed: req.Seed}
		return err
	}
	if req.Model == "" {
		return assay.WithHint(assay.Usagef("%s names no model that writes", p.Config.File),
			"set generate.model to a chat model, or use --method known-item, which needs none")
	}
	chat, err := p.Chat(ctx, req.Model, budget(req.MaxCalls))
	if err != nil {
		return err
	}
	g.meter = &meter{inner: chat.Use}
	examples, err := readExamples(req.Examples)
	if err != nil {
		return err
	}
	o.Writer = &generate.LLMWriter{Chat: g.meter, Identity: chat.Identity, Examples: examples, Seed: req.Seed, Planner: g.planner}
	checks, err := p.checks(ctx, g, src)
	if err != nil {
		return err
	}
	o.Rules, o.SetRules = generate.DefaultRules(g.planner, checks...), generate.SetRules(req.Sample, g.planner)
	return nil
}

// withoutSkips is chunks without what was left out, which was warned of when the sample was drawn.
func withoutSkips(chunks iter.Seq2[assay.Chunk, error]) iter.Seq2[assay.Chunk, error] {
	return func(yield func(assay.Chunk, error) bool) {
		for c, err := range chunks {
			if _, skipped := corpus.AsSkip(err); skipped {
				continue
			}
			if !yield(c, err) {
				return
			}
		}
	}
}
