package project

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/testset"
)

// TestAskedRemembersWhichQuestion: a question whose call failed stays open although a later one of its chunk was settled, and
// queries of earlier releases, which do not say their place, take the first ones that are free.
func TestAskedRemembersWhichQuestion(t *testing.T) {
	like := assay.Origin{Method: "llm", Model: "m", Prompt: "p", Seed: 1}
	set, err := testset.OpenOrCreate(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for text, at := range map[string]struct {
		chunk string
		nth   int
	}{
		"second only": {"failed first", 1}, "both a": {"both", 0}, "both b": {"both", 1},
		"old a": {"old", 0}, "old b": {"old", 0}, "old after reject": {"old reject", 0},
	} {
		o := like
		o.Chunk, o.Nth = at.chunk, at.nth
		if _, err := set.AddQueries(assay.Query{ID: testset.QueryID(text, nil), Text: text, Origin: &o}); err != nil {
			t.Fatal(err)
		}
	}
	rejects := written(t, "rejects.jsonl", `{"chunk":"old reject","rule":"copy","reason":"x","method":"llm","model":"m","prompt":"p","seed":1}
{"chunk":"rejected","rule":"copy","reason":"x","method":"llm","model":"m","prompt":"p","seed":1,"nth":1}
{"chunk":"wrong key","rule":"reply","reason":"refused: 401","method":"llm","model":"m","prompt":"p","seed":1}
{"chunk":"other seed","rule":"copy","reason":"x","method":"llm","model":"m","prompt":"p","seed":2}
`)
	done, accepted, err := asked(set, rejects, like)
	if err != nil {
		t.Fatal(err)
	}
	want := answered{"failed first": {1: true}, "both": {0: true, 1: true}, "old": {0: true, 1: true}, "old reject": {0: true, 1: true}, "rejected": {1: true}}
	if diff := cmp.Diff(want, done); diff != "" || accepted != 6 {
		t.Errorf("%d accepted (-want +got):\n%s", accepted, diff)
	}
	if done.count("failed first", 2) != 1 || done.count("nowhere", 2) != 0 {
		t.Error("a question that failed counts as settled")
	}
}
