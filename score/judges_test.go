package score_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/testset"
)

// Numbers that rest on a judge without a card say so, whatever share of the labels is the judge's; a person's word on the same
// passage takes the judge out of them.
func TestUncalibratedJudge(t *testing.T) {
	label := func(query string, by assay.Rater, who string) assay.Label {
		return assay.Label{Query: query, Target: assay.Target{Chunk: "c"}, Event: assay.EventGrade, Grade: 3, By: by, Who: who}
	}
	doubts := func(who string) string {
		if who == "measured" {
			return ""
		}
		return "it was never measured against people"
	}
	for _, tc := range []struct {
		name   string
		labels []assay.Label
		judges func(string) string
		want   string // part of the warning; "" for none
	}{
		{"people only", []assay.Label{label("q1", assay.ByHuman, "ann")}, doubts, ""},
		{"measured", []assay.Label{label("q1", assay.ByJudge, "measured")}, doubts, ""},
		{"not measured", []assay.Label{label("q1", assay.ByJudge, "fresh")}, doubts,
			"labels of the judge fresh (1 query), which is not calibrated: it was never measured against people; it passes no gate"},
		{"one of two queries", []assay.Label{label("q1", assay.ByHuman, "ann"), label("q2", assay.ByJudge, "fresh")}, doubts, "judge fresh (1 query)"},
		{"outvoted by a person", []assay.Label{label("q1", assay.ByJudge, "fresh"), label("q1", assay.ByHuman, "ann")}, doubts, ""},
		{"nobody looked", []assay.Label{label("q1", assay.ByJudge, "measured")}, nil, "no judge cards were looked at"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set, err := testset.New([]assay.Query{{ID: "q1", Text: "?"}, {ID: "q2", Text: "??"}}, tc.labels)
			if err != nil {
				t.Fatal(err)
			}
			hits := []assay.RankedHit{{ID: "c", Score: 1}}
			s, err := score.Score(set, stream(assay.Result{Query: "q1", Hits: hits}, assay.Result{Query: "q2", Hits: hits}), nil,
				measures(t, "recall@1"), score.Options{Judges: tc.judges})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, w := range s.Warnings {
				if w.Code == assay.WarnUncalibratedJudge {
					got = w.Text
				}
			}
			if s.Uncalibrated != (tc.want != "") || tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
				t.Errorf("uncalibrated %v, warning %q, want %q", s.Uncalibrated, got, tc.want)
			}
		})
	}
}
