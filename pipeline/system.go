package pipeline

import (
	"context"
	"fmt"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/internal/call"
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

// NoteEmbedCached marks a response whose query vector came from a cache: its embed time is unknown, and
// its Total holds the other stages only.
const NoteEmbedCached = "embed_cached"

// Search answers one request. Timings hold the stages that ran and the Total: the time of the answers
// that were used, without failed attempts, pauses between them and waits for a turn. Search and Total are
// 0, unknown, where a program was started for the answer.
func (s *System) Search(ctx context.Context, req assay.Request) (assay.Response, error) {
	if req.K == 0 {
		req.K = s.K
	}
	var t assay.Timings
	var embedCached bool
	if s.Embedder != nil && req.Vector == nil {
		stage := begin(ctx)
		v, cached, err := s.embed(stage.ctx, req.Text)
		if err != nil {
			return assay.Response{}, err
		}
		req.Vector = v
		if !cached {
			t.Embed = stage.time()
		}
		embedCached = cached
	}
	k := req.K
	if s.Reranker != nil {
		req.K = max(k, s.Depth)
	}
	search := begin(ctx)
	resp, err := s.Retriever.Search(search.ctx, req)
	if err != nil {
		return assay.Response{}, err
	}
	t = merge(t, resp.Timings, search.time())
	untimed := connector.Untimed(resp)
	if untimed {
		t.Search = 0
	}
	if err := clean(&resp, req.K); err != nil {
		return assay.Response{}, err
	}
	if s.Reranker != nil {
		stage := begin(ctx)
		if err := s.rerank(stage.ctx, req.Text, &resp); err != nil {
			return assay.Response{}, err
		}
		t.Rerank = stage.time()
	}
	resp.Hits = resp.Hits[:min(k, len(resp.Hits))]
	if !untimed {
		t.Total = t.Embed + t.Search + t.Fuse + t.Rerank
	}
	resp.Timings = t
	if embedCached {
		connector.AddNote(&resp, NoteEmbedCached, 1)
	}
	return resp, nil
}

// stage is one timed step of a query.
type stage struct {
	ctx    context.Context
	start  time.Time
	effort *call.Effort
}

func begin(ctx context.Context) stage {
	ctx, effort := call.WithEffort(ctx)
	return stage{ctx, time.Now(), effort}
}

func (s stage) time() time.Duration { return max(0, time.Since(s.start)-s.effort.Lost()) }

// merge puts the stages a retriever measured itself over what was seen from outside.
func merge(own, inner assay.Timings, outside time.Duration) assay.Timings {
	own.Embed += inner.Embed
	own.Fuse, own.Rerank = inner.Fuse, inner.Rerank
	own.Search = inner.Search
	if own.Search == 0 {
		own.Search = outside
	}
	return own
}

func (s *System) embed(ctx context.Context, text string) (v []float32, cached bool, err error) {
	reply, err := s.Embedder.Embed(ctx, assay.EmbedRequest{Texts: []string{text}, Role: assay.RoleQuery})
	if err != nil {
		return nil, false, err
	}
	if len(reply.Vectors) != 1 {
		return nil, false, assay.Errorf(assay.KindMalformed, "embed", s.Name, "%d vectors for one query", len(reply.Vectors))
	}
	return reply.Vectors[0], reply.Cached > 0, nil
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
