package doctor

import (
	"context"
	"fmt"
	"slices"
)

var reranking = Check{
	Name:   "rerank",
	Asks:   "does the reranker put an obvious answer before what has nothing to do with the question?",
	Effect: "the last stage undoes what the search found: rankings are near random, and worse than without it",
	Of:     "rerank models",
	run: func(ctx context.Context, x *exam) error {
		return x.models(ctx, Reranks, x.reranking)
	},
}

// obvious are questions whose answer nobody could miss, each with its answer first.
var obvious = []struct {
	query string
	texts [3]string
}{
	{"What is the capital of France?", [3]string{"Paris is the capital of France.", "Bananas are a good source of potassium.", "The bolts are tightened crosswise."}},
	{"How long does it take to boil an egg?", [3]string{"An egg takes about seven minutes to boil.", "The treaty was signed in 1648.", "Glaciers move a few metres a year."}},
}

func (x *exam) reranking(ctx context.Context, m *Model) Finding {
	right, total := 0, 0
	ask := func(query string, answer string, others []string) error {
		// The answer comes last: a server that returns the order it was given must not look right.
		scores, err := m.Reranker.Rerank(ctx, query, append(slices.Clone(others), answer))
		if err != nil {
			return err
		}
		total++
		if last := len(scores) - 1; slices.Max(scores[:last]) < scores[last] {
			right++
		}
		return nil
	}
	for _, o := range obvious {
		if err := ask(o.query, o.texts[0], o.texts[1:]); err != nil {
			return unchecked(err)
		}
	}
	f := Finding{Status: OK, Found: fmt.Sprintf("%d of %d obvious answers come first", right, total)}
	if right < total {
		f.Status, f.Cause = Fault, "no_order"
		f.Fix = fmt.Sprintf("see that %s is a rerank model and is served as one (llama.cpp: --reranking; Qwen3-Reranker needs its template), or take rerank: out", m.Served)
	}
	own, ownRight := 0, right
	if s := x.uses(m); s != nil && f.Status == OK {
		if p, err := x.pairs(ctx, s); err == nil && p.labelled {
			all := p.passages()
			for i, q := range p.pairs {
				before := total
				if err := ask(q.query, q.passage, []string{all[(i+1)%len(all)], all[(i+2)%len(all)]}); err != nil {
					return unchecked(err)
				}
				own += total - before
			}
			ownRight = right - ownRight
			f.Found += fmt.Sprintf(", and %d of %d labelled passages before two others", ownRight, own)
			if 2*ownRight < own {
				f.Status, f.Cause = Warning, "below_chance"
				f.Fix = "measure the system once without rerank: before you trust it: `assay run`, then `assay history`"
			}
		}
	}
	f.Figures = map[string]float64{"obvious": float64(len(obvious)), "labelled": float64(own), "right": float64(right)}
	return f
}
