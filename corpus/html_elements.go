package corpus

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// display is how an element stands in the flow of text.
type display uint8

const (
	inline display = iota
	line           // on lines of its own
	block          // apart by a blank line
	cell           // apart by a tab
	hidden         // not shown
)

var displays = map[atom.Atom]display{
	atom.Script: hidden, atom.Style: hidden, atom.Template: hidden, atom.Noscript: hidden,
	atom.Iframe: hidden, atom.Object: hidden, atom.Embed: hidden, atom.Video: hidden, atom.Audio: hidden,
	atom.Canvas: hidden, atom.Svg: hidden, atom.Select: hidden, atom.Textarea: hidden, atom.Datalist: hidden,
	atom.Noembed: hidden, atom.Noframes: hidden,

	atom.P: block, atom.H1: block, atom.H2: block, atom.H3: block, atom.H4: block, atom.H5: block, atom.H6: block,
	atom.Ul: block, atom.Ol: block, atom.Dl: block, atom.Table: block, atom.Pre: block, atom.Blockquote: block,
	atom.Section: block, atom.Article: block, atom.Aside: block, atom.Header: block, atom.Footer: block,
	atom.Main: block, atom.Nav: block, atom.Figure: block, atom.Form: block, atom.Fieldset: block,
	atom.Details: block, atom.Hr: block, atom.Body: block, atom.Address: block,

	atom.Div: line, atom.Li: line, atom.Tr: line, atom.Dt: line, atom.Dd: line, atom.Br: line, atom.Caption: line,
	atom.Figcaption: line, atom.Summary: line, atom.Legend: line, atom.Option: line, atom.Hgroup: line,

	atom.Td: cell, atom.Th: cell,
}

func headingLevel(a atom.Atom) int {
	switch a {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return int(a.String()[1] - '0')
	}
	return 0
}

// concealed reports whether an element is hidden by attribute.
func concealed(n *html.Node) bool {
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return !strings.EqualFold(a.Val, "until-found")
		case "style":
			style := strings.ToLower(strings.Join(strings.Fields(a.Val), ""))
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}

// isHTMLSpace is the white space that HTML collapses; a no-break space is not.
func isHTMLSpace(r rune) bool {
	return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f'
}
