package project

import (
	"context"
	"hash/fnv"
	"math/rand/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/bm25"
	"github.com/assay-eval/assay/corpus"
	"github.com/assay-eval/assay/generate"
)

// checks are the rules that need a model or a search; none unless the request is thorough.
func (p *Project) checks(ctx context.Context, g *generation, src *corpus.Source) ([]generate.Rule, error) {
	if !g.req.Thorough {
		if g.req.Unanswerable > 0 {
			p.opts.Warn(assay.Warning{Code: "unchecked", Text: "whether the corpus answers the queries that are to have no answer was not looked up; generate.thorough does"})
		}
		return nil, nil
	}
	cfg := bm25.Default()
	cfg.Text = corpus.IndexText
	index, err := bm25.Build(ctx, withoutSkips(src.Chunks(ctx)), cfg)
	if err != nil {
		return nil, err
	}
	k := &generate.Checks{Chat: g.meter, Seed: g.req.Seed, Other: otherPassage(g), Retrievers: []generate.Named{{Name: "bm25", Retriever: index}}}
	for _, name := range p.checkingSystems(g.req) {
		sys, err := p.System(ctx, name, "")
		if err != nil {
			return nil, err
		}
		k.Retrievers = append(k.Retrievers, generate.Named{Name: name, Retriever: sys})
	}
	if len(k.Retrievers) == 1 {
		p.opts.Warn(assay.Warning{Code: "one_retriever", Text: "no system embeds, so questions are looked up with bm25 alone: those in other words than their source are marked not-found too often, " +
			"and how many passages answer one is not looked at; name a system with embed: generate.retrievers"})
	}
	return k.Rules(), nil
}

// checkingSystems are the systems to search with: those named, else the first that embeds.
func (p *Project) checkingSystems(req GenerateRequest) []string {
	if len(req.Retrievers) > 0 {
		return req.Retrievers
	}
	for _, s := range p.Config.Systems {
		if s.Embed != "" {
			return []string{s.Name}
		}
	}
	return nil
}

// otherPassage draws a passage of the sample that is not the candidate's own, the same for the same question.
func otherPassage(g *generation) func(*generate.Candidate) string {
	return func(c *generate.Candidate) string {
		chunks := g.options.Chunks
		h := fnv.New64a()
		_, _ = h.Write([]byte(c.Question))
		rng := rand.New(rand.NewPCG(g.req.Seed, h.Sum64()))
		for _, i := range rng.Perm(len(chunks)) {
			if o := &chunks[i]; o.ID != c.Chunk.ID && (o.Document == "" || o.Document != c.Chunk.Document) {
				return o.Text
			}
		}
		return ""
	}
}
