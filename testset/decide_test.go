package testset_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/testset"
)

var noon = time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC)

// event reads a label from a short form: "human/ann grade 3", at the given minute.
func event(t *testing.T, minute int, chunk, text string) assay.Label {
	t.Helper()
	fields := strings.Fields(text)
	by, who, _ := strings.Cut(fields[0], "/")
	l := assay.Label{Query: "q", Target: assay.Target{Chunk: chunk}, By: assay.Rater(by), Who: who,
		Event: assay.Event(fields[1]), Time: noon.Add(time.Duration(minute) * time.Minute)}
	if len(fields) > 2 {
		if _, err := fmt.Sscan(fields[2], &l.Grade); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func TestWhichLabelCounts(t *testing.T) {
	for _, tc := range []struct {
		name   string
		events []string // all on chunk c, a minute apart
		want   string
	}{
		{"nothing", nil, "none"},
		{"synthetic alone", []string{"synthetic/m grade 3"}, "3 by synthetic/m"},
		{"judge over synthetic", []string{"judge/j grade 1", "synthetic/m grade 3"}, "1 by judge/j"},
		{"human over judge, whatever the order", []string{"human/a grade 0", "judge/j grade 3"}, "0 by human/a"},
		{"median of three", []string{"human/a grade 3", "human/b grade 0", "human/c grade 2"}, "2 by human/c"},
		{"lower on a tie", []string{"human/a grade 3", "human/b grade 1"}, "1 by human/b"},
		{"adjudication settles", []string{"human/a grade 3", "human/b grade 3", "human/adjudicated grade 1", "human/c grade 3"}, "1 by human/adjudicated"},
		{"a judge called adjudicated does not", []string{"judge/adjudicated grade 1", "human/c grade 3"}, "3 by human/c"},
		{"later replaces earlier of one rater", []string{"human/a grade 3", "human/a grade 1"}, "1 by human/a"},
		{"but not of another", []string{"human/a grade 3", "human/b grade 3", "human/b grade 0", "human/c grade 3"}, "3 by human/a"},
		{"but not of the same name as judge", []string{"judge/x grade 3", "human/x grade 1", "judge/x grade 0"}, "1 by human/x"},
		{"undo brings the earlier word back", []string{"human/a grade 2", "human/a grade 3", "human/a undo"}, "2 by human/a"},
		{"undo of the only word", []string{"synthetic/m grade 3", "human/a grade 0", "human/a undo"}, "3 by synthetic/m"},
		{"undo twice", []string{"human/a grade 2", "human/a grade 3", "human/a undo", "human/a undo"}, "none"},
		{"undo too often", []string{"human/a undo", "human/a undo", "human/a grade 2"}, "2 by human/a"},
		{"undo is one's own", []string{"human/a grade 2", "human/b undo"}, "2 by human/a"},
		{"unsure is no opinion", []string{"synthetic/m grade 3", "human/a unsure"}, "3 by synthetic/m"},
		{"unsure takes a grade back", []string{"human/a grade 3", "human/a unsure"}, "none"},
		{"skip is no opinion", []string{"judge/j grade 2", "human/a skip", "human/b grade 1"}, "1 by human/b"},
		{"broken text is no gold", []string{"synthetic/m grade 3", "human/a broken_text"}, "broken"},
		{"broken text outvoted", []string{"human/a broken_text", "human/b grade 3", "human/c grade 2"}, "2 by human/c"},
		{"broken text on a tie", []string{"human/a broken_text", "human/b grade 3"}, "broken"},
		{"adjudicated as broken", []string{"human/a grade 3", "human/b grade 3", "human/adjudicated broken_text"}, "broken"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var events []assay.Label
			for i, e := range tc.events {
				events = append(events, event(t, i, "c", e))
			}
			set, err := testset.New([]assay.Query{{ID: "q", Text: "?"}}, events)
			if err != nil {
				t.Fatal(err)
			}
			got := "none"
			if labels := set.Labels("q"); len(labels) == 1 {
				got = fmt.Sprintf("%d by %s/%s", labels[0].Grade, labels[0].By, labels[0].Who)
			} else if len(set.Verdict("q").Broken) == 1 {
				got = "broken"
			}
			if got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestBadQuery(t *testing.T) {
	for _, tc := range []struct {
		name   string
		events []string // on chunks c0, c1, …
		want   bool
	}{
		{"nobody", []string{"human/a grade 3"}, false},
		{"one rater, after grading", []string{"human/a grade 3", "human/a bad_query"}, true},
		{"half of two", []string{"human/a bad_query", "human/b grade 3"}, true},
		{"one of three", []string{"human/a bad_query", "human/b grade 3", "human/c grade 0"}, false},
		{"people outvote a judge", []string{"judge/j bad_query", "human/a grade 1"}, false},
		{"a judge alone", []string{"judge/j bad_query", "synthetic/m grade 3"}, true},
		{"adjudicated", []string{"human/a grade 3", "human/b grade 3", "human/c grade 3", "human/adjudicated bad_query"}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var events []assay.Label
			for i, e := range tc.events {
				events = append(events, event(t, i, fmt.Sprint("c", i), e))
			}
			set, err := testset.New([]assay.Query{{ID: "q", Text: "?"}}, events)
			if err != nil {
				t.Fatal(err)
			}
			if got := set.Verdict("q").BadQuery; got != tc.want {
				t.Errorf("bad query %v, want %v", got, tc.want)
			}
		})
	}
}

func TestTargetsMeet(t *testing.T) {
	bare := assay.Target{Chunk: "c"}
	placed := assay.Target{Chunk: "c", Document: "d", Version: "v", Start: 3, End: 8, Quote: "quote", TextHash: "sha256:x"}
	other := assay.Target{Chunk: "c", Document: "d", Version: "v", Start: 9, End: 12, Quote: "two"}
	grade := func(target assay.Target, by assay.Rater, g assay.Grade) assay.Label {
		return assay.Label{Query: "q", Target: target, Event: assay.EventGrade, By: by, Grade: g, Time: noon}
	}
	labels := func(events ...assay.Label) []assay.Label {
		set, err := testset.New(nil, events)
		if err != nil {
			t.Fatal(err)
		}
		return set.Labels("q")
	}
	// Imported by key first and judged by a person, synthetic with its place: one target, which keeps the place.
	want := []assay.Label{grade(placed, assay.ByHuman, 1)}
	if diff := cmp.Diff(want, labels(grade(bare, assay.ByHuman, 1), grade(placed, assay.BySynthetic, 3))); diff != "" {
		t.Errorf("bare and placed (-want +got):\n%s", diff)
	}
	// Two places of one chunk: nobody knows which of them the bare key means.
	if got := labels(grade(bare, assay.ByHuman, 1), grade(placed, assay.BySynthetic, 3), grade(other, assay.BySynthetic, 3)); len(got) != 3 {
		t.Errorf("ambiguous key: got %d labels, want 3: %v", len(got), got)
	}
	// The same place under another chunker's key is the same target.
	rechunked := placed
	rechunked.Chunk = "c2"
	if got := labels(grade(placed, assay.BySynthetic, 3), grade(rechunked, assay.ByHuman, 2)); len(got) != 1 || got[0].Grade != 2 {
		t.Errorf("same place, other key: got %v", got)
	}
	// Another version of the document is another text.
	edited := placed
	edited.Version = "w"
	if got := labels(grade(placed, assay.BySynthetic, 3), grade(edited, assay.ByHuman, 0)); len(got) != 2 {
		t.Errorf("other version: got %d labels, want 2", len(got))
	}
}

// TestOrderOfLines: what counts, and with it the version, follows from the events and their times, however
// two histories were put together.
func TestOrderOfLines(t *testing.T) {
	raters := []string{"human/a", "human/b", "human/adjudicated", "judge/j", "synthetic/m"}
	events := []string{"grade 0", "grade 1", "grade 2", "grade 3", "undo", "unsure", "skip", "broken_text", "bad_query"}
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(rt, "n")
		labels := make([]assay.Label, n)
		for i := range labels {
			word := rapid.SampledFrom(raters).Draw(rt, "rater") + " " + rapid.SampledFrom(events).Draw(rt, "event")
			labels[i] = event(t, i, rapid.SampledFrom([]string{"c", "d"}).Draw(rt, "chunk"), word)
		}
		queries := []assay.Query{{ID: "q", Text: "?"}, {ID: "r", Text: "!"}}
		a, err := testset.New(queries, labels)
		if err != nil {
			rt.Fatal(err)
		}
		slices.Reverse(queries)
		b, err := testset.New(queries, rapid.Permutation(labels).Draw(rt, "order"))
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(a.Labels("q"), b.Labels("q")); diff != "" {
			rt.Errorf("labels differ: %s", diff)
		}
		if a.Version() != b.Version() {
			rt.Errorf("versions differ")
		}
	})
}

func TestVersion(t *testing.T) {
	base := []assay.Query{{ID: "q", Text: "how"}, {ID: "r", Text: "why"}}
	label := assay.Label{Query: "q", Target: assay.Target{Chunk: "c"}, Event: assay.EventGrade, Grade: 3, By: assay.ByHuman, Time: noon}
	version := func(queries []assay.Query, labels ...assay.Label) testset.Version {
		set, err := testset.New(queries, labels)
		if err != nil {
			t.Fatal(err)
		}
		return set.Version()
	}
	edit := func(change func(*assay.Query)) []assay.Query {
		queries := slices.Clone(base)
		change(&queries[0])
		return queries
	}
	later := label
	later.Grade = 2
	later.Time = noon.Add(time.Hour)
	stray := label
	stray.Query = "gone"
	was := version(base, label)
	for _, tc := range []struct {
		name            string
		got             testset.Version
		queries, labels bool // whether the hash must change
	}{
		{"same", version(base, label), false, false},
		{"text", version(edit(func(q *assay.Query) { q.Text = "How" }), label), true, false},
		{"filter", version(edit(func(q *assay.Query) { q.Filter = &assay.Filter{Field: "lang", Eq: "de"} }), label), true, false},
		{"weight", version(edit(func(q *assay.Query) { q.Weight = 2 }), label), true, false},
		{"weight of 1", version(edit(func(q *assay.Query) { q.Weight = 1 }), label), false, false},
		{"tags", version(edit(func(q *assay.Query) { q.Tags = []string{"ops"} }), label), false, false},
		{"grade", version(base, label, later), false, true},
		{"no label", version(base), false, true},
		{"label of a query that is gone", version(base, label, stray), false, false},
		{"one query less", version(base[:1], label), true, false},
	} {
		if (tc.got.Queries != was.Queries) != tc.queries || (tc.got.Labels != was.Labels) != tc.labels {
			t.Errorf("%s: changed queries %v labels %v, want %v %v", tc.name, tc.got.Queries != was.Queries, tc.got.Labels != was.Labels, tc.queries, tc.labels)
		}
	}
}
