package project

import (
	"context"
	"iter"
	"os"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/all"
	"github.com/assay-eval/assay/corpus"
	"github.com/assay-eval/assay/doctor"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/discover"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/pipeline"
)

// Setup opens what systems, or all systems for none, are made of, for an examination. It dials nothing and
// builds no index; what cannot be opened is part of the set-up, with its error.
func (p *Project) Setup(systems []string) *doctor.Setup {
	s := &doctor.Setup{Classes: corpus.Classes, Elsewhere: elsewhere, FilterFields: p.Config.Generate.Filters.Fields, Testset: p.examinedTestset()}
	chosen := p.withParts(systems)
	for _, cfg := range chosen {
		if cfg.Retriever.Kind != "fuse" {
			s.Systems = append(s.Systems, p.examinedSystem(s, cfg))
		}
		if p.Config.Corpus != nil && slices.Contains(config.Embedded, cfg.Retriever.Kind) {
			s.Corpus = &doctor.Corpus{Chunks: corpusLister{p}, Where: p.Config.Where("corpus")}
		}
	}
	if w := p.Config.Generate.Model; w != "" && len(systems) == 0 {
		p.examinedModel(s, w, doctor.Writes)
	}
	if len(systems) == 0 {
		for _, m := range p.Config.Models {
			if !slices.ContainsFunc(s.Models, func(d *doctor.Model) bool { return d.Name == m.Name }) {
				p.examinedModel(s, m.Name, doctor.Unused)
			}
		}
	}
	return s
}

// withParts are the systems named, or all, each before those that are fused of it, each once.
func (p *Project) withParts(names []string) []config.System {
	if len(names) == 0 {
		return p.Config.Systems
	}
	var out []config.System
	var add func(name string)
	add = func(name string) {
		cfg, ok := p.Config.System(name)
		if !ok || slices.ContainsFunc(out, func(s config.System) bool { return s.Name == name }) {
			return
		}
		for _, part := range cfg.Retriever.Of() {
			add(part)
		}
		out = append(out, cfg)
	}
	for _, n := range names {
		add(n)
	}
	return out
}

func (p *Project) examinedSystem(s *doctor.Setup, cfg config.System) *doctor.System {
	out := &doctor.System{Name: cfg.Name, Kind: cfg.Retriever.Kind, K: cfg.K, Where: p.Config.Where("systems." + cfg.Name),
		Embedded: slices.Contains(config.Embedded, cfg.Retriever.Kind)}
	whole := &pipeline.System{Name: cfg.Name, K: cfg.K}
	if cfg.Embed != "" {
		out.Embed = p.examinedModel(s, cfg.Embed, doctor.Embeds)
		if out.Embed.Embedder != nil {
			whole.Embedder = llm.Prefix(out.Embed.Embedder, out.Embed.Query, out.Embed.Document)
		}
	}
	if cfg.Rerank != nil {
		out.Rerank = p.examinedModel(s, cfg.Rerank.Model, doctor.Reranks)
		whole.Reranker, whole.Depth = out.Rerank.Reranker, cfg.Rerank.Depth
	}
	if out.Embedded {
		return out
	}
	out.Store, out.Err = all.Kinds().Open(out.Kind, p.withTimeout(cfg.Retriever.Options), connector.Env{
		Env: option.Env{Dir: p.Config.Dir, Lookup: os.LookupEnv}, Retry: p.retry()})
	if out.Err == nil {
		p.closeLater(out.Store)
	}
	whole.Retriever, out.Whole = out.Store, whole
	out.Fields = doctor.Fields{Text: setting(cfg.Retriever, "text"), Prefix: map[string]string{"qdrant": "payload.", "chroma": "metadata."}[out.Kind]}
	out.Mend = doctor.Mend{URL: setting(cfg.Retriever, "url"), Collection: setting(cfg.Retriever, "collection")}
	return out
}

// setting is a setting of a retriever that is text, as it is in force.
func setting(r config.Retriever, name string) string {
	if s, ok := r.Options[name].(string); ok {
		return s
	}
	kind, err := all.Kinds().Kind(r.Kind)
	if err != nil {
		return ""
	}
	for _, o := range kind.Options {
		if o.Name == name {
			return o.Default
		}
	}
	return ""
}

// examinedModel opens a model in a role, once.
func (p *Project) examinedModel(s *doctor.Setup, name string, role doctor.Role) *doctor.Model {
	for _, m := range s.Models {
		if m.Name == name && m.Role == role {
			return m
		}
	}
	client, cfg, err := p.client(name)
	m := &doctor.Model{Name: name, Provider: cfg.Provider, Served: cfg.Model, Server: cfg.Remote.URL, Role: role, Where: p.Config.Where("models." + name), Err: err,
		Query: cfg.QueryPrefix, Document: cfg.DocumentPrefix}
	if known, ok := llm.FindPrefix(cfg.Model); ok {
		m.Trained = &doctor.Prefixes{Family: known.Family, Query: known.Query, Document: known.Document, Task: llm.DefaultTask, Optional: known.Optional}
	}
	m.Identify, _ = client.(assay.Identifier)
	if e, ok := client.(assay.Embedder); ok {
		m.Embedder = llm.WrapEmbedder(e, p.around(cfg, p.Config.Run.Timeout)...)
	}
	if c, ok := client.(assay.Chat); ok {
		m.Chat = llm.WrapChat(c, p.around(cfg, writing)...)
	}
	if r, ok := client.(assay.Reranker); ok {
		m.Reranker = llm.WrapReranker(r, p.around(cfg, p.Config.Run.Timeout)...)
	}
	if err == nil && (role == doctor.Embeds && m.Embedder == nil || role == doctor.Writes && m.Chat == nil || role == doctor.Reranks && m.Reranker == nil) {
		m.Err = assay.Usagef("a model of provider %s cannot do this: %s", cfg.Provider, role)
	}
	s.Models = append(s.Models, m)
	return m
}

// elsewhere looks for servers at the usual addresses of this machine, and nowhere else.
func elsewhere(ctx context.Context, kind string) []string {
	var out []string
	for _, s := range discover.Look(ctx, discover.Options{Env: option.Env{Lookup: func(string) (string, bool) { return "", false }}}).Servers {
		if s.Kind == kind {
			out = append(out, s.URL)
		}
	}
	return out
}

// examinedTestset reads the test set; nil where none was begun.
func (p *Project) examinedTestset() *doctor.Testset {
	set, err := p.TestsetToWrite() // reads only: nothing is made before the first write
	switch {
	case err != nil:
		return &doctor.Testset{Dir: p.Config.Testset, Err: err}
	case set.Len() == 0:
		return nil
	}
	return &doctor.Testset{Dir: p.Config.Testset, Queries: set.Queries(), Labels: set.Labels, Orphans: set.Orphans()}
}

// corpusLister lists the chunks of the configured corpus.
type corpusLister struct{ p *Project }

func (l corpusLister) ListChunks(ctx context.Context, _ assay.ListOptions) iter.Seq2[assay.Chunk, error] {
	c, err := l.p.Corpus(ctx)
	if err != nil {
		return func(yield func(assay.Chunk, error) bool) { yield(assay.Chunk{}, err) }
	}
	return chunks(c.Chunks())
}
