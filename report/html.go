package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page and its style
	"encoding/base64"
	"html/template"
	"io"
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/term"
)

var _ = register(Format{Name: "HTML", Extensions: []string{".html", ".htm"}, Write: WriteHTML})

//go:embed page.html
var pageSource string

//go:embed page.css
var pageStyle string

//go:embed figure.css
var figureStyle string

var style = strings.TrimSpace(figureStyle) + "\n" + strings.TrimSpace(pageStyle) + "\n"

// styleHash lets the page's own style in and no other: the page forbids itself everything that is not named in its
// Content-Security-Policy, so that not even a fault in the escaping could load or run anything.
var styleHash = func() string {
	sum := sha256.Sum256([]byte(style))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}()

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"kind":     blockKind,
	"tone":     toneClass,
	"class":    cellClass,
	"cell":     cellHTML,
	"prose":    proseHTML,
	"slug":     slug,
	"cells":    func(t *Table, row []Cell) []Cell { return t.cells(row) },
	"right":    func(t *Table, col int) bool { return t.right(col) },
	"heading":  func(c Column) string { return c.heading() },
	"notes":    func(t *Table) []string { return t.notes() },
	"drawing":  func(f Figure) template.HTML { return template.HTML(draw(f).svg(f.alt())) },
	"ranking":  func(r Ranking) *Table { return r.table() },
	"headText": func(q *Query) string { return term.Shorten(q.Text, 160) },
}).Parse(pageSource))

// WriteHTML writes the model as one self-contained page: no script, nothing loaded, readable without a network.
func WriteHTML(w io.Writer, m *Model) error {
	var b bytes.Buffer
	err := page.Execute(&b, struct {
		Model     *Model
		Style     template.CSS
		StyleHash string
	}{m, template.CSS(style), styleHash})
	if err != nil {
		return err
	}
	_, err = w.Write(bytes.Map(visible, b.Bytes()))
	return err
}

// visible marks what could turn the order of a text around or is no text at all. The page is escaped by now, so this
// catches every foreign text in it.
func visible(r rune) rune {
	if unicode.Is(unicode.Bidi_Control, r) || unicode.IsControl(r) && r != '\n' && r != '\t' {
		return '\ufffd'
	}
	return r
}

func blockKind(b Block) string {
	switch b.(type) {
	case Text:
		return "text"
	case Note:
		return "note"
	case Warnings:
		return "warnings"
	case Facts:
		return "facts"
	case *Table:
		return "table"
	case *Plot:
		return "plot"
	case *Query:
		return "query"
	}
	return ""
}

func toneClass(t Tone) string {
	switch t {
	case Good:
		return "good"
	case Bad:
		return "bad"
	case Caution:
		return "caution"
	case Faint:
		return "faint"
	}
	return ""
}

// cellClass is how a cell is set: a number to the right, and what is unknown as its column is.
func cellClass(t *Table, col int, c Cell) string {
	var out []string
	if c.Numeric() && !t.Columns[col].Left || !c.Known() && t.right(col) {
		out = append(out, "num")
	}
	switch c.kind {
	case codeCell:
		out = append(out, "code")
		if len(c.text) <= 40 {
			out = append(out, "at") // an id reads badly in pieces
		}
	case instantCell:
		out = append(out, "at")
	}
	if t := toneClass(c.Tone); t != "" {
		out = append(out, t)
	}
	return strings.Join(out, " ")
}

// cellHTML writes a cell; its interval is set back behind the value, and a tone has a mark beside its colour.
func cellHTML(c Cell) template.HTML {
	var b strings.Builder
	switch c.Tone {
	case Good:
		b.WriteString(`<span class="mark" aria-hidden="true">▲</span>`)
	case Bad:
		b.WriteString(`<span class="mark" aria-hidden="true">▼</span>`)
	}
	text := func(s string) string { return template.HTMLEscapeString(term.Printable(s)) }
	b.WriteString(text(c.Value()))
	if bounds := c.Bounds(); bounds != "" && c.kind != spanCell {
		b.WriteString(` <span class="bounds">[` + text(strings.Replace(bounds, " – ", ", ", 1)) + `]</span>`)
	}
	return template.HTML(b.String())
}

// proseHTML is a sentence of assay's own, in which a span in backticks is code.
func proseHTML(s any) template.HTML {
	text, ok := s.(string)
	switch s := s.(type) {
	case Text:
		text, ok = string(s), true
	case Note:
		text, ok = string(s), true
	}
	if !ok {
		return ""
	}
	var b strings.Builder
	for i, p := range spans(text) {
		p = template.HTMLEscapeString(term.Printable(p))
		if i%2 == 1 {
			p = "<code>" + p + "</code>"
		}
		b.WriteString(p)
	}
	return template.HTML(b.String())
}

// slug makes an id of a page's element out of any text.
func slug(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-':
			return r
		case r >= 'A' && r <= 'Z':
			return r + ('a' - 'A')
		}
		return '-'
	}, s)
}
