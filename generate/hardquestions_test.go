package generate_test

import (
	"testing"

	"github.com/assay-eval/assay"
)

// TestHardQuestions measures the same rules on a second list, written to be hard: 80 bad questions and 72 good ones about twelve
// more texts (operations, law, medicine, wages, interfaces, cooking), English and German half and half. Half of the bad ones lean on
// something that was never named in ways that a list of phrases does not see. Every other question of a kind and language was put aside
// before the rules were changed, and its mistakes are not shown. What is reached is far from what the first list shows, and
// docs/generate.md says so; the test holds it from falling.
func TestHardQuestions(t *testing.T) {
	sources := map[string]assay.Chunk{}
	for _, p := range lines[passage](t, "passages.jsonl") {
		sources[p.ID] = assay.Chunk{ID: p.ID, Text: p.Text}
	}
	for half, least := range map[string]struct{ refused, lost int }{"tuning": {36, 2}, "heldout": {13, 2}} {
		var bad, refused, good, lost int
		kinds := map[string][2]int{}
		for _, q := range lines[listed](t, "hard-"+half+".jsonl") {
			rule, why := judge(t, sources[q.Source], q.Text)
			n := kinds[q.Kind]
			n[1]++
			if q.Kind == "good" {
				good++
			} else {
				bad++
			}
			if rule != "" {
				n[0]++
				if q.Kind == "good" {
					lost++
				} else {
					refused++
				}
			}
			kinds[q.Kind] = n
			if wrong := (q.Kind == "good") != (rule == ""); wrong && half == "tuning" {
				t.Logf("%s: %q: %s %s", q.Kind, q.Text, rule, why)
			}
		}
		t.Logf("%s: %d of %d bad refused, %d of %d good; refused of each kind: %v", half, refused, bad, lost, good, kinds)
		if bad+good < 70 || refused < least.refused || lost > least.lost {
			t.Errorf("%s: %d of %d bad refused, %d of %d good lost; it was %+v", half, refused, bad, lost, good, least)
		}
	}
}
