//go:build unix

package cli

import (
	"bufio"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// document decodes what must be one JSON document and nothing else.
func (f *folder) document(p *process, into any) {
	f.Helper()
	dec := json.NewDecoder(strings.NewReader(p.out.String()))
	if err := dec.Decode(into); err != nil {
		f.Fatalf("%v: %v\n%s", p.Args, err, &p.out)
	}
	if dec.More() {
		f.Errorf("%v wrote more than one document:\n%s", p.Args, &p.out)
	}
}

// TestRunDocument: the document of a run holds every system that was to be run, also one that could not start
// and one that stopped too early.
func TestRunDocument(t *testing.T) {
	s := newService(t)
	f := s.project(t, 20, "workers: 1, retries: 0")
	f.write("docs/a.md", "# Backups\n\nBackups are kept for thirty days.\n")
	f.write("assay.yaml", "corpus: {path: docs}\n"+strings.Replace(f.read("assay.yaml"), "systems:\n", `systems:
  down: {retriever: {kind: http, url: "http://127.0.0.1:9/search", body: '{"q": {{json .Query}}}'}}
  absent: {retriever: {kind: command, command: [./no-such-program]}}
  lexical: {retriever: {kind: bm25}}
`, 1))
	s.fail(func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n%2 == 1 {
			http.Error(w, "out of memory", http.StatusInternalServerError)
		}
		return n%2 == 1
	})
	var doc runsView
	f.document(f.run(exitUsage, "run", "--json"), &doc) // the gravest code
	status := map[string]string{}
	for _, r := range doc.Runs {
		status[r.System] = string(r.Status)
	}
	if len(status) != 2 || status["lexical"] != "finished" || status["app"] != "unfinished" {
		t.Errorf("runs %v", status)
	}
	var failed []string
	for _, e := range doc.Failures {
		failed = append(failed, e.System)
		if e.Error == "" || e.Code == 0 || (e.Run == "") != (e.System == "absent") {
			t.Errorf("%+v", e)
		}
	}
	if !slices.Equal(failed, []string{"down", "absent", "app"}) {
		t.Errorf("failures of %v", failed)
	}
	var nothing errorDocument
	f.document(f.run(exitIncomplete, "run", "down", "--json"), &nothing)
	if nothing.Schema != "assay/error/v1" || nothing.Code != exitIncomplete {
		t.Errorf("%+v", nothing)
	}
}

// TestExportDocument: under --json the export is one document, and its pairs are those of the stream.
func TestExportDocument(t *testing.T) {
	f := lexicalProject(t)
	f.run(exitOK, "add", "who opens the door")
	var doc exportDocument
	f.document(f.run(exitOK, "export", "--json"), &doc)
	if doc.Schema != "assay/export/v1" || doc.Queries != 2 || doc.Labels != 1 || len(doc.Pairs) != 2 || doc.Pairs[0].Query != "how long are backups kept" {
		t.Errorf("%+v", doc)
	}
	var lines []string
	for _, pair := range doc.Pairs {
		line, err := json.Marshal(pair)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	if text := f.run(exitOK, "export").out.String(); text != strings.Join(lines, "\n")+"\n" {
		t.Errorf("the stream is\n%s and the document has %s", text, lines)
	}
	doc = exportDocument{}
	f.document(f.run(exitOK, "export", "--json", "--form", "trec", "--out", "t"), &doc)
	if len(doc.Files) != 2 || doc.Form != "trec" {
		t.Errorf("%+v", doc)
	}
	for _, form := range []string{"csv", "text"} {
		var e errorDocument
		f.document(f.run(exitUsage, "export", "--json", "--form", form), &e)
		if !strings.Contains(e.Error, "contradict") {
			t.Errorf("%+v", e)
		}
	}
}

// TestRemovedDocument: what was removed is the document of the removal.
func TestRemovedDocument(t *testing.T) {
	f := lexicalProject(t)
	f.run(exitOK, "run", "lexical", "--name", "old")
	var doc runsDocument
	f.document(f.run(exitOK, "runs", "rm", "old", "--json"), &doc)
	if len(doc.Runs) != 1 || doc.Runs[0].Name != "old" {
		t.Errorf("%+v", doc)
	}
}

// TestReaderGoesAway: a reader that has seen enough, such as head, ends no run; what systems are left are
// measured all the same.
func TestReaderGoesAway(t *testing.T) {
	f := lexicalProject(t)
	f.write("assay.yaml", "corpus: {path: docs}\nsystems:\n  a: {retriever: {kind: bm25}}\n  b: {retriever: {kind: bm25}}\n  c: {retriever: {kind: bm25}}\n")
	p := f.prepare("run")
	p.Stdout = nil
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	// Wait closes the pipe, so it waits until the first line was read.
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "a: run ") {
		t.Errorf("%q, %v", line, err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("%v\n%s", err, &p.err)
	}
	if records := f.read("eval_results.jsonl"); strings.Count(records, "\n") != 3 {
		t.Errorf("the history is\n%s", records)
	}
}
