package gate_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/gate"
)

func TestRulesBeyondTheHitsAreRefused(t *testing.T) {
	for _, c := range []struct {
		rule                string
		candidate, baseline int // k; -1 for no baseline
		want                string
	}{
		{"recall@10 >= 0.8", 10, 10, ""},
		{"recall@100 >= 0.8", 10, 100, ""}, // the same of a bound
		{"recall@100 >= 0.8", 100, 10, ""},
		{"recall@100 >= 0.8", 10, 10, `a.yaml:3: rule "recall@100 >= 0.8" looks at 100 ranks, and run c was asked for 10 hits`},
		{"recall@5 >= 0.8", 1, -1, "run c was asked for 1 hit"},
		{"recall@100 drop < 0.02", 100, 10, "the baseline b was asked for 10 hits"},
		{"recall@100 drop < 0.02", 50, 10, "the baseline b was asked for 10 hits"},
		{"recall@100 drop < 0.02", 10, 10, ""},  // a drop of recall@10, and a warning says so
		{"recall@100 drop < 0.02", 10, 100, ""}, // asked for less than before: what is lost is lost
		{"recall@100 drop < 0.02", 10, -1, ""},  // that there is no baseline is said elsewhere
		{"recall@100 >= 0.8", 0, 0, ""},         // a file of rankings does not say
		{"mrr >= 0.8", 5, 5, ""},
		{"span_recall@2000tok >= 0.8", 5, 5, ""},
		{"span_recall@20 >= 0.8", 5, 5, "looks at 20 ranks"},
		{"latency_p95_ms < 400", 1, 1, ""},
	} {
		rule, err := gate.Parse(c.rule)
		if err != nil {
			t.Fatal(err)
		}
		rule.Where = "a.yaml:3"
		var base *compare.SideInfo
		if c.baseline >= 0 {
			base = &compare.SideInfo{Run: "b", System: "docs", K: c.baseline}
		}
		err = gate.CheckDepth([]gate.Rule{rule}, &compare.SideInfo{Run: "c", System: "docs", K: c.candidate}, base)
		if (err != nil) != (c.want != "") || err != nil && (!strings.Contains(err.Error(), c.want) || !errors.Is(err, assay.ErrUsage) || !strings.Contains(assay.Hint(err), "systems.docs.k: ")) {
			t.Errorf("%s with k %d and %d: %v (%s)", c.rule, c.candidate, c.baseline, err, assay.Hint(err))
		}
	}
}
