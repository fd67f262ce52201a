package fuse_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/fuse"
)

// list is a leg that always answers the same.
type list struct {
	ids   string
	err   error
	delay time.Duration
}

func (l list) Search(ctx context.Context, req assay.Request) (assay.Response, error) {
	if l.err != nil {
		return assay.Response{}, l.err
	}
	var resp assay.Response
	ids := strings.Fields(l.ids)
	for i, id := range ids[:min(req.K, len(ids))] {
		resp.Hits = append(resp.Hits, assay.Hit{ID: id, Score: float64(len(ids) - i)})
	}
	resp.Timings.Search = l.delay
	return resp, nil
}

func fused(t *testing.T, cfg fuse.Config, legs ...fuse.Leg) *fuse.Fuse {
	t.Helper()
	f, err := fuse.New(legs, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestFormula compares with sums done by hand: with k 60, b is 1/62 + 1/61, a 1/61, c 1/62, d 1/63.
func TestFormula(t *testing.T) {
	f := fused(t, fuse.Config{K: 60}, fuse.Leg{Name: "x", Retriever: list{ids: "a b d"}}, fuse.Leg{Name: "y", Retriever: list{ids: "b c"}})
	resp, err := f.Search(t.Context(), assay.Request{Text: "q", K: 10})
	if err != nil {
		t.Fatal(err)
	}
	want := []assay.Hit{{ID: "b", Score: 1.0/62 + 1.0/61}, {ID: "a", Score: 1.0 / 61}, {ID: "c", Score: 1.0 / 62}, {ID: "d", Score: 1.0 / 63}}
	if len(resp.Hits) != len(want) {
		t.Fatalf("got %v", resp.Hits)
	}
	for i, h := range resp.Hits {
		if h.ID != want[i].ID || math.Abs(h.Score-want[i].Score) > 1e-15 {
			t.Errorf("rank %d: %s %v, want %s %v", i+1, h.ID, h.Score, want[i].ID, want[i].Score)
		}
	}
}

func TestTiesGoByIDDescending(t *testing.T) {
	f := fused(t, fuse.Config{K: 60}, fuse.Leg{Name: "x", Retriever: list{ids: "a"}}, fuse.Leg{Name: "y", Retriever: list{ids: "b"}})
	resp, err := f.Search(t.Context(), assay.Request{K: 10})
	if err != nil || resp.Hits[0].ID != "b" {
		t.Errorf("got %v, %v", resp.Hits, err)
	}
}

func TestAFailingLegFailsTheQuery(t *testing.T) {
	down := assay.Errorf(assay.KindUnavailable, "search", "host", "connection refused")
	f := fused(t, fuse.Config{}, fuse.Leg{Name: "x", Retriever: list{ids: "a b"}}, fuse.Leg{Name: "y", Retriever: list{err: down}})
	_, err := f.Search(t.Context(), assay.Request{K: 10})
	if !errors.Is(err, down) || assay.KindOf(err) != assay.KindUnavailable || !strings.Contains(err.Error(), "y:") {
		t.Errorf("err = %v", err)
	}
}

func TestDepthAndTimings(t *testing.T) {
	f := fused(t, fuse.Config{K: 1, Depth: 3}, fuse.Leg{Name: "x", Retriever: list{ids: "a b c d", delay: time.Second}},
		fuse.Leg{Name: "y", Retriever: list{ids: "d", delay: time.Millisecond}})
	resp, err := f.Search(t.Context(), assay.Request{K: 2})
	if err != nil || len(resp.Hits) != 2 || resp.Hits[0].ID != "d" || resp.Hits[0].Score != 0.5 {
		t.Errorf("d is beyond the depth of x and counts from y alone: %v, %v", resp.Hits, err)
	}
	if resp.Timings.Search != time.Second || resp.Timings.Fuse <= 0 {
		t.Errorf("timings %+v", resp.Timings)
	}
}

// TestOrderOfLegsDoesNotMatter: fusing is symmetric up to the rounding of sums.
func TestOrderOfLegsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringMatching(`[a-f]`)
		draw := func(name string) fuse.Leg {
			ids := rapid.SliceOfNDistinct(id, 0, 6, rapid.ID[string]).Draw(t, name)
			return fuse.Leg{Name: name, Retriever: list{ids: strings.Join(ids, " ")}}
		}
		x, y := draw("x"), draw("y")
		search := func(legs ...fuse.Leg) string {
			f, err := fuse.New(legs, fuse.Config{K: 60})
			if err != nil {
				t.Fatal(err)
			}
			resp, err := f.Search(context.Background(), assay.Request{K: 10})
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, h := range resp.Hits {
				ids = append(ids, h.ID)
			}
			return strings.Join(ids, " ")
		}
		if a, b := search(x, y), search(y, x); a != b {
			t.Fatalf("%q and %q", a, b)
		}
	})
}

// TestUntidyLeg: a leg that repeats an id counts it once, at its best rank, and one that gives more than
// it was asked for is cut; both are noted, summed over the legs.
func TestUntidyLeg(t *testing.T) {
	f := fused(t, fuse.Config{K: 0, Depth: 2}, fuse.Leg{Name: "x", Retriever: untidy{"a a b c"}}, fuse.Leg{Name: "y", Retriever: untidy{"b b b"}})
	resp, err := f.Search(t.Context(), assay.Request{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	want := assay.Response{
		Hits:  []assay.Hit{{ID: "b", Score: 1.0/2 + 1}, {ID: "a", Score: 1}},
		Notes: []assay.Note{{Code: "duplicate_id", Count: 3}, {Code: "list_cut", Count: 1}},
	}
	want.Timings, resp.Timings = assay.Timings{}, assay.Timings{}
	if d := cmp.Diff(want, resp); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// untidy is a leg that breaks the contract of a list.
type untidy struct{ ids string }

func (u untidy) Search(context.Context, assay.Request) (assay.Response, error) {
	var resp assay.Response
	for _, id := range strings.Fields(u.ids) {
		resp.Hits = append(resp.Hits, assay.Hit{ID: id, Score: 1})
	}
	return resp, nil
}

// TestWeights: a leg of weight 2 counts as two legs that answer alike.
func TestWeights(t *testing.T) {
	x, y := list{ids: "a b"}, list{ids: "b c"}
	weighted := fused(t, fuse.Config{K: 60}, fuse.Leg{Name: "x", Retriever: x, Weight: 2}, fuse.Leg{Name: "y", Retriever: y})
	thrice := fused(t, fuse.Config{K: 60}, fuse.Leg{Name: "x", Retriever: x}, fuse.Leg{Name: "x2", Retriever: x}, fuse.Leg{Name: "y", Retriever: y})
	a, err := weighted.Search(t.Context(), assay.Request{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	b, err := thrice.Search(t.Context(), assay.Request{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(a.Hits, b.Hits); d != "" {
		t.Error(d)
	}
}

// TestHitsAreCompleted: what one leg does not know of a hit comes from the others.
func TestHitsAreCompleted(t *testing.T) {
	known := assay.Hit{ID: "a", Text: "text", Title: "title", Document: "d", Span: &assay.Span{Start: 1, End: 5}, Metadata: map[string]any{"n": int64(1)}}
	f := fused(t, fuse.Config{K: 60}, fuse.Leg{Name: "bare", Retriever: list{ids: "a"}}, fuse.Leg{Name: "rich", Retriever: fixed{known}})
	resp, err := f.Search(t.Context(), assay.Request{K: 1})
	if err != nil {
		t.Fatal(err)
	}
	known.Score = resp.Hits[0].Score
	if d := cmp.Diff([]assay.Hit{known}, resp.Hits); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// fixed is a leg that answers with given hits.
type fixed []assay.Hit

func (f fixed) Search(context.Context, assay.Request) (assay.Response, error) {
	return assay.Response{Hits: slices.Clone(f)}, nil
}

// stuck is a leg that waits for its context to end.
type stuck struct{}

func (stuck) Search(ctx context.Context, _ assay.Request) (assay.Response, error) {
	<-ctx.Done()
	return assay.Response{}, ctx.Err()
}

// TestAFailureEndsTheOthers: nobody waits for a leg whose answer is no longer wanted, and the failure that
// is reported is the cause, not the cancelling.
func TestAFailureEndsTheOthers(t *testing.T) {
	down := assay.Errorf(assay.KindUnavailable, "search", "host", "connection refused")
	f := fused(t, fuse.Config{}, fuse.Leg{Name: "x", Retriever: stuck{}}, fuse.Leg{Name: "y", Retriever: list{err: down}})
	if _, err := f.Search(t.Context(), assay.Request{K: 10}); !errors.Is(err, down) {
		t.Errorf("err = %v", err)
	}
}

func TestLegsAreKeptApart(t *testing.T) {
	f := fused(t, fuse.Config{Depth: 2}, fuse.Leg{Name: "x", Retriever: list{ids: "a b c"}}, fuse.Leg{Name: "y", Retriever: list{ids: "b"}})
	legs, err := f.Legs(t.Context(), assay.Request{K: 1})
	if err != nil || len(legs) != 2 || legs[0].Leg != "x" || len(legs[0].Response.Hits) != 2 || legs[1].Response.Hits[0].ID != "b" {
		t.Errorf("got %+v, %v", legs, err)
	}
}

func TestRefusesNonsense(t *testing.T) {
	leg := fuse.Leg{Name: "x", Retriever: list{}}
	for name, legs := range map[string][]fuse.Leg{"one": {leg}, "twice": {leg, leg}, "negative": {leg, {Name: "y", Retriever: list{}, Weight: -1}},
		"not a number": {leg, {Name: "y", Retriever: list{}, Weight: math.NaN()}}} {
		if _, err := fuse.New(legs, fuse.Config{}); !errors.Is(err, assay.ErrUsage) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
