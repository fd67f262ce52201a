//go:build unix

package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"github.com/assay-eval/assay/internal/browser"
)

// The texts of case C20.
const (
	hostileChunk  = `<img src=x onerror=alert(1)>`
	hostileQuery  = `</script><script>alert(1)</script>`
	hostileSystem = `"><b>`
)

// hostileProject has these texts as a chunk, a query and the name of a system, two runs of that system and one of
// another, a baseline, and every report of them in every format.
func hostileProject(t *testing.T) *folder {
	t.Helper()
	f := newFolder(t)
	f.write("docs/a.md", "# Backups\n\nBackups are kept for thirty days, alert the second site. "+hostileChunk+"\n")
	f.write("docs/b.md", "# Keys\n\nThe script that opens the door is in the cupboard.\n")
	f.write("docs/c.md", "# Food\n\nLunch is at noon, and a script alert rings.\n")
	f.write("assay.yaml", "corpus: {path: docs}\nsystems:\n  "+strconv.Quote(hostileSystem)+": {retriever: {kind: bm25}, k: 3}\n  other: {retriever: {kind: bm25, analyzer: standard}, k: 2}\n"+
		"gate: {rules: [\"recall@10 drop < 0.1\", \"recall@10 >= 0.5\"]}\n")
	var pairs strings.Builder
	for i, q := range []string{hostileQuery, "how long are backups kept", "where is the script", "when is lunch", "what rings", "who alerts the site"} {
		line, err := json.Marshal(map[string]any{"query": q, "relevant_chunk_id": []string{"b.md", "a.md", "b.md", "c.md", "c.md", "a.md"}[i], "tags": []string{hostileSystem}})
		if err != nil {
			t.Fatal(err)
		}
		pairs.Write(append(line, '\n'))
	}
	f.write("pairs.jsonl", pairs.String())
	f.run(exitOK, "import", "pairs.jsonl")
	f.run(exitOK, "run")
	f.run(exitOK, "baseline", "set", "last", "--system", hostileSystem)
	f.write("assay.yaml", strings.Replace(f.read("assay.yaml"), "k: 3", "k: 1", 1))
	f.run(exitOK, "run", hostileSystem)
	return f
}

// reportCommand is a command that writes reports, with the formats it has and the texts that it must show in each.
type reportCommand struct {
	name    string
	args    []string
	formats []string
	shows   []string
}

var reportCommands = []reportCommand{
	{"report", []string{"report", "last", "--system", hostileSystem}, []string{"html", "md", "json", "csv"}, []string{hostileSystem, hostileQuery, hostileChunk}},
	{"systems", []string{"report"}, []string{"html", "md", "json", "csv"}, []string{hostileSystem}},
	{"history", []string{"history", "--trend"}, []string{"html", "md", "svg", "csv"}, []string{hostileSystem}},
	{"compare", []string{"compare", "last~1", "last", "--system", hostileSystem}, []string{"html", "md", "json", "csv"}, []string{hostileQuery}},
}

// has reports which of its texts a command shows in a format: a CSV file has no room for passages, and the scores of queries
// none for the name of a system.
func (r *reportCommand) has(format string) []string {
	return slices.DeleteFunc(slices.Clone(r.shows), func(text string) bool {
		return (format == "csv" || format == "terminal") && (text == hostileChunk || r.name == "report" && text == hostileSystem && format == "csv")
	})
}

// TestHostileTexts is case C20: such texts are shown as text in every output, and kept byte for byte in the files.
func TestHostileTexts(t *testing.T) {
	f := hostileProject(t)
	for _, r := range reportCommands {
		args := slices.Clone(r.args)
		for _, format := range r.formats {
			args = append(args, "--out", r.name+"."+format)
		}
		p := f.run(exitOK, args...)
		shown := map[string]string{"terminal": p.out.String()}
		for _, format := range r.formats {
			shown[format] = asRead(t, format, f.read(r.name+"."+format))
		}
		for format, text := range shown {
			for _, want := range r.has(format) {
				if !strings.Contains(text, want) {
					t.Errorf("%s as %s does not show %s:\n%s", r.name, format, want, text)
				}
			}
		}
	}
	if !strings.Contains(f.read("testset/queries.jsonl"), jsonText(t, hostileQuery)) {
		t.Error("the query is not kept byte for byte")
	}
	passages, err := filepath.Glob(f.path("runs/*/passages.jsonl"))
	if err != nil || len(passages) != 3 {
		t.Fatal(passages, err)
	}
	kept, err := os.ReadFile(passages[0])
	if err != nil || !strings.Contains(string(kept), hostileChunk) {
		t.Errorf("the chunk is not kept byte for byte: %s, %v", kept, err)
	}
}

func jsonText(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// asRead is what somebody reads in a file: the texts of a page, a picture or a table, with nothing in it that is run or
// loaded.
func asRead(t *testing.T, format, file string) string {
	t.Helper()
	var b strings.Builder
	switch format {
	case "md":
		var page bytes.Buffer
		md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(gmhtml.WithUnsafe()))
		if err := md.Convert([]byte(file), &page); err != nil {
			t.Fatal(err)
		}
		return asRead(t, "html", page.String())
	case "html":
		root, err := html.Parse(strings.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		for n := range root.Descendants() {
			if n.Type == html.TextNode {
				b.WriteString(n.Data + " ")
			}
			if n.Type == html.ElementNode && slices.Contains([]string{"script", "img", "b", "iframe", "object"}, n.Data) {
				t.Errorf("the page holds <%s>", n.Data)
			}
		}
	case "svg":
		dec := xml.NewDecoder(strings.NewReader(file))
		for {
			tok, err := dec.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			switch tok := tok.(type) {
			case xml.CharData:
				b.Write(tok)
			case xml.StartElement:
				if !strings.Contains(" svg g title style rect line path circle text ", " "+tok.Name.Local+" ") {
					t.Errorf("the picture holds <%s>", tok.Name.Local)
				}
			}
		}
	case "csv":
		rows, err := csv.NewReader(strings.NewReader(file)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			b.WriteString(strings.Join(r, " ") + " ")
		}
	case "json":
		var v any
		if err := json.Unmarshal([]byte(file), &v); err != nil {
			t.Fatal(err)
		}
		return jsonStrings(v)
	}
	return b.String()
}

func jsonStrings(v any) string {
	switch v := v.(type) {
	case string:
		return v + " "
	case []any:
		out := ""
		for _, e := range v {
			out += jsonStrings(e)
		}
		return out
	case map[string]any:
		out := ""
		for _, e := range v {
			out += jsonStrings(e)
		}
		return out
	}
	return ""
}

// TestReportPagesInABrowser opens the pages that the commands write as their readers do: nothing on the console, no request but
// for the page itself, every text legible in both themes, a table beside every figure.
func TestReportPagesInABrowser(t *testing.T) {
	b := browser.Start(t)
	f := hostileProject(t)
	for _, r := range reportCommands {
		page := r.name + ".html"
		f.run(exitOK, append(slices.Clone(r.args), "--out", page)...)
		for _, dark := range []bool{false, true} {
			p := b.Open(t, f.path(page), dark)
			p.Sound(page+", "+browser.Theme(dark), page)
			if n := browser.Eval[int](p, `[...document.querySelectorAll("figure")].filter(f => !f.querySelector("table")).length`); n > 0 {
				t.Errorf("%s: %d figures without a table", page, n)
			}
			if n := browser.Eval[int](p, `[...document.querySelectorAll("table")].filter(t => !t.closest("[tabindex='0']")).length`); n > 0 {
				t.Errorf("%s: %d tables that the keyboard does not reach", page, n)
			}
			if n := browser.Eval[int](p, `(ids => ids.length - new Set(ids).size)([...document.querySelectorAll("[id]")].map(e => e.id))`); n > 0 {
				t.Errorf("%s: %d ids are given twice", page, n)
			}
			if !dark {
				for _, text := range r.shows {
					if !browser.Eval[bool](p, `document.body.textContent.includes(`+jsonText(t, text)+`)`) {
						t.Errorf("%s does not show %s", page, text)
					}
				}
			}
		}
	}
}
