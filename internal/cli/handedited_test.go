//go:build unix

package cli

import (
	"os"
	"strings"
	"testing"
)

// lexicalProject is a project of one page, searched by its words, with one labelled query.
func lexicalProject(t *testing.T) *folder {
	t.Helper()
	f := newFolder(t)
	f.write("docs/a.md", "# Backups\n\nBackups are kept for thirty days on the second site.\n")
	f.write("assay.yaml", "corpus: {path: docs}\n")
	f.write("pairs.jsonl", `{"query":"how long are backups kept","relevant_chunk_id":"a.md"}`+"\n")
	f.run(exitOK, "import", "pairs.jsonl")
	return f
}

// TestTornLines: a last line that a person has not finished is warned of by what reads it, and moved aside, not
// lost, by what writes behind it.
func TestTornLines(t *testing.T) {
	for file, writes := range map[string][]string{
		"testset/queries.jsonl": {"add", "who opens the door"},
		"testset/labels.jsonl":  {"add", "who opens the door", "--relevant", "a.md"},
		"eval_results.jsonl":    {"run", "lexical"},
	} {
		t.Run(file, func(t *testing.T) {
			f := lexicalProject(t)
			f.run(exitOK, "run", "lexical")
			whole := f.read(file)
			mine := `{"id":"mine","query":"mine","text":"an hour of wor`
			f.write(file, whole+mine)
			place := file + ":" + string(rune('1'+strings.Count(whole, "\n")))
			reads := []string{"export"}
			if file == "eval_results.jsonl" {
				reads = []string{"history"}
			}
			f.says(f.run(exitOK, reads...), place+": the last line is not whole", "an hour of wor", "it is left out")
			if f.read(file) != whole+mine {
				t.Error("a command that reads has changed the file")
			}
			f.says(f.run(exitOK, writes...), place+": the last line was not whole and was moved to", ".torn: "+mine)
			if kept := f.read(file + ".torn"); kept != mine+"\n" {
				t.Errorf("kept %q", kept)
			}
			if now := f.read(file); !strings.HasPrefix(now, whole+"{") || strings.Contains(now, mine) {
				t.Errorf("the file is now\n%s", now)
			}
			records[any](f, file)
		})
	}
}

// TestBrokenLastLine: a last line that nothing could have torn off is a mistake like any other.
func TestBrokenLastLine(t *testing.T) {
	f := lexicalProject(t)
	whole := f.read("testset/queries.jsonl")
	f.write("testset/queries.jsonl", whole+`{"id":"mine", oops}`)
	f.says(f.run(exitUsage, "add", "who opens the door"), "queries.jsonl:2: not the expected JSON: invalid character 'o'")
	if f.read("testset/queries.jsonl") != whole+`{"id":"mine", oops}` {
		t.Error("the file was changed")
	}
}

// TestUnreadableFiles: the error names the file and, where permission is what is missing, how to give it.
func TestUnreadableFiles(t *testing.T) {
	for file, reads := range map[string][]string{
		"assay.yaml":            {"config", "check"},
		"testset/queries.jsonl": {"export"},
		"testset/labels.jsonl":  {"run", "lexical"},
		"eval_results.jsonl":    {"history"},
		"pairs.jsonl":           {"import", "pairs.jsonl"},
	} {
		t.Run(file, func(t *testing.T) {
			f := lexicalProject(t)
			f.run(exitOK, "run", "lexical")
			if err := os.Chmod(f.path(file), 0); err != nil {
				t.Fatal(err)
			}
			p := f.prepare(reads...)
			f.asNobody(p)
			f.launch(p)
			if f.result(p); p.code != exitUsage {
				t.Errorf("ended with %d\n%s", p.code, &p.err)
			}
			f.says(p, file+": permission denied", "hint: make it readable for you: chmod u+r ")
			if strings.Contains(p.err.String(), ":0") {
				t.Errorf("a line that there is not:\n%s", &p.err)
			}
		})
	}
}

// TestByteOrderMark: editors on Windows begin a file with one, and mean nothing by it.
func TestByteOrderMark(t *testing.T) {
	const mark = "\ufeff"
	f := lexicalProject(t)
	for _, file := range []string{"assay.yaml", "docs/a.md", "testset/queries.jsonl", "testset/labels.jsonl"} {
		f.write(file, mark+f.read(file))
	}
	f.write("pairs.csv", mark+"query,relevant_chunk_id\nwhere do backups lie,a.md\n")
	f.write("more.jsonl", mark+`{"query":"which site has the backups","relevant_chunk_id":"a.md"}`+"\n")
	f.write("array.json", mark+`[{"query":"how many days","relevant_chunk_id":"a.md"}]`)
	f.write("list.txt", mark+"who keeps backups\n")
	for _, file := range []string{"pairs.csv", "more.jsonl", "array.json", "list.txt"} {
		p := f.run(exitOK, "import", file)
		if !strings.Contains(p.out.String(), "1 query (1 new)") {
			t.Errorf("%s: %s", file, &p.out)
		}
	}
	p := f.run(exitOK, "run", "lexical")
	if !strings.Contains(p.out.String(), "5 queries, 4 scored, 1 without labels") || strings.Contains(p.err.String(), "stale") {
		t.Errorf("%s%s", &p.out, &p.err)
	}
	f.write("eval_results.jsonl", mark+f.read("eval_results.jsonl"))
	p = f.run(exitOK, "history")
	if strings.Count(p.out.String(), "\n") != 2 || p.err.Len() > 0 {
		t.Errorf("%s%s", &p.out, &p.err)
	}
	if strings.Contains(f.read("testset/queries.jsonl"), mark+"who keeps") {
		t.Error("the mark went into a query")
	}
}

// TestPlainWords: a mistake in a file is told in the words of the file, not in those of Go.
func TestPlainWords(t *testing.T) {
	for text, want := range map[string]string{
		`{"query":5}`:                      `pairs.jsonl:1: "query": a number where a string is due`,
		`{"query":""}`:                     `pairs.jsonl:1: the query in {"query":""} is empty`,
		`{"query":null}`:                   `is empty`,
		`{"question":"x"}`:                 `no "query" in {"question":"x"}`,
		`{"query":"x","tags":"a"}`:         `"tags": a string where a list is due`,
		`{"query":"x","weight":"a"}`:       `"weight": a string where a number is due`,
		`{"query":"x","grade":1.5}`:        `"grade": 1.5 where a whole number is due`,
		`{"query":"x","filter":7}`:         `"filter": filter: 7 is not an object`,
		`{"query":"x","filter":{"and":1}}`: `cannot unmarshal number: a list of filters is due`,
		`[1,2]`:                            `not an object with a query: a number where an object is due`,
		`{"query":"x"`:                     `not JSON: it ends in the middle`,
	} {
		f := newFolder(t)
		f.write("assay.yaml", "corpus: {path: docs}\n")
		f.write("docs/a.md", "# A\n\nText.\n")
		f.write("pairs.jsonl", text+"\n")
		p := f.run(exitUsage, "import", "pairs.jsonl", "--no-check")
		f.says(p, want)
		if said := p.err.String(); strings.Contains(said, "Go ") || strings.Contains(said, "assay.Q") || strings.Contains(said, "json:") {
			t.Errorf("%s: %s", text, said)
		}
	}
	f := lexicalProject(t)
	f.write("eval_results.jsonl", "[1,2]\n"+`{"timestamp":"2026-01-01","metrics":[]}`+"\n"+`{"timestamp":"2026-01-01","metrics":{},"counts":{"queries":"x"}}`+"\n")
	p := f.run(exitOK, "history")
	f.says(p, "eval_results.jsonl:1: not the expected JSON: a list where an object is due", ":2: not the expected JSON: \"metrics\": a list where an object is due",
		":3: not the expected JSON: \"counts\": a string where a whole number is due")
	f.write("testset/labels.jsonl", `{"query":1,"event":"grade","grade":"x"}`+"\n")
	f.says(f.run(exitUsage, "run"), `labels.jsonl:1: not the expected JSON: "query": a number where a string is due`)
}
