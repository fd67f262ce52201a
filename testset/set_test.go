package testset_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/testset"
)

// folder writes files into a new folder and returns it.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// wantUsage checks that err ends a command with exit code 2, says each of parts and offers a hint.
func wantUsage(t *testing.T, err error, parts ...string) {
	t.Helper()
	if !errors.Is(err, assay.ErrUsage) {
		t.Fatalf("got error %v, want a usage error", err)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error()+"\n"+assay.Hint(err), part) {
			t.Errorf("error %q (hint %q) does not say %q", err, assay.Hint(err), part)
		}
	}
}

func TestQueryID(t *testing.T) {
	// printf 'caf\xc3\xa9' | sha256sum; the filter case: printf 'caf\xc3\xa9\0{"field":"lang","eq":"de"}' | sha256sum
	const plain, filtered = "q-850f7dc43910ff89", "q-ea3223799d21e336"
	filter := &assay.Filter{Field: "lang", Eq: "de"}
	for _, tc := range []struct {
		text   string
		filter *assay.Filter
		want   string
	}{
		{"caf\u00e9", nil, plain},
		{" cafe\u0301\n", nil, plain}, // decomposed, with white space around
		{"caf\u00e9", filter, filtered},
	} {
		if got := testset.QueryID(tc.text, tc.filter); got != tc.want {
			t.Errorf("QueryID(%q, %v) = %s, want %s", tc.text, tc.filter, got, tc.want)
		}
	}
}

func TestOpen(t *testing.T) {
	dir := folder(t, map[string]string{
		// C17: U+2028 in a text, a long line, no id, an unknown field, a torn end.
		"queries.jsonl": `{"id":"a","text":"first","future":{"x":1}}` + "\n" +
			`{"text":"no id\u2028here"}` + "\n" +
			`{"id":"long","text":"` + strings.Repeat("x", 20_000) + `","tags":["` + strings.Repeat("t", 70_000) + `"]}` + "\n\n" +
			`{"id":"a","text":"second","weight":2}` + "\n" + `{"id":"torn","te`,
		"labels.jsonl": `{"query":"a","target":{"chunk":"c"},"event":"grade","grade":2,"by":"human","time":"2026-12-02T10:00:00Z"}` + "\n" +
			`{"query":"a","target":{"chunk":"c"},"event":"grade","grade":0,"by":"human"}`,
	})
	set, err := testset.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, q := range set.Queries() {
		ids = append(ids, q.ID)
	}
	if diff := cmp.Diff([]string{"a", testset.QueryID("no id\u2028here", nil), "long"}, ids); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
	if q, _ := set.Query("a"); q.Text != "second" || q.Weight != 2 {
		t.Errorf("the last line of an id does not win: %+v", q)
	}
	if got := set.Labels("a"); len(got) != 1 || got[0].Grade != 0 {
		t.Errorf("a label without time happened after the line above it: %+v", got)
	}
	// Appending never rewrites: what was there stays to the byte, but for the torn end.
	before, _ := os.ReadFile(filepath.Join(dir, "queries.jsonl"))
	if _, err := set.AddQueries(assay.Query{Text: "new"}); err != nil {
		t.Fatal(err)
	}
	after, _ := os.ReadFile(filepath.Join(dir, "queries.jsonl"))
	whole := strings.TrimSuffix(string(before), `{"id":"torn","te`)
	if !strings.HasPrefix(string(after), whole) || strings.Contains(string(after), "torn") {
		t.Errorf("append changed what was there")
	}
	again, err := testset.Open(dir)
	if err != nil || again.Len() != 4 || again.Version() != set.Version() {
		t.Errorf("reopened: %d queries, version equal %v, error %v", again.Len(), again.Version() == set.Version(), err)
	}
}

func TestOpenRefuses(t *testing.T) {
	const good = `{"id":"a","text":"x"}` + "\n"
	label := func(body string) map[string]string {
		return map[string]string{"queries.jsonl": good, "labels.jsonl": "\n" + `{"query":"a",` + body + "}\n"}
	}
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"empty folder", nil, []string{"holds no query", "assay generate", "assay import"}},
		{"not JSON", map[string]string{"queries.jsonl": good + "oops\n"}, []string{"queries.jsonl:2"}},
		{"no text", map[string]string{"queries.jsonl": `{"id":"a","text":" "}` + "\n"}, []string{"queries.jsonl:1", `"a" has no text`}},
		{"negative weight", map[string]string{"queries.jsonl": `{"id":"a","text":"x","weight":-1}` + "\n"}, []string{"weight"}},
		{"invalid UTF-8", map[string]string{"queries.jsonl": "{\"id\":\"a\",\"text\":\"\xff\"}\n"}, []string{"queries.jsonl:1", "UTF-8"}},
		{"unknown filter key", map[string]string{"queries.jsonl": `{"text":"x","filter":{"fild":"y"}}` + "\n"}, []string{"fild"}},
		{"all at once", map[string]string{"queries.jsonl": strings.Repeat("x\n", 30)}, []string{"jsonl:1:", "jsonl:10:", "and 20 more"}},
		{"grade out of range", label(`"target":{"chunk":"c"},"event":"grade","grade":4,"by":"human"`), []string{"labels.jsonl:2", "grade 4 is outside 0 to 3"}},
		{"no grade", label(`"target":{"chunk":"c"},"event":"grade","by":"human"`), []string{`without "grade"`}},
		{"fractional grade", label(`"target":{"chunk":"c"},"event":"grade","grade":2.5,"by":"human"`), []string{"labels.jsonl:2"}},
		{"unknown event", label(`"target":{"chunk":"c"},"event":"like","by":"human"`), []string{"like", "broken_text"}},
		{"unknown rater", label(`"target":{"chunk":"c"},"event":"skip","by":"robot"`), []string{"robot", "synthetic, judge, human"}},
		{"no target", label(`"target":{},"event":"grade","grade":1,"by":"human"`), []string{"neither chunk"}},
		{"characters for bytes", label(`"target":{"document":"d","start":2,"end":12,"quote":"💩annotat"},"event":"grade","grade":1,"by":"human"`), []string{"bytes, not characters"}},
		{"inverted span", label(`"target":{"chunk":"c","document":"d","start":9,"end":3},"event":"grade","grade":1,"by":"human"`), []string{"9-3"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := testset.Open(folder(t, tc.files))
			wantUsage(t, err, tc.want...)
		})
	}
	_, err := testset.Open(filepath.Join(t.TempDir(), "none"))
	wantUsage(t, err, "does not exist", "assay import")
	file := filepath.Join(folder(t, map[string]string{"f": ""}), "f")
	_, err = testset.Open(file)
	wantUsage(t, err, "is a file")
}

func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root writes everywhere")
	}
	dir := folder(t, nil)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	set, err := testset.OpenOrCreate(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = set.AddQueries(assay.Query{Text: "x"})
	if err == nil || !strings.Contains(assay.Hint(err), "writable") || set.Len() != 0 {
		t.Errorf("error %v, hint %q, %d queries", err, assay.Hint(err), set.Len())
	}
}

func TestAddGenerated(t *testing.T) {
	dir := t.TempDir()
	chunk := assay.Chunk{ID: "ops.md#100-200", Document: "ops.md", Version: "v", Span: &assay.Span{Start: 100, End: 200}, Text: "… Backups are kept for 30 days. …"}
	q := assay.Query{Text: "how long are backups kept?", Origin: &assay.Origin{Method: "llm", Model: "tiny", Chunk: chunk.ID},
		Evidence: &assay.Anchor{Document: "ops.md", Version: "v", Start: 104, End: 131, Quote: "Backups are kept for 30 day"}}
	for range 2 { // what a killed and repeated generate does
		set, err := testset.OpenOrCreate(dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := set.AddGenerated(noon, testset.Generated{Query: q, Chunk: chunk}); err != nil {
			t.Fatal(err)
		}
	}
	set, err := testset.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	id := testset.QueryID(q.Text, nil)
	want := []assay.Label{{Query: id, Event: assay.EventGrade, Grade: 3, By: assay.BySynthetic, Who: "tiny", Time: noon,
		Target: assay.Target{Chunk: chunk.ID, Document: "ops.md", Version: "v", Start: 104, End: 131, Quote: "Backups are kept for 30 day", TextHash: chunk.Hash()}}}
	if diff := cmp.Diff(want, set.Events(id)); diff != "" || set.Len() != 1 {
		t.Errorf("%d queries, events (-want +got):\n%s", set.Len(), diff)
	}
	// Without evidence (known-item queries) the whole chunk is the answer; its index text is longer than
	// its span, so only the hash and the place hold it.
	q.Evidence, q.ID = nil, id
	if got := testset.Synthetic(q, chunk, noon).Target; got.Quote != "" || got.Span() != *chunk.Span || got.TextHash != chunk.Hash() {
		t.Errorf("whole chunk: %+v", got)
	}
}

// lookup is a corpus for tests.
type lookup struct {
	chunks    map[string]assay.Chunk
	documents map[string]assay.Document
	ids       []string
}

func (l *lookup) Lookup(id string) (assay.Chunk, bool) { c, ok := l.chunks[id]; return c, ok }
func (l *lookup) LookupDocument(id string) (assay.Document, bool) {
	d, ok := l.documents[id]
	return d, ok
}
func (l *lookup) FirstIDs(n int) []string { return l.ids[:min(n, len(l.ids))] }

func corpus() *lookup {
	return &lookup{
		chunks: map[string]assay.Chunk{
			"d1#0-9":   {ID: "d1#0-9", Document: "d1", Version: "v1", Span: &assay.Span{Start: 0, End: 9}, Text: "first one"},
			"d1#10-20": {ID: "d1#10-20", Document: "d1", Version: "v1", Span: &assay.Span{Start: 10, End: 20}, Text: "second one"},
			"42":       {ID: "42", Text: "no place known"},
		},
		documents: map[string]assay.Document{"d1": {ID: "d1", Text: "first one second one"}},
		ids:       []string{"42", "d1#0-9", "d1#10-20"},
	}
}

func TestAdd(t *testing.T) {
	set, err := testset.OpenOrCreate(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	opts := testset.AddOptions{Relevant: []string{"d1#10-20", "42"}, Lookup: corpus(), Now: noon, Tags: []string{"ops"}}
	q, err := set.Add("which one?", opts)
	if err != nil {
		t.Fatal(err)
	}
	var targets []assay.Target
	for _, l := range set.Labels(q.ID) {
		targets = append(targets, l.Target)
	}
	want := []assay.Target{
		{Chunk: "42", Quote: "no place known", TextHash: assay.HashText("no place known")},
		{Chunk: "d1#10-20", Document: "d1", Version: "v1", Start: 10, End: 20, Quote: "second one", TextHash: assay.HashText("second one")},
	}
	if diff := cmp.Diff(want, targets); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
	if _, err := set.Add("which one?", opts); err != nil || set.Len() != 1 || len(set.Events(q.ID)) != 2 {
		t.Errorf("added twice: %v, %d queries, %d events", err, set.Len(), len(set.Events(q.ID)))
	}
	undo := set.Events(q.ID)[0]
	undo.Event, undo.Grade, undo.Time = assay.EventUndo, 0, noon.Add(1)
	opts.Now = noon.Add(2)
	if err := set.AddLabels(undo); err != nil {
		t.Fatal(err)
	}
	if _, err := set.Add("which one?", opts); err != nil || len(set.Labels(q.ID)) != 2 {
		t.Errorf("what was taken back cannot be said again: %v, %d labels", err, len(set.Labels(q.ID)))
	}
	_, err = set.Add("and this?", testset.AddOptions{Relevant: []string{"d1#0-8"}, Lookup: corpus()})
	wantUsage(t, err, `"d1#0-8"`, `"d1#0-9"`, "assay search")
	_, err = set.Add(" ", testset.AddOptions{})
	wantUsage(t, err, "no text")
	if set.Len() != 1 {
		t.Errorf("a refused query was added")
	}
}
