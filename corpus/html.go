package corpus

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/assay-eval/assay"
)

// Page is what a reader sees of an HTML page.
type Page struct {
	Title   string // of the head
	Text    string // the canonical text
	Outline []Heading
}

// HTMLText extracts the visible text of a page. White space is collapsed as a browser does, except in
// pre; a paragraph, heading, list, table or other block stands apart by a blank line, a list item, table
// row or line break by a line break, a table cell by a tab. Scripts, styles, templates, controls, embedded
// media and elements that are hidden by attribute are left out; what only a style sheet hides is not.
// It fails on a page nested deeper than the parser allows.
func HTMLText(source string) (Page, error) {
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return Page{}, fmt.Errorf("not readable as HTML: %s", strings.TrimPrefix(err.Error(), "html: "))
	}
	w := &pageWriter{}
	w.node(root)
	return Page{Title: w.title, Text: w.out.String(), Outline: w.outline}, nil
}

// pageWriter collects text; white space is written only once something visible follows it.
type pageWriter struct {
	out     strings.Builder
	title   string
	outline []Heading
	breaks  int  // line breaks owed before the next text
	tab     bool // a cell boundary is owed
	space   bool // a blank is owed
	pre     int  // depth inside pre
}

// node writes a node and what is in it. The parser bounds the depth.
func (w *pageWriter) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		w.text(n.Data)
		return
	case html.DocumentNode:
		w.children(n)
		return
	case html.ElementNode:
	default:
		return
	}
	how := displays[n.DataAtom]
	switch {
	case n.DataAtom == atom.Title && n.Namespace == "":
		if w.title == "" {
			w.title = clip(strings.Join(strings.Fields(textOf(n)), " "), maxTitle)
		}
		return
	case n.DataAtom == atom.Head:
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.DataAtom == atom.Title {
				w.node(c)
			}
		}
		return
	case how == hidden || concealed(n):
		return
	}
	w.boundary(how)
	heading := -1
	if level := headingLevel(n.DataAtom); level > 0 {
		heading = w.beginHeading(level)
	}
	if n.DataAtom == atom.Pre {
		w.pre++
		defer func() { w.pre-- }()
	}
	w.children(n)
	if heading >= 0 {
		w.endHeading(heading)
	}
	if n.DataAtom != atom.Br {
		w.boundary(how)
	}
}

func (w *pageWriter) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c)
	}
}

// boundary owes the break that an element's edge makes.
func (w *pageWriter) boundary(d display) {
	switch d {
	case line:
		w.breaks = max(w.breaks, 1)
	case block:
		w.breaks = 2
	case cell:
		w.tab = true
	}
}

// text writes a text node.
func (w *pageWriter) text(s string) {
	if w.pre > 0 {
		w.preformatted(s)
		return
	}
	for s != "" {
		i := strings.IndexFunc(s, isHTMLSpace)
		if i == 0 {
			w.space = true
			s = strings.TrimLeftFunc(s, isHTMLSpace)
			continue
		}
		if i < 0 {
			i = len(s)
		}
		w.word(s[:i])
		s = s[i:]
	}
}

// preformatted writes text with its white space, from its first line with something on it.
func (w *pageWriter) preformatted(s string) {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	if w.breaks > 0 || w.out.Len() == 0 {
		if s = strings.TrimLeft(s, "\n"); strings.TrimSpace(s) == "" {
			return
		}
	}
	if s != "" {
		w.word(s)
	}
}

// word writes visible text after the white space owed.
func (w *pageWriter) word(s string) {
	switch {
	case w.out.Len() == 0:
	case w.breaks > 0:
		w.out.WriteString("\n\n"[:w.breaks])
	case w.tab:
		w.out.WriteByte('\t')
	case w.space:
		w.out.WriteByte(' ')
	}
	w.breaks, w.tab, w.space = 0, false, false
	w.out.WriteString(s)
}

// beginHeading notes a heading whose text is about to be written.
func (w *pageWriter) beginHeading(level int) int {
	at := w.out.Len()
	if at > 0 {
		at += w.breaks
	}
	w.outline = append(w.outline, Heading{Span: assay.Span{Start: at, End: at}, Level: level})
	return len(w.outline) - 1
}

// endHeading completes a heading, or forgets it when it had no text.
func (w *pageWriter) endHeading(i int) {
	h := &w.outline[i]
	if end := w.out.Len(); end > h.Span.Start {
		h.Span.End = end
		h.Title = clip(strings.Join(strings.Fields(w.out.String()[h.Span.Start:end]), " "), maxTitle)
		return
	}
	w.outline = append(w.outline[:i], w.outline[i+1:]...)
}

// clip bounds a title, at a rune boundary.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}
