package corpus

import "github.com/assay-eval/assay"

// The formats of documents.
const (
	FormatText     = "text"
	FormatMarkdown = "markdown"
	FormatHTML     = "html"
)

// Document is a document with what its source knew about its structure.
type Document struct {
	assay.Document
	Outline []Heading // headings in order of place
	body    int       // where the text after front matter begins
}

// Heading is one heading of a document's outline.
type Heading struct {
	Span  assay.Span // of the heading itself in the canonical text, markup included
	Level int        // 1 to 6
	Title string     // its text without markup, one line
}

// NewDocument reads the structure of a document's text by its Format: the outline and the front matter of
// Markdown. HTML's outline is known only where the HTML was, so an HTML document made here has none. The
// title, where it has none, is that of the front matter, else of the first heading of level 1.
func NewDocument(d assay.Document) *Document {
	doc := &Document{Document: d}
	if d.Format == FormatMarkdown {
		front := parseFrontMatter(d.Text)
		doc.body = front.end
		doc.Outline = markdownOutline(d.Text, front.end)
		if doc.Title == "" {
			doc.Title = front.title
		}
		if doc.Metadata == nil {
			doc.Metadata = front.fields
		}
	}
	doc.titleFromOutline()
	return doc
}

// titleFromOutline gives a document without a title that of its first heading of level 1.
func (d *Document) titleFromOutline() {
	if d.Title != "" {
		return
	}
	for _, h := range d.Outline {
		if h.Level == 1 {
			d.Title = h.Title
			return
		}
	}
}

// bodyStart is where the text after front matter begins.
func (d *Document) bodyStart() int { return min(d.body, len(d.Text)) }
