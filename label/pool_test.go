package label

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
)

func found(chunk, text string, judged bool) Found {
	return Found{Passage: Passage{Target: assay.Target{Chunk: chunk}, Text: text}, Judged: judged}
}

// twins takes texts for near-duplicates of which a function says the same.
type twins struct {
	of    func(text string) string
	added []string
}

func (t *twins) Add(text string) { t.added = append(t.added, t.of(text)) }

func (t *twins) Of(text string) (int, bool) {
	n := slices.Index(t.added, t.of(text))
	return n, n >= 0
}

func twinsBy(of func(text string) string) func() assay.Twins {
	return func() assay.Twins { return &twins{of: of} }
}

func ids(items []Item) []string {
	out := make([]string, len(items))
	for i := range items {
		out[i] = items[i].Query + " " + items[i].Passage.Text
	}
	return out
}

func TestPool(t *testing.T) {
	// "late" and "Late" are near-duplicates; the second ranking cuts at the depth of 2.
	p := NewPooler(PoolOptions{Depth: 2, Seed: 7, Twins: twinsBy(strings.ToLower)})
	p.Add("a", "q1", []Found{found("1", "early", false), found("2", "late", false), found("3", "too deep", false)})
	p.Add("b", "q1", []Found{found("2b", "Late", true), found("9", "", false)})
	p.Add("b", "q2", []Found{found("2", "late", false)})
	p.Add("b", "q3", nil)
	pool := p.Pool()
	if diff := cmp.Diff([]string{"q1 early", "q2 late"}, slices.Sorted(slices.Values(ids(pool.Items)))); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
	if len(pool.Judged) != 1 || len(pool.Judged[0].Twins) != 1 || pool.Size() != 3 {
		t.Errorf("judged: %+v; want the class of late, judged through its twin", pool.Judged)
	}
	want := []Source{{Name: "a", Queries: 1, Hits: 2, Judged: 0}, {Name: "b", Queries: 2, Hits: 3, Judged: 0.25, NoText: 1}}
	if diff := cmp.Diff(want, pool.Sources); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
}

// The pool does not depend on who found what, nor in which order it was added, and holds each class once.
func TestPoolProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type hit struct{ source, query, text int }
		hits := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) hit {
			return hit{rapid.IntRange(0, 3).Draw(t, "source"), rapid.IntRange(0, 3).Draw(t, "query"), rapid.IntRange(0, 9).Draw(t, "text")}
		}), 1, 60).Draw(t, "hits")
		seed := rapid.Uint64().Draw(t, "seed")
		build := func(order []hit, anonymous bool) *Pool {
			p := NewPooler(PoolOptions{Depth: 5, Seed: seed, Twins: twinsBy(func(text string) string {
				var n int
				if _, err := fmt.Sscanf(text, "text %d", &n); err != nil {
					t.Fatal(err)
				}
				return fmt.Sprint(n % 5) // texts 0 to 4 are twins of 5 to 9
			})})
			for _, h := range order {
				source := fmt.Sprint(h.source)
				if anonymous {
					source = "one"
				}
				p.Add(source, fmt.Sprint("q", h.query), []Found{found(fmt.Sprint("c", h.text), fmt.Sprint("text ", h.text), false)})
			}
			return p.Pool()
		}
		a := build(hits, false)
		mixed := slices.Clone(hits)
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		if diff := cmp.Diff(a.Items, build(mixed, true).Items); diff != "" {
			t.Fatalf("the order or the source shows:\n%s", diff)
		}
		want := map[[2]int]bool{}
		for _, h := range hits {
			want[[2]int{h.query, h.text % 5}] = true
		}
		seen, last := map[string]bool{}, ""
		for _, it := range a.Items {
			if it.Query != last && seen[it.Query] {
				t.Fatalf("the items of %s are not together: %v", it.Query, ids(a.Items))
			}
			seen[it.Query], last = true, it.Query
			for _, twin := range it.Twins {
				if twin.Text == it.Passage.Text && twin.Target == it.Passage.Target {
					t.Fatalf("%q is its own twin", twin.Text)
				}
			}
		}
		if len(a.Items) != len(want) {
			t.Fatalf("%d items for %d classes: %v", len(a.Items), len(want), ids(a.Items))
		}
		// Leaving items out keeps the order of the others: what is judged in between does not reshuffle the rest.
		kept := slices.DeleteFunc(slices.Clone(a.Items), func(it Item) bool { return strings.HasSuffix(it.Passage.Text, "1") })
		again := slices.Clone(kept)
		slices.Reverse(again)
		Shuffle(again, seed)
		if diff := cmp.Diff(ids(kept), ids(again)); diff != "" {
			t.Fatalf("another order without some:\n%s", diff)
		}
	})
}

// Another seed is another order, and an order is no function of the texts' alphabet.
func TestPoolOrder(t *testing.T) {
	var items []Item
	for i := range 200 {
		text := fmt.Sprintf("text %03d", i)
		items = append(items, Item{ID: ItemID("q", text), Query: "q", Passage: Passage{Text: text}})
	}
	a, b := slices.Clone(items), slices.Clone(items)
	Shuffle(a, 1)
	Shuffle(b, 2)
	if cmp.Equal(ids(a), ids(b)) || cmp.Equal(ids(a), ids(items)) {
		t.Error("the seed does not show in the order")
	}
	// The mean displacement of a random order of 200 is 200/3; an ordered one has 0.
	sum := 0.0
	for i := range a {
		sum += math.Abs(float64(i - slices.IndexFunc(items, func(it Item) bool { return it.ID == a[i].ID })))
	}
	if mean := sum / 200; mean < 55 || mean > 80 {
		t.Errorf("mean displacement %.1f, want about 67", mean)
	}
}
