package project

import (
	"context"
	"fmt"
	"maps"
	"os"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/all"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/nearest"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/pipeline"
)

// System is a pipeline opened from the configuration, with what it is made of.
type System struct {
	*pipeline.System
	Config   config.System
	Embed    assay.Identity // zero when the system embeds nothing
	Reranker assay.Identity
	Parts    []*System // the systems a fused one is made of
}

// System opens a system under test. Embedded indexes are built here, which embeds the corpus where the
// system needs vectors. scope is that of Embedder: the id of the run that measures.
func (p *Project) System(ctx context.Context, name, scope string) (*System, error) {
	cfg, ok := p.Config.System(name)
	if !ok {
		return nil, p.noSystem(name)
	}
	s := &System{System: &pipeline.System{Name: name, K: cfg.K}, Config: cfg}
	if cfg.Embed != "" {
		m, err := p.Embedder(ctx, cfg.Embed, scope)
		if err != nil {
			return nil, p.inSystem(name, err)
		}
		s.Embedder, s.Embed = m.Use, m.Identity
	}
	if cfg.Rerank != nil {
		m, err := p.Reranker(ctx, cfg.Rerank.Model)
		if err != nil {
			return nil, p.inSystem(name, err)
		}
		s.System.Reranker, s.Reranker, s.Depth = m.Use, m.Identity, cfg.Rerank.Depth
	}
	if err := p.retriever(ctx, s, scope); err != nil {
		return nil, p.inSystem(name, err)
	}
	return s, nil
}

func (p *Project) noSystem(name string) error {
	var names []string
	for _, s := range p.Config.Systems {
		names = append(names, s.Name)
	}
	return assay.Usagef("no system is named %q in %s%s", name, p.Config.File, nearest.Suggest(name, names))
}

func (p *Project) inSystem(name string, err error) error {
	return fmt.Errorf("system %s: %w", name, err)
}

func (p *Project) retriever(ctx context.Context, s *System, scope string) (err error) {
	r := s.Config.Retriever
	switch r.Kind {
	case "bm25":
		s.Retriever, err = p.lexical(ctx, r.Options)
	case "exact":
		s.Retriever, err = p.dense(ctx, s)
	case "fuse":
		s.Retriever, err = p.fused(ctx, s, scope)
	default:
		s.Retriever, err = all.Kinds().Open(r.Kind, p.withTimeout(r.Options), connector.Env{
			Env: option.Env{Dir: p.Config.Dir, Lookup: os.LookupEnv}, Retry: p.retry()})
	}
	if err == nil {
		p.closeLater(s.Retriever)
	}
	return err
}

// withTimeout gives a retriever that names no timeout the run's.
func (p *Project) withTimeout(options map[string]any) map[string]any {
	if _, own := options["timeout"]; own {
		return options
	}
	out := map[string]any{"timeout": p.Config.Run.Timeout.String()}
	maps.Copy(out, options)
	return out
}

// checkDimension refuses a model whose vectors do not fit the index, before a query is sent. Its probe is
// cached, and so costs one call a model.
func checkDimension(ctx context.Context, s *System, index *assay.Inspection) error {
	if index == nil || index.Dimension == 0 || s.Embedder == nil {
		return nil
	}
	reply, err := s.Embedder.Embed(ctx, assay.EmbedRequest{Texts: []string{"dimension"}, Role: assay.RoleQuery})
	if err != nil {
		return err
	}
	if len(reply.Vectors) == 1 && len(reply.Vectors[0]) != index.Dimension {
		return assay.WithHint(assay.Usagef("the model %s gives vectors of %d dimensions, and the index holds vectors of %d",
			s.Config.Embed, len(reply.Vectors[0]), index.Dimension), "name the model that the index was built with: embed: MODEL")
	}
	return nil
}
