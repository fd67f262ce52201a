package connectortest

import (
	"context"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
)

// TestSearch asks everything that can be asked.
func (s *Suite) TestSearch(t *testing.T) {
	r := s.Open(t)
	for _, req := range s.Requests {
		if len(s.search(t, r, req)) == 0 {
			t.Errorf("%s: nothing found", show(req))
		}
	}
}

// TestK asks for shorter and longer lists: a shorter one is the beginning of a longer one.
func (s *Suite) TestK(t *testing.T) {
	r := s.Open(t)
	var longest []assay.Hit
	lists := map[int][]assay.Hit{}
	for _, k := range s.Ks {
		req := s.first()
		req.K = k
		lists[k] = s.search(t, r, req)
		if len(lists[k]) > len(longest) {
			longest = lists[k]
		}
	}
	for k, list := range lists {
		if d := cmp.Diff(ids(longest[:len(list)]), ids(list)); d != "" {
			t.Errorf("k=%d is not the beginning of a longer list:\n%s", k, d)
		}
	}
}

// TestSameAnswer asks the same twice.
func (s *Suite) TestSameAnswer(t *testing.T) {
	r := s.Open(t)
	a, b := s.search(t, r, s.first()), s.search(t, r, s.first())
	if d := cmp.Diff(a, b); d != "" {
		t.Error(d)
	}
}

// TestMapping compares what a hit carries with the chunk it stands for.
func (s *Suite) TestMapping(t *testing.T) {
	r := s.Open(t)
	returnsText := s.capabilities(t, r).ReturnsText
	for _, req := range s.Requests {
		for _, h := range s.search(t, r, req) {
			c := s.chunk(h.ID)
			if c == nil {
				continue
			}
			if returnsText && h.Text != c.Text || h.Text != "" && h.Text != c.Text {
				t.Errorf("%s: text %q, want %q", h.ID, h.Text, c.Text)
			}
			if h.Document != "" && h.Document != c.Document {
				t.Errorf("%s: document %q, want %q", h.ID, h.Document, c.Document)
			}
			if h.Span != nil && (c.Span == nil || *h.Span != *c.Span) {
				t.Errorf("%s: span %v, want %v", h.ID, h.Span, c.Span)
			}
			for k, want := range c.Metadata {
				got, ok := h.Metadata[k]
				if ok && !cmp.Equal(got, want) {
					t.Errorf("%s: metadata %s is %T %v, want %T %v", h.ID, k, got, got, want, want)
				}
			}
		}
	}
}

// TestBadRequests sends what no store can answer. Each is refused as invalid, never answered.
func (s *Suite) TestBadRequests(t *testing.T) {
	r := s.Open(t)
	bad := map[string]func(*assay.Request){
		"k 0":  func(q *assay.Request) { q.K = 0 },
		"k -1": func(q *assay.Request) { q.K = -1 },
	}
	if s.capabilities(t, r).NeedsVector {
		bad["no vector"] = func(q *assay.Request) { q.Vector, q.Text = nil, "hello" }
		bad["empty vector"] = func(q *assay.Request) { q.Vector = []float32{} }
		bad["NaN"] = func(q *assay.Request) { q.Vector = withFirst(q.Vector, float32(math.NaN())) }
		bad["infinite"] = func(q *assay.Request) { q.Vector = withFirst(q.Vector, float32(math.Inf(1))) }
	}
	for name, spoil := range bad {
		req := s.first()
		spoil(&req)
		resp, err := r.Search(t.Context(), req)
		s.wantKind(t, name, err, assay.KindInvalid)
		if len(resp.Hits) > 0 {
			t.Errorf("%s: %d hits beside an error", name, len(resp.Hits))
		}
	}
}

// TestWrongDimension sends a vector that is too short.
func (s *Suite) TestWrongDimension(t *testing.T) {
	r := s.Open(t)
	if !s.capabilities(t, r).NeedsVector {
		return
	}
	req := s.first()
	req.Vector = req.Vector[:len(req.Vector)-3]
	_, err := r.Search(t.Context(), req)
	s.wantKind(t, "wrong dimension", err, assay.KindInvalid)
}

// TestZeroVector: a query of zeros fails or is answered with finite scores; which of the two, follows from
// the distance.
func (s *Suite) TestZeroVector(t *testing.T) {
	r := s.Open(t)
	if !s.capabilities(t, r).NeedsVector {
		return
	}
	req := s.first()
	req.Vector = make([]float32, len(req.Vector))
	resp, err := r.Search(t.Context(), req)
	if s.Distance == "cosine" {
		s.wantKind(t, "zero vector", err, assay.KindInvalid)
		return
	}
	if err == nil {
		s.checkList(t, req, resp.Hits)
	}
}

// TestMissingCollection asks a collection that does not exist.
func (s *Suite) TestMissingCollection(t *testing.T) {
	if s.Missing == nil {
		return
	}
	r := s.Missing(t)
	_, err := r.Search(t.Context(), s.first())
	s.wantKind(t, "search", err, assay.KindNotFound)
	if x, ok := assay.As[assay.Inspector](r); ok {
		_, err := x.Inspect(t.Context())
		s.wantKind(t, "inspect", err, assay.KindNotFound)
	}
}

// TestContext gives the call a context that has ended.
func (s *Suite) TestContext(t *testing.T) {
	r := s.Open(t)
	s.search(t, r, s.first()) // whatever is read once has been read
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := r.Search(ctx, s.first())
	s.wantKind(t, "canceled", err, assay.KindCanceled)
	ctx, cancel = context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer cancel()
	_, err = r.Search(ctx, s.first())
	s.wantKind(t, "deadline", err, assay.KindTimeout)
	s.search(t, r, s.first())
}

// TestConcurrent asks from many goroutines at once and gets what one gets.
func (s *Suite) TestConcurrent(t *testing.T) {
	r := s.Open(t)
	want := make([][]assay.Hit, len(s.Requests))
	for i, req := range s.Requests {
		want[i] = s.search(t, r, req)
	}
	fresh := s.Open(t) // so that whatever is read once is read at once, too
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for n := range 3 * len(s.Requests) {
				i := (worker + n) % len(s.Requests)
				resp, err := fresh.Search(t.Context(), s.Requests[i])
				if err != nil {
					t.Errorf("search: %v", err)
				} else if d := cmp.Diff(want[i], resp.Hits); d != "" {
					t.Errorf("another answer than alone:\n%s", d)
				}
			}
		})
	}
	wg.Wait()
}

func (s *Suite) wantKind(t *testing.T, what string, err error, kind assay.Kind) {
	t.Helper()
	if got := assay.KindOf(err); err == nil || got != kind {
		t.Errorf("%s: got %s (%v), want %s", what, got, err, kind)
	}
}

func withFirst(v []float32, x float32) []float32 {
	out := append([]float32(nil), v...)
	out[0] = x
	return out
}
