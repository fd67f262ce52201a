package report

import (
	"bytes"
	"encoding/csv"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/term"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

func render(t *testing.T, f Format, m *Model) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, m); err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return b.String()
}

// onTerminal is what a person sees, results and the rest apart.
func onTerminal(t *testing.T, m *Model, tty bool) (out, rest string) {
	t.Helper()
	var o, r bytes.Buffer
	term := Terminal{
		Streams: &term.Streams{Out: &o, Err: &r, OutTTY: tty},
		Warn: func(ws []assay.Warning) {
			for _, w := range ws {
				r.WriteString("warning: " + term.Printable(w.Text) + "\n")
			}
		},
		Note: func(format string, args ...any) {
			r.WriteString(strings.ReplaceAll(format, "%s", args[0].(string)) + "\n")
		},
	}
	if err := term.Write(m); err != nil {
		t.Fatal(err)
	}
	return o.String(), r.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func TestGolden(t *testing.T) {
	m := sample("docs_v3")
	out, rest := onTerminal(t, m, true)
	golden(t, "sample.terminal", out+"--- beside\n"+rest)
	out, _ = onTerminal(t, m, false)
	golden(t, "sample.piped", out)
	for _, f := range formats {
		golden(t, "sample"+f.Extensions[0], render(t, f, m))
	}
}

func TestSameModelSameBytes(t *testing.T) {
	for _, f := range formats {
		if a, b := render(t, f, sample(hostile[0])), render(t, f, sample(hostile[0])); a != b {
			t.Errorf("%s differs from call to call", f.Name)
		}
	}
}

// TestHTMLTakesNoTextForMarkup holds a page with foreign text everywhere against one with a plain word in its place: the
// elements and their attributes' names must be the same, and each text must be found as text.
func TestHTMLTakesNoTextForMarkup(t *testing.T) {
	f, err := ForFile("x.html")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := skeleton(t, render(t, f, sample("word")))
	for _, s := range hostile {
		got, text := skeleton(t, render(t, f, sample(s)))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q changes the page (-want +got):\n%s", s, diff)
		}
		if strings.ContainsAny(text, "\x1b\u202e") {
			t.Errorf("%q can turn the text around", s)
		}
		if n := strings.Count(squeeze(text), squeeze(term.Printable(s))); n < 15 {
			t.Errorf("%q is found as text %d times only", s, n)
		}
	}
}

// skeleton lists the elements of a page with the names of their attributes, and its text.
func skeleton(t *testing.T, page string) (elements []string, text string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for n := range root.Descendants() {
		switch n.Type {
		case html.ElementNode:
			if n.Data == "code" && len(n.Attr) == 0 {
				continue // assay's own sentences may quote a text, in which backticks then make code
			}
			e := n.Data
			for _, a := range n.Attr {
				e += " " + a.Key
			}
			elements = append(elements, e)
		case html.TextNode:
			b.WriteString(n.Data + " ")
		}
	}
	return elements, b.String()
}

func TestCSVIsReadBack(t *testing.T) {
	f, err := ForFile("x.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range hostile {
		rows, err := csv.NewReader(strings.NewReader(render(t, f, sample(s)))).ReadAll()
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if got := strings.TrimPrefix(rows[1][10], "'"); got != s {
			t.Errorf("read back as %q, want %q", got, s)
		}
		if strings.ContainsAny(rows[1][10][:1], "=+-@") {
			t.Errorf("%q begins like a formula", rows[1][10])
		}
	}
}

func TestTerminalPassesNoControlCharacter(t *testing.T) {
	for _, s := range hostile {
		out, rest := onTerminal(t, sample(s), true)
		if strings.ContainsAny(out+rest, "\x1b\u202e\r") {
			t.Errorf("%q reaches the terminal", s)
		}
	}
}

func TestForFile(t *testing.T) {
	for path, want := range map[string]string{"a.html": "HTML", "b.HTM": "HTML", "c/d.md": "Markdown", "e.csv": "CSV", "f.json": "JSON"} {
		if f, err := ForFile(path); err != nil || f.Name != want {
			t.Errorf("%s: %s, %v", path, f.Name, err)
		}
	}
	for _, path := range []string{"a.pdf", "report", "x.csv"} {
		if _, err := ForFile(path, ".html", ".md"); err == nil || assay.Hint(err) != "name the file something.{html,md}" {
			t.Errorf("%s: %v, hint %q", path, err, assay.Hint(err))
		}
	}
}
