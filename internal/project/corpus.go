package project

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/corpus"
	"github.com/assay-eval/assay/pipeline"
	"github.com/assay-eval/assay/testset"
)

// Corpus is the documents and chunks that labels are resolved against: those of the configured corpus,
// or the listed chunks of a live index.
type Corpus struct {
	*corpus.Set
}

// Lookup finds a chunk by its key.
func (c *Corpus) Lookup(id string) (assay.Chunk, bool) {
	chunk, ok := c.Chunk(id)
	if !ok {
		return assay.Chunk{}, false
	}
	return *chunk, true
}

// LookupDocument finds a document by its id.
func (c *Corpus) LookupDocument(id string) (assay.Document, bool) {
	d, ok := c.Document(id)
	if !ok {
		return assay.Document{}, false
	}
	return d.Document, true
}

// FirstIDs names the first n chunks, to be shown beside ids that match none.
func (c *Corpus) FirstIDs(n int) []string {
	var out []string
	for _, chunk := range c.Chunks()[:min(n, len(c.Chunks()))] {
		out = append(out, chunk.ID)
	}
	return out
}

// Place finds the one place of a text in the corpus.
func (c *Corpus) Place(text string) (document string, span assay.Span, ok bool) {
	loc, ok := c.Locate(text)
	return loc.Place.Document, loc.Place.Span, ok
}

// Best is the span of the single chunk that covers most of a span of a document.
func (c *Corpus) Best(document string, span assay.Span) (best assay.Span, ok bool) {
	_, ok = c.Document(document)
	if chunk := c.widest(document, span); chunk != nil {
		best = *chunk.Span
	}
	return best, ok
}

// widest is the chunk that covers most of a span of a document, the first of equals; nil when none does.
func (c *Corpus) widest(document string, span assay.Span) (best *assay.Chunk) {
	for _, chunk := range c.Overlapping(document, span) {
		if best == nil || chunk.Span.Overlap(span) > best.Span.Overlap(span) {
			best = chunk
		}
	}
	return best
}

// newTwins makes what tells near-duplicates, for every room that asks.
func newTwins() assay.Twins { return new(corpus.Twins) }

// fromCorpus is the name under which generate.from and the cache of corpora know the configured corpus.
const fromCorpus = "corpus"

// Corpus loads the configured corpus, once. What was skipped is warned of, each with its reason.
func (p *Project) Corpus(ctx context.Context) (*Corpus, error) {
	if p.Config.Corpus == nil {
		return nil, assay.WithHint(assay.Usagef("%s has no corpus", p.Config.File), "add corpus: {path: FOLDER}")
	}
	return p.load(ctx, fromCorpus, p.openCorpus)
}

// openCorpus opens the configured corpus for streaming.
func (p *Project) openCorpus() (*corpus.Source, error) {
	c := p.Config.Corpus
	return corpus.Open(corpus.Spec{Path: c.Path, Chunk: corpus.Chunking{By: corpus.By(c.Chunk.By), Size: c.Chunk.Size,
		Overlap: c.Chunk.Overlap, Unit: corpus.Unit(c.Chunk.Unit)}})
}

// Listed loads the chunks of a system's live index, once.
func (p *Project) Listed(ctx context.Context, system string) (*Corpus, error) {
	src, err := p.listedSource(ctx, system)
	if err != nil {
		return nil, err
	}
	return p.load(ctx, "system "+system, func() (*corpus.Source, error) { return src, nil })
}

func (p *Project) listedSource(ctx context.Context, system string) (*corpus.Source, error) {
	sys, err := p.indexOf(ctx, system)
	if err != nil {
		return nil, err
	}
	lister, ok := assay.As[assay.ChunkLister](sys)
	if !ok {
		return nil, assay.WithHint(assay.Usagef("system %s cannot list its chunks", system),
			"give the documents as corpus: {path: …}, or use a system whose store can list (`assay stores`)")
	}
	return corpus.FromIndex(lister, "system "+system), nil
}

// indexOf opens as much of a system as listing its chunks takes. A live index needs no model for that, so one that is not
// running is no reason to fail.
func (p *Project) indexOf(ctx context.Context, system string) (*System, error) {
	cfg, ok := p.Config.System(system)
	if !ok {
		return nil, p.noSystem(system)
	}
	if kind := cfg.Retriever.Kind; kind == "exact" || kind == "fuse" {
		return p.System(ctx, system, "") // embedded: made of vectors, or of other systems
	}
	s := &System{System: &pipeline.System{Name: system, K: cfg.K}, Config: cfg}
	if err := p.retriever(ctx, s, ""); err != nil {
		return nil, p.inSystem(system, err)
	}
	return s, nil
}

func (p *Project) load(ctx context.Context, name string, open func() (*corpus.Source, error)) (*Corpus, error) {
	p.loading.Lock()
	defer p.loading.Unlock()
	if c, ok := p.corpora[name]; ok {
		return c, nil
	}
	src, err := open()
	if err != nil {
		return nil, err
	}
	set, err := corpus.Load(ctx, src)
	if err != nil {
		return nil, err
	}
	p.warnSkips(set.Skipped())
	for _, w := range set.Warnings() {
		p.opts.Warn(w)
	}
	c := &Corpus{set}
	p.corpora[name] = c
	return c, nil
}

// maxSkips bounds how many skipped files are named one by one.
const maxSkips = 20

func (p *Project) warnSkips(skipped []*corpus.Skip) {
	for _, s := range skipped[:min(len(skipped), maxSkips)] {
		p.opts.Warn(assay.Warning{Code: "skipped", Text: fmt.Sprintf("skipped %s: %s", s.Where(), s.Reason)})
	}
	if more := len(skipped) - maxSkips; more > 0 {
		p.opts.Warn(assay.Warning{Code: "skipped", Text: fmt.Sprintf("and %d more were skipped", more)})
	}
}

// Lookup gives what stands behind ids: the chunks of a named system's index, else the corpus, else nil
// when there is neither.
func (p *Project) Lookup(ctx context.Context, system string) (testset.Lookup, error) {
	switch {
	case system != "":
		return asLookup(p.Listed(ctx, system))
	case p.Config.Corpus != nil:
		return asLookup(p.Corpus(ctx))
	}
	return nil, nil
}

// asLookup keeps a nil *Corpus from becoming a Lookup that is not nil.
func asLookup(c *Corpus, err error) (testset.Lookup, error) {
	if err != nil {
		return nil, err
	}
	return c, nil
}
