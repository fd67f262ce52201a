package measure

import (
	"errors"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
)

func TestCanonicalSpelling(t *testing.T) {
	for in, want := range map[string]string{
		// ours
		"recall@10": "recall@10", "ndcg@10": "ndcg@10", "mrr@10": "mrr@10", "p@5": "p@5", "success@1": "success@1",
		"map": "map", "span_recall@2000tok": "span_recall@2000tok", "span_iou@5": "span_iou@5", "span_iou": "span_iou",
		"p(rel=2)@5": "p(rel=2)@5", "rbp(p=0.9)": "rbp", "rbp( p = 0.50 )@10": "rbp(p=0.5)@10", " map ": "map",
		"ndcg(2=9,1=3)": "ndcg(1=3,2=9)", "ndcg_exp@10": "ndcg_exp@10", "err(max=4)@20": "err(max=4)@20",
		"11pt_avg(at=0.25/.5)": "11pt_avg(at=0.25/0.5)", "iprec@0.10": "iprec@0.1", "utility(b=-2)": "utility(b=-2)",
		// trec_eval's option
		"ndcg_cut.10": "ndcg@10", "P.5": "p@5", "map_cut.100": "map@100", "recip_rank": "mrr", "Rprec": "rprec",
		"set_F.0.5": "set_f(x=0.5)", "iprec_at_recall..10": "iprec@0.1", "Rprec_mult.0.2": "rprec_mult@0.2",
		"ndcg.1=3,2=9,4=4.5": "ndcg(1=3,2=9,4=4.5)", "utility.2,-1,0,0": "utility(a=2)", "11pt_avg..25,.5,.75": "11pt_avg(at=0.25/0.5/0.75)",
		"rbp.p=0.5": "rbp(p=0.5)", "infAP": "infap", "binG": "bing", "G": "g",
		// what trec_eval prints
		"ndcg_cut_10": "ndcg@10", "P_5": "p@5", "recall_100": "recall@100", "iprec_at_recall_0.10": "iprec@0.1",
		"set_F_0.5": "set_f(x=0.5)", "Rprec_mult_0.20": "rprec_mult@0.2", "relative_P_5": "relative_p@5", "11pt_avg": "11pt_avg",
		"num_rel_ret": "num_rel_ret",
		// ir_measures
		"nDCG@10": "ndcg@10", "AP": "map", "AP(rel=2)@100": "map(rel=2)@100", "RR@10": "mrr@10", "R@1000": "recall@1000",
		"nDCG(dcg='exp-log2')@20": "ndcg_exp@20", "nDCG(dcg='log2')@20": "ndcg@20", "Success@5": "success@5", "Judged@10": "judged@10",
		"IPrec@0.1": "iprec@0.1", "SetF": "set_f", "NumRelRet": "num_rel_ret", "P(cutoff=5,rel=2)": "p(rel=2)@5",
		// MTEB, BEIR, ranx
		"ndcg_at_10": "ndcg@10", "mrr_at_10": "mrr@10", "NDCG@10": "ndcg@10", "R_cap@10": "relative_p@10", "hit_rate@5": "success@5",
		"hit-rate@5": "success@5", "precision@5": "p@5", "f1@3": "f1@3", "r-precision": "rprec",
	} {
		got, err := Canonical(in)
		if err != nil || got != want {
			t.Errorf("Canonical(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "empty",
		"recall":                      "needs a cutoff",
		"recall@0":                    "must be at least 1",
		"p@-3":                        "must be at least 1",
		"P.0":                         "must be at least 1",
		"recall@x":                    "not a whole number",
		"recall@1.5":                  "not a whole number",
		"recall@+5":                   "not a whole number",
		"ndcg@10tok":                  "not a whole number",
		"recall@99999999999":          "larger than",
		"recall@99999999999999999999": "not a whole number",
		"bpref@10":                    "takes no cutoff",
		"ndcg_cut":                    "needs a cutoff",
		"iprec":                       "needs a cutoff",
		"iprec@1.5":                   "out of range",
		"iprec@nan":                   "not a number",
		"P.5,10":                      "names 2 measures",
		"ndcg(rel=2)":                 "no parameter",
		"rbp(p=2)":                    "must be from 0 to 1",
		"ndcg(1=3)@10":                "cannot be combined",
		"ndcg(1=-3)":                  "not negative",
		"recall(rel=2@10":             "not closed",
		"recall(rel=2)x@10":           "after the parenthesis",
		"recall(rel)@10":              "not key=value",
		"nope@10":                     "unknown measure",
		"set_F.1,2":                   "too many parameters",
	} {
		_, err := Parse(in)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): %v, want an error with %q", in, err, want)
		} else if !errors.Is(err, assay.ErrUsage) {
			t.Errorf("Parse(%q): %v is not a usage error", in, err)
		}
	}
}

func TestNearestName(t *testing.T) {
	for in, want := range map[string]string{"ngcd@10": "ndcg@10", "recal@5": "recall@5", "precsion@5": "p@5", "succes.1": "success.1"} {
		_, err := Parse(in)
		if hint := assay.Hint(err); !strings.Contains(hint, "did you mean "+want+"?") {
			t.Errorf("Parse(%q): hint %q, want %s", in, hint, want)
		}
	}
	if got := Nearest("xylophone"); got != "" {
		t.Errorf("Nearest(xylophone) = %q", got)
	}
}

func TestParseList(t *testing.T) {
	got, err := ParseList("recall@10,R@10,map", "P.5,10", "ndcg.1=3,2=9", "p(rel=2)@5")
	if err != nil {
		t.Fatal(err)
	}
	set, err := NewSet(got...)
	if err != nil {
		t.Fatal(err)
	}
	if names := strings.Join(set.Names(), " "); names != "recall@10 map p@5 p@10 ndcg(1=3,2=9) p(rel=2)@5" {
		t.Errorf("got %s", names)
	}
}
