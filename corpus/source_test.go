package corpus_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/corpus"
)

// tree writes files below a new folder; a name that ends in .gz is compressed.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		data := []byte(text)
		if strings.HasSuffix(name, ".gz") {
			data = gzipped(t, data)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func gzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// read lists a source: "id" for a document, "path:line reason" for a skip, and the error that ended it.
func read(t *testing.T, spec corpus.Spec) (docs []string, skips []string, err error) {
	t.Helper()
	src, err := corpus.Open(spec)
	if err != nil {
		return nil, nil, err
	}
	for doc, err := range src.Documents(context.Background()) {
		if skip, ok := corpus.AsSkip(err); ok {
			where := strings.TrimPrefix(skip.Where(), filepath.Dir(strings.SplitN(spec.Path, "*", 2)[0]+"/x")+string(filepath.Separator))
			skips = append(skips, where+" "+skip.Reason)
			continue
		}
		if err != nil {
			return docs, skips, err
		}
		docs = append(docs, doc.ID)
	}
	return docs, skips, nil
}

func TestFolder(t *testing.T) {
	root := tree(t, map[string]string{
		"b.md": "# B", "a.txt": "a", "sub/deep/c.HTML": "<p>c", "sub/d.markdown": "d", "z.htm": "<b>z</b>", "e.text": "e",
		".git/config.md": "no", "sub/.hidden.md": "no", "node_modules/x/README.md": "no", "sub/__pycache__/y.txt": "no",
		"data.jsonl": "{}", "pic.png": "\x89PNG", "Makefile": "all:",
		"empty.md": "", "blank.txt": " \n\n", "bin.txt": "a\x00b", "latin.md": "caf\xe9\n", "utf16.txt": "\xff\xfea\x00",
		"nothing.html": "<script>x</script>", "deep.html": strings.Repeat("<div>", 1000) + "x", "bom.md": "\ufeff# Bom",
	})
	if err := os.Symlink(root, filepath.Join(root, "loop")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "missing"), filepath.Join(root, "dangling.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "caf\xe9.md"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	wantDocs := []string{"a.txt", "b.md", "bom.md", "e.text", "sub/d.markdown", "sub/deep/c.HTML", "z.htm"}
	wantSkips := []string{
		"bin.txt binary: a zero byte at offset 1",
		"blank.txt nothing but white space",
		"caf\xe9.md its name is not valid UTF-8, so that no id can name it",
		"dangling.md cannot be read: no such file or directory",
		"deep.html not readable as HTML: open stack of elements exceeds 512 nodes",
		"empty.md empty",
		"latin.md invalid UTF-8: byte 0xe9 at offset 3 (line 1)",
		"loop a symbolic link to a folder, which is not followed",
		"nothing.html the page has no visible text",
		"utf16.txt UTF-16 text; convert it with: iconv -f UTF-16 -t UTF-8",
	}
	for range 2 { // a source can be read again
		docs, skips, err := read(t, corpus.Spec{Path: root})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(wantDocs, docs); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(wantSkips, skips); diff != "" {
			t.Error(diff)
		}
	}
}

func TestFileAndGlob(t *testing.T) {
	root := tree(t, map[string]string{
		"docs/a.md": "a", "docs/x/b.md": "b", "docs/x/c.txt": "c", "notes.rst": "read as text",
		"shards/1.jsonl": `{"id":"s1","text":"x"}`, "shards/2.jsonl.gz": `{"id":"s2","text":"y"}` + "\n" + `{"id":"s1","text":"again"}`,
	})
	for _, tt := range []struct {
		path  string
		docs  []string
		skips int
	}{
		{"docs/a.md", []string{"a.md"}, 0},
		{"notes.rst", []string{"notes.rst"}, 0},
		{"docs/**/*.md", []string{"a.md", "x/b.md"}, 0},
		{"docs/{a,x/b}.md", []string{"a.md", "x/b.md"}, 0},
		{"*/x/*", []string{"docs/x/b.md", "docs/x/c.txt"}, 0},
		{"shards/*", []string{"s1", "s2"}, 1},
	} {
		docs, skips, err := read(t, corpus.Spec{Path: filepath.Join(root, tt.path)})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.docs, docs); diff != "" || len(skips) != tt.skips {
			t.Errorf("%s: %s, skips %q", tt.path, diff, skips)
		}
	}
}

func TestRecords(t *testing.T) {
	lines := []string{
		`{"_id":"d1","title":"T","text":"one","metadata":{"year":2024}}`,
		`{"id":2637283987631399372,"text":"digits survive"}`,
		``,
		`{"id":"d1","text":"again"}`,
		`not json`,
		`{"id":"d3"}`,
		`{"text":"no id"}`,
		`{"id":"d4","text":""}`,
		`{"id":"d5","text":7}`,
		`{"id":["d6"],"text":"x"}`,
		`{"id":"d7","text":"x"} {"id":"d8","text":"y"}`,
		"{\"id\":\"d9\",\"text\":\"caf\xe9\"}",
		`["d10"]`,
		`{"id":"d11","text":"` + strings.Repeat("x", 256<<10) + `"}`, // its last piece alone is short
		`{"id":"d12","text":"line\u2028separator"}`,
		`{"id":"d13","text":"# M\n\nx","format":"markdown"}`,
		`{"id":"d14","text":"x","format":"pdf"}`,
		`{"id":"d15","text":"cut`,
	}
	wantDocs := []string{"d1", "2637283987631399372", "d12", "d13"}
	wantSkips := []string{
		`4 its id "d1" was used before (line 1)`,
		`5 not the expected JSON: invalid character 'o' in literal null (expecting 'u')`,
		`6 document "d3" has no "text"`,
		`7 no "id" (or "_id")`,
		`8 the text of document "d4": empty`,
		`9 not the expected JSON: "text" is a number, wanted string`,
		`10 the id is neither a string nor a number`,
		`11 not the expected JSON: more than one value on the line`,
		`12 invalid UTF-8`,
		`13 not the expected JSON: a array, wanted an object`,
		`14 the line is longer than 1024 bytes`,
		`17 document "d14" has the format "pdf"; records hold text or markdown`,
		`18 not the expected JSON: it ends in the middle`,
	}
	for _, name := range []string{"c.jsonl", "c.jsonl.gz", "beir/corpus.jsonl", "beirgz/corpus.jsonl.gz"} {
		root := tree(t, map[string]string{name: strings.Join(lines, "\r\n")})
		path := filepath.Join(root, name)
		spec := corpus.Spec{Path: path, MaxBytes: 1024}
		if strings.HasPrefix(name, "beir") {
			spec.Path = filepath.Dir(path)
		}
		docs, skips, err := read(t, spec)
		if err != nil {
			t.Fatal(err)
		}
		for i := range skips {
			_, skips[i], _ = strings.Cut(skips[i], ".jsonl")
			skips[i] = strings.TrimPrefix(strings.TrimPrefix(skips[i], ".gz"), ":")
		}
		if diff := cmp.Diff(wantDocs, docs); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(wantSkips, skips); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestRecordsStayWhole: BEIR documents are chunks with their own ids, so that qrels name them.
func TestRecordsStayWhole(t *testing.T) {
	root := tree(t, map[string]string{"corpus.jsonl": `{"_id":"d1","title":"A title","text":"One. Two.","metadata":{"n":12345678901234567890}}`})
	src, err := corpus.Open(corpus.Spec{Path: root})
	if err != nil {
		t.Fatal(err)
	}
	for c, err := range src.Chunks(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if c.ID != "d1" || c.Document != "d1" || c.Text != "One. Two." || *c.Span != (assay.Span{End: 9}) || fmt.Sprint(c.Metadata["n"]) != "12345678901234567890" {
			t.Errorf("chunk %+v", c)
		}
		if got := corpus.IndexText(&c); got != "A title One. Two." {
			t.Errorf("index text %q", got)
		}
	}
	if got := corpus.IndexText(&assay.Chunk{Text: "x"}); got != "x" {
		t.Errorf("index text without title %q", got)
	}
}

func TestBrokenGzip(t *testing.T) {
	whole := gzipped(t, []byte(strings.Repeat(`{"id":"a","text":"x"}`+"\n", 1)+strings.Repeat(`{"id":"b","text":"y y y y"}`+"\n", 5000)))
	for name, data := range map[string][]byte{"cut.jsonl.gz": whole[:len(whole)-12], "no.jsonl.gz": []byte("plain text")} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		docs, skips, err := read(t, corpus.Spec{Path: path})
		last := skips[len(skips)-1]
		switch name {
		case "no.jsonl.gz":
			if len(docs) != 0 || err == nil || !strings.Contains(last, "not gzip") {
				t.Errorf("%s: %q %q %v", name, docs, skips, err)
			}
		case "cut.jsonl.gz":
			if err != nil || len(docs) != 2 || !strings.Contains(last, "the rest of the file cannot be read: unexpected EOF") {
				t.Errorf("%s: %q %q %v", name, docs, last, err)
			}
		}
	}
}

func TestHugeFileIsNotRead(t *testing.T) {
	root := tree(t, map[string]string{"a.md": "a"})
	f, err := os.Create(filepath.Join(root, "huge.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(1 << 30); err != nil { // sparse: takes no disk
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	docs, skips, err := read(t, corpus.Spec{Path: root})
	if err != nil || len(docs) != 1 || len(skips) != 1 || !strings.Contains(skips[0], "1024.0 MiB, more than the 64 MiB") {
		t.Errorf("%q %q %v", docs, skips, err)
	}
}

func TestNothingThere(t *testing.T) {
	root := tree(t, map[string]string{"pdfs/a.pdf": "x", "pdfs/b.PDF": "y", "pdfs/c.docx": "z", "bad/a.md": "", "bad/b.md": "\xff", "void/.keep": "", "e.jsonl": ""})
	for path, want := range map[string][2]string{
		"":             {"no corpus given", "corpus.path"},
		"missing":      {"does not exist", "relative"},
		"pdfs":         {"has no documents", "2 .pdf, 1 .docx files"},
		"void":         {"has no documents", "hidden ones are left out"},
		"bad":          {"all 2 files or records were skipped, first", ".md"},
		"bad/a.md":     {"skipped: empty", ".md"},
		"e.jsonl":      {"skipped: empty", "JSON lines"},
		"void/*.md":    {"has no documents", ".md"},
		"[":            {"not a valid glob", ""},
		"pdfs/**/*.md": {"has no documents", ".md"},
	} {
		spec := corpus.Spec{Path: path}
		if path != "" && path != "[" {
			spec.Path = filepath.Join(root, path)
		}
		docs, _, err := read(t, spec)
		if err == nil || !errors.Is(err, assay.ErrUsage) || !strings.Contains(err.Error(), want[0]) || !strings.Contains(assay.Hint(err), want[1]) {
			t.Errorf("%q: %v, error %v, hint %q", path, docs, err, assay.Hint(err))
		}
		if _, skip := corpus.AsSkip(err); skip {
			t.Errorf("%q: the error that ends the reading passes for a skip", path)
		}
	}
	if _, err := corpus.Open(corpus.Spec{Path: root, Chunk: corpus.Chunking{By: "page"}}); !errors.Is(err, assay.ErrUsage) {
		t.Errorf("unknown chunker: %v", err)
	}
}

func TestUnreadableFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	root := tree(t, map[string]string{"a.md": "a", "locked/b.md": "b", "c.md": "c"})
	if err := os.Chmod(filepath.Join(root, "locked"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(root, "locked"), 0o755) })
	docs, skips, err := read(t, corpus.Spec{Path: root})
	if err != nil || len(docs) != 2 || len(skips) != 1 || !strings.Contains(skips[0], "permission denied") {
		t.Errorf("%q %q %v", docs, skips, err)
	}
}

func TestReadingEndsWhenAsked(t *testing.T) {
	root := tree(t, map[string]string{"a.md": "a", "b.md": "b", "c.md": "c"})
	src, err := corpus.Open(corpus.Spec{Path: root})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var got []string
	for doc, err := range src.Documents(ctx) {
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		got = append(got, doc.ID)
		cancel()
	}
	if diff := cmp.Diff([]string{"a.md", "context canceled"}, got); diff != "" {
		t.Error(diff)
	}
	for range src.Documents(context.Background()) {
		break
	}
}

func TestFrontMatter(t *testing.T) {
	for name, tt := range map[string]struct {
		text, title, first string
		meta               map[string]any
	}{
		"yaml":     {"---\ntitle: Backups\ntags: [a, b]\nn: 3\nratio: .inf\n---\n# H\ntext", "Backups", "# H\ntext", map[string]any{"title": "Backups", "tags": []any{"a", "b"}, "n": uint64(3), "ratio": "+Inf"}},
		"crlf":     {"---\r\ntitle: Backups\r\n---\r\ntext", "Backups", "text", map[string]any{"title": "Backups"}},
		"dots":     {"---\ntitle: X\n...\ntext", "X", "text", map[string]any{"title": "X"}},
		"toml":     {"+++\ntitle = 'X'\n+++\ntext", "", "text", nil},
		"broken":   {"---\ntitle: Backups: how\n---\ntext", "Backups: how", "text", nil},
		"bomb":     {"---\na: &a [x]\nb: [*a, *a]\ntitle: T\n---\ntext", "T", "text", nil},
		"empty":    {"---\n---\ntext", "", "text", nil},
		"rule":     {"---\nJust text.\n---\ntext", "", "---", nil}, // a thematic break, then a setext heading
		"open":     {"---\ntitle: X\ntext", "", "---\ntitle: X\ntext", nil},
		"heading":  {"text\n# First\n# Second", "First", "text", nil},
		"no title": {"## Sub\ntext", "", "## Sub\ntext", nil},
	} {
		t.Run(name, func(t *testing.T) {
			doc := document(tt.text, corpus.FormatMarkdown)
			if doc.Title != tt.title {
				t.Errorf("title %q, want %q", doc.Title, tt.title)
			}
			if diff := cmp.Diff(tt.meta, doc.Metadata); diff != "" {
				t.Error(diff)
			}
			if doc.Text != tt.text {
				t.Errorf("the canonical text changed to %q", doc.Text)
			}
			if got := split(t, doc, corpus.DefaultChunking)[0].Text; got != tt.first {
				t.Errorf("first chunk %q, want %q", got, tt.first)
			}
		})
	}
}

// TestHostileMarkdown: nesting, brackets and runs that make parsers slow or deep. Each takes milliseconds
// here; where a bound is lost it takes minutes, and the test's own deadline ends it.
func TestHostileMarkdown(t *testing.T) {
	for _, text := range []string{
		strings.Repeat(">", 200_000), strings.Repeat("- a\n  ", 20_000), strings.Repeat("[", 200_000), strings.Repeat("* ", 100_000) + "x",
		"# " + strings.Repeat("[", 200_000), "---\n" + strings.Repeat("[", 60_000) + "\n---\n", "---\na: " + strings.Repeat("{a: ", 10_000) + "\n---\n",
		strings.Repeat("1. ", 50_000), strings.Repeat("```\n", 50_000), strings.Repeat("a\n", 100_000) + "===\n",
		strings.Repeat("\u0e33", 100_000), strings.Repeat("\u0e01\u0e33", 50_000), "x" + strings.Repeat("\u0301", 100_000), strings.Repeat("\u0600", 100_000),
		"---\n" + strings.Repeat("a: b\n", 6000) + "---\n", "---\n" + strings.Repeat("- ", 15000) + "---\n", "---\n" + strings.Repeat("a: - ", 6000) + "\n---\n", "---\na: " + strings.Repeat("\"", 30000) + "\n---\n", "---\na: " + strings.Repeat("[[]],", 300) + "\n---\n", "---\n" + strings.Repeat("? ", 15000) + "---\n", "---\n" + strings.Repeat("!!a ", 7000) + "---\n", "---\na: |\n" + strings.Repeat(" x\n", 9000) + "---\n", "---\n" + strings.Repeat("&a ", 9000) + "---\n",
		"---\n" + func() string {
			var b strings.Builder
			for i := range 200 {
				b.WriteString(strings.Repeat(" ", i) + "a:\n")
			}
			return b.String()
		}() + "---\n",
		strings.Repeat("[a]: b\n", 50000), strings.Repeat("*a", 100000), strings.Repeat("<a ", 50000), strings.Repeat("a\n\n", 100000),
	} {
		doc := document(text, corpus.FormatMarkdown)
		split(t, doc, corpus.DefaultChunking)
	}
}
