package doctor_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/doctor"
)

// labels is a test set with one query for each target.
func labels(targets ...assay.Target) *doctor.Testset {
	set := &doctor.Testset{Dir: "testset"}
	by := map[string]assay.Target{}
	for i, t := range targets {
		id := string(rune('a' + i))
		set.Queries = append(set.Queries, assay.Query{ID: id, Text: "question " + id})
		by[id] = t
	}
	set.Labels = func(q string) []assay.Label {
		t, ok := by[q]
		if !ok {
			return nil
		}
		return []assay.Label{{Query: q, Target: t, Event: assay.EventGrade, Grade: assay.MaxGrade}}
	}
	return set
}

func TestGold(t *testing.T) {
	items := handbook()
	items[0].metadata["from"], items[0].metadata["to"] = 100, 100+len(items[0].text)
	yaml := chromaSystem(t, collection(t, "cosine", items), ", document: metadata.source, start: metadata.from, end: metadata.to")
	key := func(s string) assay.Target { return assay.Target{Chunk: s} }
	healthy := []assay.Target{key("h-01"), key("h-02"), {Quote: "tried again for an hour"}, {Chunk: "old-7", Quote: "kept for thirty days"},
		{Document: "page-1.md", Start: 120, End: 140}, {Document: "page-2.md"},
		{Quote: "Comments can be resolved, after which they are folded away and shown again on request. And a sentence that the next chunk holds, of some length."}}
	for name, c := range map[string]struct {
		set  *doctor.Testset
		want want
	}{
		"healthy":          {labels(healthy...), want{status: doctor.OK, found: "the answers of 7 labelled queries are in it"}},
		"other ids":        {labels(key("h-01"), key("chunk_17"), key("chunk_18")), want{doctor.Fault, "missing", "2 of 3 labelled queries have no answer in it (b, c); no chunk has the key chunk_17, chunk_18, the keys there look like h-01", "assay import FILE --against live"}},
		"other text":       {labels(key("h-01"), assay.Target{Quote: "words that no chunk has"}), want{doctor.Fault, "missing", "1 of 2", "ingest what is missing"}},
		"other place":      {labels(assay.Target{Document: "page-1.md", Start: 10, End: 20}), want{doctor.Fault, "missing", "1 of 1", "--against"}},
		"one of many":      {labels(append(repeat(key("h-01"), 24), key("gone"))...), want{doctor.Warning, "missing", "1 of 25", "--against"}},
		"nothing relevant": {&doctor.Testset{Queries: []assay.Query{{ID: "a", Text: "x"}}, Labels: func(string) []assay.Label { return nil }}, want{status: doctor.NotChecked, found: "no query has a relevant label"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := examine(t, yaml, doctor.Options{Only: []string{"gold"}}, func(s *doctor.Setup) { s.Testset = c.set })
			c.want.check(t, finding(t, r, "gold", "system live"))
		})
	}
}

func repeat(t assay.Target, n int) []assay.Target {
	out := make([]assay.Target, n)
	for i := range out {
		out[i] = t
	}
	return out
}

// A query of which one answer is there and another is not.
func TestGoldInPart(t *testing.T) {
	set := labels(assay.Target{Chunk: "h-01"})
	set.Labels = func(string) []assay.Label {
		return []assay.Label{{Target: assay.Target{Chunk: "h-01"}, Grade: 3}, {Target: assay.Target{Chunk: "gone"}, Grade: 2}, {Target: assay.Target{Chunk: "not relevant"}, Grade: 1}}
	}
	r := examine(t, chromaSystem(t, collection(t, "cosine", handbook()), ""), doctor.Options{Only: []string{"gold"}}, func(s *doctor.Setup) { s.Testset = set })
	want{doctor.Warning, "missing_in_part", "1 labelled chunk is not; no chunk has the key gone", "ingest them again"}.check(t, finding(t, r, "gold", "system live"))
}

func TestLabelling(t *testing.T) {
	none := func(string) []assay.Label { return nil }
	some := labels(assay.Target{Chunk: "x"})
	some.Queries = append(some.Queries, assay.Query{ID: "y", Text: "y"}, assay.Query{ID: "z", Text: "z"})
	orphans := labels(assay.Target{Chunk: "x"})
	orphans.Orphans = 4
	for name, c := range map[string]struct {
		set  *doctor.Testset
		want want
	}{
		"healthy":    {labels(assay.Target{Chunk: "x"}), want{status: doctor.OK, found: "1 of 1 queries have a relevant label"}},
		"no labels":  {&doctor.Testset{Dir: "testset", Queries: []assay.Query{{ID: "a", Text: "x"}}, Labels: none}, want{doctor.Fault, "no_labels", "0 of 1", "assay add"}},
		"few labels": {some, want{doctor.Warning, "few_labels", "1 of 3", "label the others"}},
		"orphans":    {orphans, want{doctor.Fault, "orphans", "4 labels", "import"}},
		"unreadable": {&doctor.Testset{Dir: "testset", Err: assay.Usagef("queries.jsonl:3: not JSON")}, want{doctor.Fault, "unreadable", "queries.jsonl:3", "mend the lines"}},
		"none":       {nil, want{status: doctor.NotChecked, found: "assay generate"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := doctor.Examine(t.Context(), &doctor.Setup{Testset: c.set}, doctor.Options{Only: []string{"gold"}})
			if err != nil {
				t.Fatal(err)
			}
			c.want.check(t, finding(t, r, "gold", "test set"))
		})
	}
}

func TestDuplicates(t *testing.T) {
	one := append(handbook(), handbook()[3])
	one[12].id = "h-13"
	twice := append(handbook(), handbook()...)
	for i := range twice[12:] {
		twice[12+i].id = "again-" + twice[12+i].id
	}
	for name, c := range map[string]struct {
		items []item
		want  want
	}{
		"healthy":        {handbook(), want{status: doctor.OK, found: "0 of 12 chunks repeat another"}},
		"one copy":       {one, want{doctor.Warning, "copies", "1 of 13 chunks repeat another", "leave copies out"}},
		"ingested twice": {twice, want{doctor.Fault, "ingested_twice", "12 of 24 chunks repeat another to the word or nearly so (50.0 %), 12 of them exactly", "build the index anew"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := examine(t, chromaSystem(t, collection(t, "cosine", c.items), ""), doctor.Options{Only: []string{"duplicates"}})
			c.want.check(t, finding(t, r, "duplicates", "system live"))
		})
	}
}
