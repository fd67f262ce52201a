package pipeline

import (
	"context"
	"fmt"
	"time"

	"github.com/assay-eval/assay"
)

// System is a pipeline with a name. It is safe for concurrent use when its parts are.
type System struct {
	Name      string
	Retriever assay.Retriever
	Embedder  assay.Embedder // nil when the retriever needs no vector or embeds by itself
	Reranker  assay.Reranker // nil for no rerank stage
	Depth     int            // candidates given to the reranker
	K         int            // length of the final ranking, used when a request does not say
}

// Search answers one request. Timings hold the stages that ran and the Total; a stage that a decorator
// timed without its retries and waits keeps that time.
func (s *System) Search(ctx context.Context, req assay.Request) (assay.Response, error) {
	start := time.Now()
	if req.K == 0 {
		req.K = s.K
	}
	var t assay.Timings
	if s.Embedder != nil && req.Vector == nil {
		v, err := s.embed(ctx, req.Text)
		if err != nil {
			return assay.Response{}, err
		}
		req.Vector, t.Embed = v, time.Since(start)
	}
	k := req.K
	if s.Reranker != nil {
		req.K = max(k, s.Depth)
	}
	searched := time.Now()
	resp, err := s.Retriever.Search(ctx, req)
	if err != nil {
		return assay.Response{}, err
	}
	wall := time.Since(searched)
	t = merge(t, resp.Timings, wall)
	if err := clean(&resp, req.K); err != nil {
		return assay.Response{}, err
	}
	if s.Reranker != nil {
		began := time.Now()
		if err := s.rerank(ctx, req.Text, &resp); err != nil {
			return assay.Response{}, err
		}
		t.Rerank = time.Since(began)
	}
	resp.Hits = resp.Hits[:min(k, len(resp.Hits))]
	t.Total = t.Embed + t.Search + t.Fuse + t.Rerank
	resp.Timings = t
	return resp, nil
}

// merge puts the stages a retriever measured itself over what was seen from outside.
func merge(own, inner assay.Timings, wall time.Duration) assay.Timings {
	own.Embed += inner.Embed
	own.Fuse, own.Rerank = inner.Fuse, inner.Rerank
	own.Search = inner.Search
	if own.Search == 0 {
		own.Search = wall
	}
	return own
}

func (s *System) embed(ctx context.Context, text string) ([]float32, error) {
	reply, err := s.Embedder.Embed(ctx, assay.EmbedRequest{Texts: []string{text}, Role: assay.RoleQuery})
	if err != nil {
		return nil, err
	}
	if len(reply.Vectors) != 1 {
		return nil, assay.Errorf(assay.KindMalformed, "embed", s.Name, "%d vectors for one query", len(reply.Vectors))
	}
	return reply.Vectors[0], nil
}

func (s *System) rerank(ctx context.Context, query string, resp *assay.Response) error {
	if len(resp.Hits) == 0 {
		return nil
	}
	texts := make([]string, len(resp.Hits))
	for i, h := range resp.Hits {
		if h.Text == "" {
			return assay.WithHint(assay.Errorf(assay.KindInvalid, "rerank", s.Name, "hit %s has no text to rerank", h.ID),
				"name the field that holds the text: `text:` in the retriever")
		}
		texts[i] = h.Text
	}
	scores, err := s.Reranker.Rerank(ctx, query, texts)
	if err != nil {
		return err
	}
	if len(scores) != len(texts) {
		return assay.Errorf(assay.KindMalformed, "rerank", s.Name, "%d scores for %d texts", len(scores), len(texts))
	}
	for i := range resp.Hits {
		resp.Hits[i].Score = scores[i]
	}
	sortByScore(resp.Hits)
	return nil
}

// Unwrap gives the retriever's optional powers (listing, counting, inspecting) through the system.
func (s *System) Unwrap() assay.Retriever { return s.Retriever }

func (s *System) String() string { return fmt.Sprintf("system %s (k %d)", s.Name, s.K) }
