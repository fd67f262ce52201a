package gate_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"recall@10 drop < 0.02":         "recall@10 drop < 0.02",
		"recall@10 drop<.02":            "recall@10 drop < 0.02",
		"  R@10   drop   <=  2e-2 ":     "recall@10 drop <= 0.02",
		"ndcg_cut.10 >= 0.80":           "ndcg@10 >= 0.8",
		"mrr@10>0.5":                    "mrr@10 > 0.5",
		"latency_p95_ms < 400":          "latency_p95_ms < 400",
		"total_p95_ms < 0.4s":           "latency_p95_ms < 400",
		"latency_p95_ms < 400 ms":       "latency_p95_ms < 400",
		"search_p99.9_ms <= 50ms":       "search_p99.9_ms <= 50",
		"latency_p95_ms rise < 20%":     "latency_p95_ms rise < 20%",
		"rerank_p50_ms rise < 12.5 %":   "rerank_p50_ms rise < 12.5%",
		"latency_p50_ms rise < 30":      "latency_p50_ms rise < 30",
		"p(rel=2)@5 >= 0.1":             "p(rel=2)@5 >= 0.1",
		"span_recall@10 drop < 0.29999": "span_recall@10 drop < 0.29999",
	} {
		r, err := gate.Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if r.String() != want {
			t.Errorf("%q reads as %q, want %q", text, r.String(), want)
		}
		if again, err := gate.Parse(r.String()); err != nil || again.String() != want {
			t.Errorf("%q: its own spelling %q reads as %q (%v)", text, want, again.String(), err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "has no <",
		"recall@10":                     "has no <",
		"recall@10 = 0.8":               "has no <",
		"recall@10 >= ":                 "is not a number",
		"recall@10 >= nan":              "is not a number",
		"recall@10 >= -0.1":             "is not a number",
		"recall@10 >= 0.8 0.9":          "is not a number",
		"recall@10 >= 1e999":            "is not a number that can be compared with",
		"recal@10 >= 0.8":               "recall",
		"recall@0 >= 0.8":               "recall",
		"recall@10 ndcg@10 >= 0.8":      "wants one measure",
		">= 0.8":                        "wants one measure",
		"drop < 0.1":                    "drop",
		"recall@10 drop > 0.02":         "kept below a margin",
		"recall@10 rise < 0.02":         "write recall@10 drop instead of rise",
		"latency_p95_ms drop < 5":       "write latency_p95_ms rise instead of drop",
		"recall@10 <= 0.8":              "write >= instead of <=",
		"recall@10 >= 80":               "did you mean 0.8?",
		"recall@10 >= 0":                "holds for every run",
		"recall@10 >= 1":                "leave room",
		"recall@10 drop < 0":            "noise alone",
		"recall@10 drop < 1":            "no drop of recall@10 reaches 1",
		"recall@10 drop < 2%":           "write 0.02 instead of 2%",
		"recall@10 >= 80%":              "write 0.8 instead of 80%",
		"recall@10 drop < 20ms":         "has no unit",
		"latency_p95_ms > 400":          "write < instead of >",
		"latency_p95_ms < 0":            "can never be kept",
		"latency_p95_ms < 20%":          "write 0.2 instead of 20%",
		"latency_p0_ms < 20":            "p0 is no percentile",
		"latency_p100_ms < 20":          "p100 is no percentile",
		"num_ret >= 5":                  "neither good nor bad",
		"gm_map drop < 0.1":             "geometric mean",
		"latency_p95_ms rise < 20 %  x": "is not a number",
	} {
		_, err := gate.Parse(text)
		if err == nil || !errors.Is(err, assay.ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error of usage with %q", text, err, want)
		}
	}
}

func TestParseAllRefusesTheSameRuleTwice(t *testing.T) {
	_, err := gate.ParseAll([]gate.Line{{Text: "recall@10 >= 0.8"}, {Text: "recall_10 >= .80"}})
	if err == nil || !strings.Contains(err.Error(), "given twice") {
		t.Errorf("%v", err)
	}
	rules, err := gate.ParseAll([]gate.Line{{Text: "recall@10 >= 0.8", Where: "assay.yaml:3"}, {Text: "recall@10 drop < 0.8"}})
	if err != nil || len(rules) != 2 || rules[0].Where != "assay.yaml:3" {
		t.Errorf("%v %v", rules, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"recall@10 drop < 0.02", "latency_p95_ms rise < 20%", "x<", "p(rel=2)@5>=1e-3", "<>=", "search_p99.9_ms <= 0.5s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := gate.Parse(text)
		if err != nil {
			return
		}
		again, err := gate.Parse(r.String())
		if err != nil || again.String() != r.String() {
			t.Errorf("%q reads as %q, which reads as %q (%v)", text, r.String(), again.String(), err)
		}
	})
}
