package label

import (
	"fmt"
	"testing"

	"github.com/assay-eval/assay"
)

func TestNext(t *testing.T) {
	other := Rater{assay.ByJudge, "other"}
	item := func(r Rater, name string, grade int, p ...float64) Rating {
		return Rating{Rater: r, Query: "q", Item: name, Grade: grade, P: p}
	}
	got := Next([]Rating{
		item(model, "sure no", 0, 0.99, 0.01, 0, 0),
		item(model, "unsure no", 0, 0.3, 0.25, 0.25, 0.2),
		item(model, "sure yes", 3, 0, 0, 0.1, 0.9),
		item(model, "unsure yes", 2, 0.2, 0.25, 0.35, 0.2),
		item(model, "disputed", 3), item(other, "disputed", 1),
		item(model, "denies the source", 0), item(Rater{assay.BySynthetic, "w"}, "denies the source", 3),
		item(model, "graded", 3), item(ann, "graded", 0),
		item(Rater{assay.BySynthetic, "w"}, "never judged", 3),
	}, 10, 1)
	// The third and the sixth are drawn by the hash.
	want := []string{"denies the source", "disputed", "sure yes", "unsure yes", "unsure no", "sure no"}
	for i, c := range got {
		if i >= len(want) || c.Item != want[i] {
			t.Fatalf("%d: %+v, want %v", i, got, want)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d proposals, want %d", len(got), len(want))
	}
}

// Among many positives some others are proposed too, so that weights can be had.
func TestNextLooksAtTheRest(t *testing.T) {
	var ratings []Rating
	for i := range 200 {
		ratings = append(ratings, Rating{Rater: model, Query: "q", Item: fmt.Sprint(i), Grade: 3 * (i % 2)})
	}
	negatives := 0
	for _, c := range Next(ratings, 90, 1) {
		if c.Value < 1 {
			negatives++
		}
	}
	if negatives < 9 || negatives > 30 {
		t.Errorf("%d negatives among 90 proposals, want half of 30 or so", negatives)
	}
}
