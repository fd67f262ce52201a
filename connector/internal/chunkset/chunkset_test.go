package chunkset_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/internal/chunkset"
	"github.com/google/go-cmp/cmp"
)

func TestSet(t *testing.T) {
	set, from, err := chunkset.New("test", []assay.Chunk{{ID: "b"}, {ID: "a"}, {ID: "é"}, {ID: "B"}})
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for i := range set.Len() {
		order = append(order, set.Chunk(i).ID)
		if at, ok := set.Find(set.Chunk(i).ID); !ok || at != i {
			t.Errorf("Find(%q) = %d, %v; want %d", set.Chunk(i).ID, at, ok, i)
		}
	}
	if d := cmp.Diff([]string{"é", "b", "a", "B"}, order); d != "" {
		t.Errorf("not by descending bytes of the id:\n%s", d)
	}
	if d := cmp.Diff([]int{2, 0, 1, 3}, from); d != "" {
		t.Error(d)
	}
	if _, ok := set.Find("c"); ok {
		t.Error("found a chunk that is not there")
	}
}

func TestFilters(t *testing.T) {
	native := assay.Filter{Native: []byte(`{"must":[]}`)}
	leaf := assay.Filter{Field: "a", Eq: "x"}
	for name, tc := range map[string]struct {
		filter *assay.Filter
		ok     bool
	}{
		"none":            {nil, true},
		"leaf":            {&leaf, true},
		"native":          {&native, false},
		"native under or": {&assay.Filter{Or: []assay.Filter{leaf, native}}, false},
		"native negated":  {&assay.Filter{Not: &assay.Filter{And: []assay.Filter{native}}}, false},
		"no operator":     {&assay.Filter{Field: "a"}, false},
	} {
		err := chunkset.CheckFilter("test", tc.filter)
		if tc.ok != (err == nil) || !tc.ok && assay.KindOf(err) != assay.KindInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := chunkset.CheckFilter("test", &native); !strings.Contains(assay.Hint(err), "neutral form") {
		t.Errorf("hint %q", assay.Hint(err))
	}
}

func TestBatches(t *testing.T) {
	boom := errors.New("boom")
	stream := func(n int, last error) func(func(assay.Chunk, error) bool) {
		return func(yield func(assay.Chunk, error) bool) {
			for range n {
				if !yield(assay.Chunk{ID: "x"}, nil) {
					return
				}
			}
			if last != nil {
				yield(assay.Chunk{}, last)
			}
		}
	}
	var sizes, firsts []int
	take := func(first int, batch []assay.Chunk) error {
		firsts, sizes = append(firsts, first), append(sizes, len(batch))
		return nil
	}
	if err := chunkset.Batches(context.Background(), stream(7, nil), 3, take); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([][]int{{3, 3, 1}, {0, 3, 6}}, [][]int{sizes, firsts}); d != "" {
		t.Error(d)
	}
	if err := chunkset.Batches(context.Background(), stream(4, boom), 3, take); !errors.Is(err, boom) {
		t.Errorf("got %v", err)
	}
	failing := func(int, []assay.Chunk) error { return boom }
	if err := chunkset.Batches(context.Background(), stream(4, nil), 3, failing); !errors.Is(err, boom) {
		t.Errorf("got %v", err)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := chunkset.Batches(canceled, stream(3, nil), 3, take); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
