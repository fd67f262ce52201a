package pipeline_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/call"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/pipeline"
)

// parts are the stages of a system, made of functions.
type (
	searchFunc func(context.Context, assay.Request) (assay.Response, error)
	embedFunc  func(context.Context, assay.EmbedRequest) (assay.EmbedReply, error)
	rerankFunc func(context.Context, string, []string) ([]float64, error)
)

func (f searchFunc) Search(ctx context.Context, r assay.Request) (assay.Response, error) {
	return f(ctx, r)
}
func (f embedFunc) Embed(ctx context.Context, r assay.EmbedRequest) (assay.EmbedReply, error) {
	return f(ctx, r)
}
func (f rerankFunc) Rerank(ctx context.Context, q string, t []string) ([]float64, error) {
	return f(ctx, q, t)
}

func hits(ids ...string) []assay.Hit {
	out := make([]assay.Hit, len(ids))
	for i, id := range ids {
		out[i] = assay.Hit{ID: id, Score: float64(len(ids) - i), Text: "text of " + id}
	}
	return out
}

func ids(resp assay.Response) string {
	var out []string
	for _, h := range resp.Hits {
		out = append(out, h.ID)
	}
	return strings.Join(out, " ")
}

func TestStagesInOrder(t *testing.T) {
	var trace []string
	s := &pipeline.System{
		Name: "s", K: 2, Depth: 4,
		Embedder: embedFunc(func(_ context.Context, r assay.EmbedRequest) (assay.EmbedReply, error) {
			trace = append(trace, "embed "+string(r.Role)+" "+r.Texts[0])
			return assay.EmbedReply{Vectors: [][]float32{{1, 2}}}, nil
		}),
		Retriever: searchFunc(func(_ context.Context, r assay.Request) (assay.Response, error) {
			trace = append(trace, "search")
			if r.K != 4 || len(r.Vector) != 2 {
				t.Errorf("searched with %+v", r)
			}
			return assay.Response{Hits: hits("a", "b", "c", "d")}, nil
		}),
		Reranker: rerankFunc(func(_ context.Context, q string, texts []string) ([]float64, error) {
			trace = append(trace, "rerank")
			return []float64{0.1, 0.9, 0.9, 0.5}, nil
		}),
	}
	resp, err := s.Search(t.Context(), assay.Request{Text: "q"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"embed query q", "search", "rerank"}, trace); diff != "" {
		t.Error(diff)
	}
	if ids(resp) != "c b" {
		t.Errorf("order %q: score descending, ties by id descending, cut to k", ids(resp))
	}
	tm := resp.Timings
	if tm.Embed <= 0 || tm.Search <= 0 || tm.Rerank <= 0 || tm.Total != tm.Embed+tm.Search+tm.Rerank {
		t.Errorf("timings %+v", tm)
	}
}

func TestAnswersAreHeldToTheContract(t *testing.T) {
	for _, tc := range []struct {
		name string
		hits []assay.Hit
		want string
		note string
		kind assay.Kind
	}{
		{name: "too long", hits: hits("a", "b", "c", "d"), want: "a b c", note: "list_cut"},
		{name: "repeats", hits: hits("a", "b", "a"), want: "a b", note: "duplicate_id"},
		{name: "order kept", hits: []assay.Hit{{ID: "a", Score: 1}, {ID: "b", Score: 2}}, want: "a b", note: "unsorted"},
		{name: "not a number", hits: []assay.Hit{{ID: "a", Score: math.NaN()}}, kind: assay.KindMalformed},
		{name: "no id", hits: []assay.Hit{{Score: 1}}, kind: assay.KindMalformed},
		{name: "nothing", want: ""},
	} {
		s := &pipeline.System{K: 3, Retriever: searchFunc(func(context.Context, assay.Request) (assay.Response, error) {
			return assay.Response{Hits: tc.hits}, nil
		})}
		resp, err := s.Search(t.Context(), assay.Request{Text: "q"})
		if assay.KindOf(err) != tc.kind || ids(resp) != tc.want {
			t.Errorf("%s: %q, %v", tc.name, ids(resp), err)
		}
		if tc.note != "" && (len(resp.Notes) != 1 || resp.Notes[0].Code != tc.note) {
			t.Errorf("%s: notes %v", tc.name, resp.Notes)
		}
	}
}

// TestLatencyLeavesOutRetries fails twice slowly before it answers fast.
func TestLatencyLeavesOutRetries(t *testing.T) {
	tries := 0
	s := &pipeline.System{K: 1, Retriever: searchFunc(func(ctx context.Context, _ assay.Request) (assay.Response, error) {
		return call.Retry(ctx, call.Policy{Retries: 2, Base: time.Millisecond}, func(context.Context) (assay.Response, error) {
			if tries++; tries < 3 {
				time.Sleep(60 * time.Millisecond)
				return assay.Response{}, assay.Errorf(assay.KindUnavailable, "search", "host", "busy")
			}
			return assay.Response{Hits: hits("a")}, nil
		})
	})}
	resp, err := s.Search(t.Context(), assay.Request{Text: "q"})
	if err != nil || tries != 3 {
		t.Fatal(tries, err)
	}
	if resp.Timings.Total > 60*time.Millisecond {
		t.Errorf("latency %v holds the failed tries", resp.Timings.Total)
	}
}

func TestStagesFailWithTheirError(t *testing.T) {
	boom := errors.New("boom")
	ok := searchFunc(func(context.Context, assay.Request) (assay.Response, error) {
		return assay.Response{Hits: []assay.Hit{{ID: "a", Score: 1}}}, nil
	})
	for name, s := range map[string]*pipeline.System{
		"embed":  {K: 1, Retriever: ok, Embedder: embedFunc(func(context.Context, assay.EmbedRequest) (assay.EmbedReply, error) { return assay.EmbedReply{}, boom })},
		"search": {K: 1, Retriever: searchFunc(func(context.Context, assay.Request) (assay.Response, error) { return assay.Response{}, boom })},
		"rerank": {K: 1, Retriever: searchFunc(func(context.Context, assay.Request) (assay.Response, error) {
			return assay.Response{Hits: hits("a")}, nil
		}), Reranker: rerankFunc(func(context.Context, string, []string) ([]float64, error) { return nil, boom })},
	} {
		if _, err := s.Search(t.Context(), assay.Request{Text: "q"}); !errors.Is(err, boom) {
			t.Errorf("%s: %v", name, err)
		}
	}
	noText := &pipeline.System{K: 1, Retriever: ok, Reranker: rerankFunc(func(context.Context, string, []string) ([]float64, error) { return nil, nil })}
	if _, err := noText.Search(t.Context(), assay.Request{Text: "q"}); assay.KindOf(err) != assay.KindInvalid || assay.Hint(err) == "" {
		t.Errorf("a rerank without text: %v", err)
	}
}

func TestEmbedTextsKeepsOrder(t *testing.T) {
	e := embedFunc(func(_ context.Context, r assay.EmbedRequest) (assay.EmbedReply, error) {
		var out assay.EmbedReply
		for _, text := range r.Texts {
			out.Vectors = append(out.Vectors, []float32{float32(len(text))})
		}
		return out, nil
	})
	texts := make([]string, 53)
	for i := range texts {
		texts[i] = strings.Repeat("x", i)
	}
	last := 0
	got, failed, err := pipeline.EmbedTexts(t.Context(), e, texts, pipeline.EmbedOptions{Batch: 7, Workers: 4, Progress: func(n int) { last = n }})
	if err != nil || last != 53 || failed != nil {
		t.Fatal(last, err)
	}
	for i, v := range got {
		if v[0] != float32(i) {
			t.Fatalf("vector %d is of text %v", i, v[0])
		}
	}
}

// TestEmbedTextsGoesOnWithoutABadText: a text at fault is named, the others have their vectors.
func TestEmbedTextsGoesOnWithoutABadText(t *testing.T) {
	e := embedFunc(func(_ context.Context, r assay.EmbedRequest) (assay.EmbedReply, error) {
		out := assay.EmbedReply{Vectors: make([][]float32, len(r.Texts))}
		var failed []llm.TextError
		for i, text := range r.Texts {
			if text == "bad" {
				failed = append(failed, llm.TextError{Index: i, Err: assay.Errorf(assay.KindTruncated, "embed", "", "too long")})
				continue
			}
			out.Vectors[i] = []float32{1}
		}
		return llm.Partial(out, failed)
	})
	got, failed, err := pipeline.EmbedTexts(t.Context(), e, []string{"a", "b", "bad", "c", "bad"}, pipeline.EmbedOptions{Batch: 2})
	if err != nil || len(failed) != 2 || failed[0].Index != 2 || failed[1].Index != 4 {
		t.Fatalf("failed %v, err %v", failed, err)
	}
	for i, v := range got {
		if (v == nil) != (i == 2 || i == 4) {
			t.Errorf("vector %d is %v", i, v)
		}
	}
}

// TestCachedEmbeddingIsNoLatency: a vector from the cache leaves the embed time unknown.
func TestCachedEmbeddingIsNoLatency(t *testing.T) {
	s := &pipeline.System{K: 1,
		Embedder: embedFunc(func(context.Context, assay.EmbedRequest) (assay.EmbedReply, error) {
			return assay.EmbedReply{Vectors: [][]float32{{1}}, Cached: 1}, nil
		}),
		Retriever: searchFunc(func(context.Context, assay.Request) (assay.Response, error) {
			return assay.Response{Hits: hits("a")}, nil
		}),
	}
	resp, err := s.Search(t.Context(), assay.Request{Text: "q"})
	if err != nil || resp.Timings.Embed != 0 || len(resp.Notes) != 1 || resp.Notes[0].Code != pipeline.NoteEmbedCached {
		t.Errorf("%+v, %v", resp, err)
	}
}
