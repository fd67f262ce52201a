package testset

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
)

func TestVoicesAndWhere(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(s), 0).UTC() }
	place := assay.Target{Chunk: "c1", Document: "d", Version: "v", Start: 0, End: 4, Quote: "text"}
	grade := func(target assay.Target, by assay.Rater, who string, g, s int) assay.Label {
		return assay.Label{Query: "q", Target: target, Event: assay.EventGrade, Grade: g, By: by, Who: who, Time: at(s)}
	}
	set, err := New([]assay.Query{{ID: "q", Text: "?"}}, []assay.Label{
		grade(assay.Target{Chunk: "c1"}, assay.ByHuman, "ann", 0, 1),
		grade(place, assay.ByHuman, "ann", 3, 2),
		grade(place, assay.ByHuman, "bob", 1, 3),
		grade(place, assay.ByJudge, "model", 2, 4),
		grade(assay.Target{Chunk: "c2"}, assay.ByHuman, "bob", 2, 5),
		{Query: "q", Target: assay.Target{Chunk: "c2"}, Event: assay.EventUndo, By: assay.ByHuman, Who: "bob", Time: at(6)},
	})
	if err != nil {
		t.Fatal(err)
	}
	said := func(labels []assay.Label) (out []string) {
		for _, l := range labels {
			out = append(out, l.Who+" "+Key(&l.Target)+" "+string(rune('0'+l.Grade)))
		}
		return out
	}
	key := Key(&place)
	if diff := cmp.Diff([]string{"model " + key + " 2", "ann " + key + " 3", "bob " + key + " 1"}, said(set.Voices("q"))); diff != "" {
		t.Errorf("voices (-want +got):\n%s", diff)
	}
	people := set.Only(assay.ByHuman)
	if got := people.Labels("q"); len(got) != 1 || got[0].Grade != 1 || got[0].Who != "bob" {
		t.Errorf("people say %+v, want the lower median, bob's 1", got)
	}
	if judges := set.Only(assay.ByJudge).Labels("q"); len(judges) != 1 || judges[0].Grade != 2 {
		t.Errorf("judges say %+v", judges)
	}
	if len(set.Events("q")) != 6 || people.Dir() != "" {
		t.Error("the set itself has changed, or the view has a folder")
	}
}
