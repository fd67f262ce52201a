package project

import (
	"bufio"
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/corpus"
	"github.com/assay-eval/assay/generate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/jsonl"
	"github.com/assay-eval/assay/testset"
)

// GenerateRequest says how queries are to be written; it starts as the configuration's generate section.
type GenerateRequest struct {
	config.Generate
	TermModel generate.TermModel // of known-item queries
	Workers   int                // model calls under way at once; 0 means 1
}

// oversample is how many times the wanted number of chunks are drawn, so that rejected ones can be
// replaced; beyond that the model is too weak for the corpus and more chunks will not help.
const oversample = 3

// Generate writes queries into the test set until there are as many as wanted, counting what earlier
// calls of the same kind have written. The report is right even when an error ended it.
func (p *Project) Generate(ctx context.Context, req GenerateRequest) (generate.Report, error) {
	var none generate.Report
	if len(req.Filters.Fields) > 0 {
		p.opts.Warn(assay.Warning{Code: "filters_unused", Text: "generate.filters is not applied yet: queries are written without filters"})
	}
	src, err := p.chunkSource(ctx, req.From)
	if err != nil {
		return none, err
	}
	sample, err := corpus.Draw(ctx, src.Chunks(ctx), corpus.SampleOptions{Size: oversample * req.Sample, Seed: req.Seed,
		PerDocument: req.PerDoc, Eligible: func(c *assay.Chunk) bool { return generate.Eligible(c.Text) }})
	if err != nil {
		return none, err
	}
	p.warnSample(sample, req)
	writer, rules, err := p.writer(ctx, req, src)
	if err != nil {
		return none, err
	}
	set, err := testset.OpenOrCreate(p.Config.Testset)
	if err != nil {
		return none, err
	}
	rejects := filepath.Join(p.Config.Testset, testset.RejectsFile)
	done, have, err := asked(set, rejects, writer.Origin())
	if err != nil {
		return none, err
	}
	rejected, err := jsonl.Open(rejects)
	if err != nil {
		return none, err
	}
	defer rejected.Close()
	line := p.progress("generate", req.Sample)
	defer line.Stop()
	return generate.Run(ctx, generate.Options{
		Writer: writer, Rules: rules, Chunks: sample.Chunks, Want: req.Sample, PerChunk: req.PerChunk, Workers: req.Workers,
		Have: have, Done: func(chunk string) int { return done[chunk] },
		Taken: func(q string) bool { _, ok := set.Query(testset.QueryID(q, nil)); return ok },
		Keep: func(a generate.Accepted) error {
			_, err := set.AddGenerated(time.Now().UTC().Truncate(time.Second), testset.Generated{Query: a.Query, Chunk: a.Chunk})
			return err
		},
		Reject: func(r generate.Reject) error { return rejected.Append(r) },
		Progress: func(r generate.Report) {
			line.Set(r.Produced, "%d rejected", r.Asked-r.New-r.Failed)
		},
	})
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

func (p *Project) warnSample(s *corpus.Sample, req GenerateRequest) {
	p.warnSkips(s.Skipped)
	if len(s.Chunks) < req.Sample {
		p.opts.Warn(assay.Warning{Code: "small_corpus", Text: fmt.Sprintf("only %d chunks of %d can be drawn with at most %d a document; %d queries are wanted",
			len(s.Chunks), s.Seen, req.PerDoc, req.Sample)})
	}
}

// writer makes the writer of a request and the rules its questions must pass.
func (p *Project) writer(ctx context.Context, req GenerateRequest, src *corpus.Source) (generate.Writer, []generate.Rule, error) {
	if req.Method == "known-item" {
		terms, err := generate.CountTerms(withoutSkips(src.Chunks(ctx)))
		if err != nil {
			return nil, nil, err
		}
		// Simulated queries are words of their source by design; the rules are for written ones.
		return &generate.KnownItem{Terms: terms, Model: req.TermModel, Seed: req.Seed}, nil, nil
	}
	if req.Model == "" {
		return nil, nil, assay.WithHint(assay.Usagef("%s names no model that writes", p.Config.File),
			"set generate.model to a chat model, or use --method known-item, which needs none")
	}
	chat, err := p.Chat(ctx, req.Model)
	if err != nil {
		return nil, nil, err
	}
	examples, err := readExamples(req.Examples)
	if err != nil {
		return nil, nil, err
	}
	return &generate.LLMWriter{Chat: chat.Use, Identity: chat.Identity, Examples: examples, Seed: req.Seed}, generate.DefaultRules(), nil
}

// readExamples reads real queries, one a line; "" is none.
func readExamples(path string) ([]string, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, assay.Usagef("generate.examples: %w", err)
	}
	defer f.Close()
	var out []string
	scan := bufio.NewScanner(f)
	for scan.Scan() {
		if line := strings.TrimSpace(scan.Text()); line != "" {
			out = append(out, line)
		}
	}
	return out, scan.Err()
}

// asked counts what earlier calls of the same kind (method, model, prompt and seed) have asked of each
// chunk, and how many queries they gave.
func asked(set *testset.Set, rejects string, like assay.Origin) (byChunk map[string]int, accepted int, err error) {
	byChunk = map[string]int{}
	for _, q := range set.Queries() {
		o := q.Origin
		if o != nil && o.Method == like.Method && o.Model == like.Model && o.Prompt == like.Prompt && o.Seed == like.Seed {
			byChunk[o.Chunk]++
			accepted++
		}
	}
	for r, err := range jsonl.Read[generate.Reject](rejects) {
		if err != nil {
			return nil, 0, err
		}
		if v := r.Value; v.Prompt == like.Prompt && v.Seed == like.Seed && v.Method == like.Method && v.Model == like.Model {
			byChunk[v.Chunk]++
		}
	}
	return byChunk, accepted, nil
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
