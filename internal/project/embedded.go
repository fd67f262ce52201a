package project

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/all"
	"github.com/assay-eval/assay/connector/bm25"
	"github.com/assay-eval/assay/connector/exact"
	"github.com/assay-eval/assay/connector/fuse"
	"github.com/assay-eval/assay/corpus"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/pipeline"
)

// decode fills the settings of an embedded kind.
func decode(values map[string]any, settings any) error {
	return option.Join(option.Decode(values, settings, option.Env{}))
}

// lexical builds a BM25 index over the corpus.
func (p *Project) lexical(ctx context.Context, values map[string]any) (assay.Retriever, error) {
	c, err := p.Corpus(ctx)
	if err != nil {
		return nil, err
	}
	return lexicalIndex(ctx, c, values)
}

// lexicalIndex builds a BM25 index with the settings given, the rest by default.
func lexicalIndex(ctx context.Context, c *Corpus, values map[string]any) (*bm25.Index, error) {
	var s all.BM25
	if err := decode(values, &s); err != nil {
		return nil, err
	}
	return bm25.Build(ctx, chunks(c.Chunks()), bm25.Config{K1: s.K1, B: s.B, Analyzer: s.Analyzer, Text: corpus.IndexText})
}

// dense embeds the corpus, as far as the cache does not hold it, and builds an exact index.
func (p *Project) dense(ctx context.Context, s *System) (assay.Retriever, error) {
	var settings all.Exact
	if err := decode(s.Config.Retriever.Options, &settings); err != nil {
		return nil, err
	}
	c, err := p.Corpus(ctx)
	if err != nil {
		return nil, err
	}
	m, err := p.embedder(ctx, s.Config.Embed, "", max(indexing, p.Config.Run.Timeout))
	if err != nil {
		return nil, err
	}
	model, _ := p.Config.Model(s.Config.Embed)
	texts := make([]string, len(c.Chunks()))
	for i := range c.Chunks() {
		texts[i] = corpus.IndexText(&c.Chunks()[i])
	}
	line := p.progress("embed "+s.Name, len(texts))
	defer line.Stop()
	vectors, failed, err := pipeline.EmbedTexts(ctx, m.Use, texts, pipeline.EmbedOptions{Batch: model.Batch, Progress: func(n int) { line.Set(n, "") }})
	if err != nil {
		return nil, p.slowIndexing(err, model)
	}
	if len(failed) > 0 {
		first := failed[0]
		p.opts.Warn(assay.Warning{Code: "not_embedded", Text: fmt.Sprintf("system %s: %d of %d chunks could not be embedded and cannot be found, such as %s: %v",
			s.Name, len(failed), len(texts), c.Chunks()[first.Index].ID, first.Err)})
	}
	var with []assay.Chunk
	for i, chunk := range c.Chunks() {
		if vectors[i] != nil {
			chunk.Vector = vectors[i]
			with = append(with, chunk)
		}
	}
	return exact.Build(ctx, chunks(with), exact.Config{Distance: settings.Distance})
}

// slowIndexing says what can be set where a batch took longer than it may.
func (p *Project) slowIndexing(err error, m config.Model) error {
	if assay.KindOf(err) != assay.KindTimeout {
		return err
	}
	return assay.WithHint(err, "a call embeds up to %d texts in at most %s: set models.%s.batch lower or models.%s.timeout higher; what was embedded is kept",
		cmp.Or(m.Batch, pipeline.DefaultBatch), cmp.Or(m.Remote.Timeout, max(indexing, p.Config.Run.Timeout)), m.Name, m.Name)
}

// fused opens the systems that a fused one is made of and merges their rankings.
func (p *Project) fused(ctx context.Context, s *System, scope string) (assay.Retriever, error) {
	var settings all.Fuse
	if err := decode(s.Config.Retriever.Options, &settings); err != nil {
		return nil, err
	}
	var legs []fuse.Leg
	for _, name := range settings.Of {
		part, err := p.System(ctx, name, scope)
		if err != nil {
			return nil, err
		}
		s.Parts = append(s.Parts, part)
		legs = append(legs, fuse.Leg{Name: name, Retriever: part})
	}
	return fuse.New(legs, fuse.Config{K: settings.K, Depth: settings.Depth})
}

func chunks(list []assay.Chunk) iter.Seq2[assay.Chunk, error] {
	return func(yield func(assay.Chunk, error) bool) {
		for _, c := range list {
			if !yield(c, nil) {
				return
			}
		}
	}
}
