package corpus

import (
	"strings"

	"github.com/assay-eval/assay"
)

// section is the text from one heading to the next, with the titles of the headings above it.
type section struct {
	span assay.Span
	path string
}

// pathSeparator joins the titles of nested headings.
const pathSeparator = " > "

// sections cuts the body of a document at its headings. Text before the first heading is a section of its
// own. A heading with no text of its own joins the section below it, since a bare title answers nothing.
func sections(doc *Document, body assay.Span) []section {
	out := []section{}
	start, path := body.Start, doc.Title
	var stack []Heading
	for i, h := range doc.Outline {
		if h.Span.Start < body.Start {
			continue
		}
		joins := i > 0 && h.Level > doc.Outline[i-1].Level && start == doc.Outline[i-1].Span.Start &&
			isSpace(doc.Text[doc.Outline[i-1].Span.End:h.Span.Start])
		if !joins {
			out = append(out, section{assay.Span{Start: start, End: h.Span.Start}, path})
			start = h.Span.Start
		}
		for len(stack) > 0 && stack[len(stack)-1].Level >= h.Level {
			stack = stack[:len(stack)-1]
		}
		stack = append(stack, h)
		path = pathOf(doc.Title, stack)
	}
	return append(out, section{assay.Span{Start: start, End: body.End}, path})
}

// pathOf joins the document's title, unless the outermost heading repeats it, and the headings' titles.
func pathOf(title string, stack []Heading) string {
	var parts []string
	if title != "" && title != stack[0].Title {
		parts = append(parts, title)
	}
	for _, h := range stack {
		if h.Title != "" {
			parts = append(parts, h.Title)
		}
	}
	return strings.Join(parts, pathSeparator)
}
