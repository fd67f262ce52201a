package measure_test

import (
	"math"
	"testing"

	"github.com/assay-eval/assay/measure"
)

// TestTwoAnswersInOneHit: a chunk that holds two of three answers has found two thirds of them, and still
// is one relevant hit.
func TestTwoAnswersInOneHit(t *testing.T) {
	topic := &measure.Topic{Ranked: []float64{measure.NotJudged, 3}, Gold: []float64{3, 2, 3, 0},
		Also: []measure.Extra{{Rank: 1, Grade: 2}, {Rank: 1, Grade: 0}}, Level: 2}
	for name, want := range map[string]float64{
		"recall@1": 0, "recall@2": 2.0 / 3, "recall(rel=3)@2": 1.0 / 2, "set_recall": 2.0 / 3,
		"p@2": 0.5, "f1@2": 2 * 0.5 * (2.0 / 3) / (0.5 + 2.0/3), "set_p": 0.5, "mrr": 0.5, "success@2": 1, "map": 0.5 / 3,
	} {
		if got, ok := measure.MustParse(name).Value(topic); !ok || math.Abs(got-want) > 1e-15 {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	if c, _ := measure.Ceiling(measure.MustParse("recall@10"), topic); c != 1 {
		t.Errorf("the ideal ranking counts items twice: recall@10 %v", c)
	}
}

// TestRepeatsBeforeAnItem: repeats have grade 0, and nothing may be divided by the irrelevant labels that
// are not there.
func TestRepeatsBeforeAnItem(t *testing.T) {
	for _, gold := range [][]float64{{3, 3}, {3, 3, 0}} {
		topic := &measure.Topic{Ranked: []float64{3, 0, 0, 3}, Gold: gold, Level: 2}
		got, ok := measure.MustParse("bpref").Value(topic)
		if want := 1 - float64(len(gold)-2)/2; !ok || got != want {
			t.Errorf("gold %v: bpref %v, want %v", gold, got, want)
		}
	}
}
