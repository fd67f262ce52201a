//go:build unix

package cli

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
	"github.com/assay-eval/assay/internal/demo"
)

// writtenHandbook is a project over the demo's documents whose questions a recorded model writes.
func writtenHandbook(t *testing.T, s *writer, sample int) *folder {
	t.Helper()
	f := newFolder(t)
	if err := os.CopyFS(f.path("docs"), demo.Docs()); err != nil {
		t.Fatal(err)
	}
	f.write("assay.yaml", s.config(sample))
	return f
}

// TestGenerateInBudgets spends seven calls at a time: exit code 5 until there are enough queries, never one
// call too many, and the same files as in one go.
func TestGenerateInBudgets(t *testing.T) {
	const sample, calls = 10, 7
	s := newWriter(t)
	whole, f := writtenHandbook(t, s, sample), writtenHandbook(t, s, sample)
	// Half are to be mistyped, and some to have no answer: what is planned goes on as well.
	planned := []string{"generate", "--set", "generate.styles={question: 0.5, typo: 0.5}", "--set", "generate.unanswerable=0.2"}
	if out := whole.run(exitOK, planned...).out.String(); !strings.Contains(out, "style\ttypo\t50 %\t50 %\t5") || !strings.Contains(out, "answerable\tno\t20 %\t") {
		t.Errorf("the mix is\n%s", out)
	}
	all := len(s.soFar())
	s.forget()
	for range 20 {
		before := len(s.soFar())
		p := f.start(append(planned, "--max-calls", "7")...)
		f.result(p)
		if made := len(s.soFar()) - before; made > calls {
			t.Fatalf("%d calls with a budget of %d", made, calls)
		}
		if p.code == exitOK {
			break
		}
		if p.code != exitIncomplete {
			t.Fatalf("ended with %d\n%s", p.code, &p.err)
		}
		f.says(p, "the budget of calls is used up", "run the same command again")
	}
	if n := len(s.soFar()); n != all {
		t.Errorf("%d calls in parts, %d in one go", n, all)
	}
	for _, name := range []string{"testset/queries.jsonl", "testset/labels.jsonl", "testset/rejects.jsonl"} {
		if diff := cmp.Diff(timeless[any](whole, name), timeless[any](f, name)); diff != "" {
			t.Errorf("%s (-whole +parts):\n%s", name, diff)
		}
	}

	p := f.run(exitOK, "generate", "--rejects", "--json")
	var doc rejectsDocument
	if err := json.Unmarshal(p.out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, n := range doc.ByRule {
		sum += n
	}
	if want := records[generate.Reject](f, "testset/rejects.jsonl"); len(doc.Rejects) != len(want) || sum != len(want) || sum == 0 {
		t.Errorf("%d rejects, %v; the file has %d", len(doc.Rejects), doc.ByRule, len(want))
	}
	f.says(f.run(exitOK, "generate", "--rejects"), "refused: ")
}

// TestGenerateOutOfTime: a budget of no time at all asks for little and keeps all of it.
func TestGenerateOutOfTime(t *testing.T) {
	s := newWriter(t)
	s.delay = 1e8 // 100 ms a call
	f := writtenHandbook(t, s, 20)
	p := f.run(exitIncomplete, "generate", "--max-minutes", "0.005")
	f.says(p, "the budget of minutes is used up")
	if n := len(s.soFar()); n == 0 || n > 5 {
		t.Errorf("%d calls of 100 ms in 300 ms", n)
	}
	f.run(exitOK, "generate")
}

// TestDryRun asks three questions, keeps nothing, and pays for what the generation then gets from the cache. A reply that was cut is
// never in the cache, so the model of this test gives none.
func TestDryRun(t *testing.T) {
	s := newWriter(t)
	s.replies = slices.DeleteFunc(s.replies, func(r map[string]any) bool { return r["done_reason"] == "length" })
	f := writtenHandbook(t, s, 8)
	p := f.run(exitOK, "generate", "--dry-run", "--json")
	var e estimateDocument
	if err := json.Unmarshal(p.out.Bytes(), &e); err != nil {
		t.Fatal(err)
	}
	if len(s.soFar()) != 3 || e.Probe.Calls != 3 || e.Probe.Questions != 3 || e.Least.Calls != 8 || e.Most.Questions != e.Chunks.Drawn || e.Likely != nil ||
		e.Probe.PromptTokens < 300 || e.Least.PromptTokens < 2*e.Probe.PromptTokens {
		t.Errorf("%d calls: %s", len(s.soFar()), &p.out)
	}
	if _, err := os.Stat(f.path("testset")); err == nil {
		t.Error("a dry run made a test set")
	}
	f.run(exitOK, "generate")
	for call, times := range s.times() {
		if times > 1 {
			t.Errorf("%s was asked %d times", call, times)
		}
	}
	if out := f.run(exitOK, "generate", "--dry-run").out.String(); !strings.Contains(out, "nothing is left to ask") {
		t.Error(out)
	}
}

// TestGenerateUnanswerable: queries without an answer get a label of grade 0, and a run counts them apart.
func TestGenerateUnanswerable(t *testing.T) {
	s := newWriter(t)
	f := writtenHandbook(t, s, 6)
	p := f.run(exitOK, "generate", "--set", "generate.unanswerable=0.5")
	f.says(p, "was not looked up")
	n := 0
	labels := map[string]assay.Label{}
	for _, l := range records[assay.Label](f, "testset/labels.jsonl") {
		labels[l.Query] = l
	}
	for _, q := range records[assay.Query](f, "testset/queries.jsonl") {
		none := len(q.Tags) == 1 && q.Tags[0] == assay.TagUnanswerable
		if none {
			n++
		}
		if l := labels[q.ID]; none != (l.Grade == 0) || none == (q.Evidence != nil) {
			t.Errorf("%+v is labelled %+v", q, l)
		}
	}
	if n == 0 || n == 6 {
		t.Errorf("%d of 6 have no answer", n)
	}
	var runs runsView
	if err := json.Unmarshal(f.run(exitOK, "run", "--json").out.Bytes(), &runs); err != nil {
		t.Fatal(err)
	}
	if r := runs.Runs[0]; r.Unanswerable == nil || r.Unanswerable.Queries != n || r.Counts.Scored != 6-n {
		t.Errorf("%+v of %+v", r.Unanswerable, r.Counts)
	}
	if out := f.run(exitOK, "run", "--new").out.String(); !strings.Contains(out, "an answerable query has the higher top score with probability") {
		t.Error(out)
	}
}

// TestGenerateThorough takes questions through the checks that need a model and two retrievers. The
// questions are nonsense words, so that a source may be out of reach of both retrievers, and no passage but
// the source has the answer.
func TestGenerateThorough(t *testing.T) {
	s := newWriter(t)
	f := writtenHandbook(t, s, 3)
	f.write("assay.yaml", s.config(3)+"systems: {words: {retriever: {kind: bm25, analyzer: standard}}}\n")
	p := f.run(exitOK, "generate", "--thorough", "-v", "--set", "generate.retrievers=[words]")
	for _, rule := range []string{"standalone", "answerable", "closed-book", "no-answer", "round-trip", "ambiguity"} {
		if !strings.Contains(p.out.String(), "\n"+rule+"\t3\t0\t") {
			t.Errorf("rule %s did not see three questions:\n%s", rule, &p.out)
		}
	}
	for _, q := range records[assay.Query](f, "testset/queries.jsonl") {
		marked := slices.DeleteFunc(slices.Clone(q.Tags), func(tag string) bool { return tag == assay.TagNotFound })
		if len(marked) > 0 || !slices.Contains(q.Origin.Passed, "ambiguity") {
			t.Errorf("tags %q, passed %q", q.Tags, q.Origin.Passed)
		}
	}
	if n := s.exams.Load(); n < 3*5 {
		t.Errorf("%d checks of three questions", n)
	}
	g := writtenHandbook(t, s, 1)
	g.says(g.run(exitOK, "generate", "--thorough"), "no system embeds")
}
