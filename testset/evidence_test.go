package testset_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/testset"
)

// A rater judges the whole passage and may mark the words in it that answer. Raters so meet on one target, and the label
// that counts is still tied to the words.
func TestEvidenceNarrowsWhatCounts(t *testing.T) {
	passage := assay.Target{Chunk: "c", Document: "d", Version: "v", Start: 100, End: 200, TextHash: "h"}
	words := &assay.Anchor{Document: "d", Version: "v", Start: 120, End: 130, Quote: "0123456789", Before: "<", After: ">"}
	narrow := assay.Target{Chunk: "c", Document: "d", Version: "v", Start: 120, End: 130, Quote: "0123456789", Before: "<", After: ">", TextHash: "h"}
	grade := func(who string, g assay.Grade, e *assay.Anchor) assay.Label {
		return assay.Label{Query: "q", Target: passage, Event: assay.EventGrade, Grade: g, By: assay.ByHuman, Who: who, Evidence: e, Time: noon}
	}
	for _, tc := range []struct {
		name   string
		events []assay.Label
		grade  assay.Grade
		want   assay.Target
	}{
		{"marked", []assay.Label{grade("a", 3, words)}, 3, narrow},
		{"not marked", []assay.Label{grade("a", 3, nil)}, 3, passage},
		{"marked by the other one", []assay.Label{grade("a", 2, nil), grade("b", 3, words)}, 2, narrow},
		{"marked by one who was outvoted", []assay.Label{grade("a", 0, nil), grade("b", 3, words)}, 0, passage},
		{"marked though not relevant", []assay.Label{grade("a", 1, words)}, 1, passage},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set, err := testset.New([]assay.Query{{ID: "q", Text: "?"}}, tc.events)
			if err != nil {
				t.Fatal(err)
			}
			labels := set.Labels("q")
			if len(labels) != 1 || labels[0].Grade != tc.grade {
				t.Fatalf("labels %+v, want one of grade %d", labels, tc.grade)
			}
			if diff := cmp.Diff(tc.want, labels[0].Target); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEvidenceIsChecked(t *testing.T) {
	good := assay.Label{Query: "q", By: assay.ByHuman, Event: assay.EventGrade, Grade: 3,
		Target:   assay.Target{Document: "d", Version: "v", Start: 10, End: 30},
		Evidence: &assay.Anchor{Document: "d", Version: "v", Start: 12, End: 16, Quote: "💩"}}
	for _, tc := range []struct {
		name string
		edit func(*assay.Label)
		want string
	}{
		{"sound", func(*assay.Label) {}, ""},
		{"on a skip", func(l *assay.Label) { l.Event = assay.EventSkip }, "only a grade has evidence"},
		{"blank", func(l *assay.Label) { l.Evidence.Quote = " \n" }, "without a quote"},
		{"another document", func(l *assay.Label) { l.Evidence.Document = "e" }, `stands in "e"`},
		{"another version", func(l *assay.Label) { l.Evidence.Version = "w" }, "stands in"},
		{"outside", func(l *assay.Label) { l.Evidence.Start, l.Evidence.End = 28, 32 }, "outside the target at 10-30"},
		{"characters for bytes", func(l *assay.Label) { l.Evidence.End = 13 }, "offsets count bytes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l, e := good, *good.Evidence
			l.Evidence = &e
			tc.edit(&l)
			_, err := testset.New([]assay.Query{{ID: "q", Text: "?"}}, []assay.Label{l})
			switch {
			case tc.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)):
				t.Errorf("error %v, want %q", err, tc.want)
			}
		})
	}
}
