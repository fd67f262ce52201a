package doctor

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/assay-eval/assay"
)

var repeats = Check{
	Name:   "repeats",
	Asks:   "does the same query give the same ranking twice?",
	Effect: "two runs of one unchanged system differ: a difference between two systems is only real when it is larger than this noise",
	Of:     "systems with a store",
	run: func(ctx context.Context, x *exam) error {
		return x.systems(ctx, live, one(x.repeats))
	},
}

// repeated is how many queries are sent twice.
const repeated = 5

func (x *exam) repeats(ctx context.Context, s *System) Finding {
	if s.Embed != nil && x.down[s.Embed.subject()] {
		return unchecked(fmt.Errorf("its model %s does not answer", s.Embed.Name))
	}
	queries := x.queries(ctx, s, repeated)
	if len(queries) == 0 {
		return unchecked(errors.New("there is no query to send: the test set is empty and the store lists no texts"))
	}
	moved, changed, overlap, empty := 0, 0, 0.0, 0
	example := ""
	for _, q := range queries {
		first, err := s.Whole.Search(ctx, assay.Request{Text: q.Text, Filter: q.Filter, K: s.K})
		if err != nil {
			return unchecked(err)
		}
		second, err := s.Whole.Search(ctx, assay.Request{Text: q.Text, Filter: q.Filter, K: s.K})
		if err != nil {
			return unchecked(err)
		}
		if len(first.Hits) == 0 {
			empty++
		}
		a, b := hitIDs(first.Hits), hitIDs(second.Hits)
		shared := common(a, b)
		overlap += shared
		switch {
		case slices.Equal(a, b):
			continue
		case shared < 1:
			changed++
		default:
			moved++
		}
		if example == "" {
			example = fmt.Sprintf(", first %q", q.Text)
		}
	}
	f := Finding{Status: OK, Found: fmt.Sprintf("%d queries, sent twice, have the same rankings", len(queries)),
		Figures: map[string]float64{"queries": float64(len(queries)), "changed": float64(changed), "reordered": float64(moved),
			"overlap": overlap / float64(len(queries))}}
	switch {
	case empty == len(queries):
		return Finding{Status: Fault, Cause: "nothing_found", Found: fmt.Sprintf("%d queries find nothing at all", empty), Effect: "every query scores 0",
			Fix: fmt.Sprintf("look at one: assay search %s %q", s.Name, queries[0].Text)}
	case changed > 0:
		f.Status, f.Cause = Fault, "other_hits"
		f.Found = fmt.Sprintf("%d of %d queries find other chunks the second time (%.0f %% the same)%s", changed, len(queries), 100*overlap/float64(len(queries)), example)
		f.Fix = "look for an index that is being built or written to, replicas that differ, a search parameter that is drawn at random, or a cache; else run each system several times and compare the spread"
	case moved > 0:
		f.Status, f.Cause = Warning, "other_order"
		f.Found = fmt.Sprintf("%d of %d queries find the same chunks in another order the second time%s", moved, len(queries), example)
		f.Fix = "have the system break ties by the chunk's key"
	}
	return f
}

// queries picks queries of the test set, or first sentences of chunks where there is none.
func (x *exam) queries(ctx context.Context, s *System, n int) []assay.Query {
	if set := x.setup.Testset; set != nil && len(set.Queries) > 0 {
		var out []assay.Query
		for _, i := range rand.New(rand.NewPCG(x.opts.Seed, 1)).Perm(len(set.Queries))[:min(n, len(set.Queries))] {
			out = append(out, set.Queries[i])
		}
		return out
	}
	l, err := x.list(ctx, s)
	if err != nil {
		return nil
	}
	var out []assay.Query
	for _, c := range l.sample(n, x.opts.Seed) {
		head, _ := firstSentence(c.Text)
		out = append(out, assay.Query{Text: head})
	}
	return out
}

func hitIDs(hits []assay.Hit) []string {
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = h.ID
	}
	return out
}

// common is the share of the longer list that both hold; 1 for two empty ones.
func common(a, b []string) float64 {
	if len(a) == 0 && len(b) == 0 {
		return 1
	}
	n := 0
	for _, id := range a {
		if slices.Contains(b, id) {
			n++
		}
	}
	return float64(n) / float64(max(len(a), len(b)))
}
