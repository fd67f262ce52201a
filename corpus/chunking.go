package corpus

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
	"github.com/assay-eval/assay/internal/nearest"
)

// By names a chunker: it says where chunks begin.
type By string

// The chunkers.
const (
	ByHeading  By = "heading"  // at every heading of the document
	BySentence By = "sentence" // at every sentence
	ByFixed    By = "fixed"    // wherever Size is reached
	ByNone     By = "none"     // nowhere: a chunk is a document
)

// Unit is what Size and Overlap count.
type Unit string

// The units. A word is a segment of Unicode's word boundaries (UAX #29) that holds a letter, a digit or a
// pictograph: in Chinese that is one character, in Thai one cluster. A char is a Unicode code point.
const (
	Word Unit = "word"
	Char Unit = "char"
	Byte Unit = "byte"
)

// wordBytes bounds what counts as words: a chunk of n words is never longer than n times this, so that a
// page of base64 is not one word.
const wordBytes = 64

// Chunking says how documents are cut.
//
// By says where chunks begin and Size is the most a chunk holds. A section or sentence longer than that
// is cut again, and only there chunks overlap, by at most Overlap units of whole words. Cuts prefer, in
// the second half of a chunk, a blank line, then the end of a sentence, then white space (fixed: only
// white space), else a word boundary; a word longer than Size is cut between characters. A user-perceived
// character (grapheme cluster) is never cut: one larger than Size is a chunk of its own.
//
// Size 0 sets no bound: sections and sentences stay whole; fixed needs a size.
type Chunking struct {
	By      By
	Size    int
	Overlap int
	Unit    Unit // empty means Word
}

// DefaultChunking cuts files where the user did not say how; records of JSON lines and BEIR come ready
// cut and stay whole.
var DefaultChunking = Chunking{By: ByHeading, Size: 300, Overlap: 40, Unit: Word}

// check refuses what cannot be cut by.
func (c Chunking) check() error {
	by := []string{string(ByHeading), string(BySentence), string(ByFixed), string(ByNone)}
	units := []string{string(Word), string(Char), string(Byte)}
	switch c.By {
	case ByHeading, BySentence, ByFixed, ByNone:
	default:
		return assay.Usagef("unknown chunker %q%s", c.By, nearest.Suggest(string(c.By), by))
	}
	switch c.Unit {
	case Word, Char, Byte, "":
	default:
		return assay.Usagef("unknown unit %q%s", c.Unit, nearest.Suggest(string(c.Unit), units))
	}
	switch {
	case c.Size < 0 || c.Overlap < 0:
		return assay.Usagef("chunk size %d and overlap %d must not be negative", c.Size, c.Overlap)
	case c.By == ByFixed && c.Size == 0:
		return assay.WithHint(assay.Usagef("fixed chunks need a size"), "for example chunk: {by: fixed, size: 300, overlap: 40, unit: word}")
	case c.Size > 0 && c.Overlap >= c.Size:
		return assay.Usagef("overlap %d must be smaller than size %d", c.Overlap, c.Size)
	}
	return nil
}

// Split cuts a document into chunks. Chunks come in order; starts and ends strictly increase; Text is
// Text[Start:End] of the document; together they cover all of it but white space between chunks and, in
// Markdown, front matter. A document without anything but white space has no chunks. Chunk ids are
// "<document>#<start>-<end>"; with ByNone the document's own id, so that BEIR's qrels name chunks.
// Title is the path of headings above the chunk ("Install > Linux"), or the document's title.
func Split(doc *Document, c Chunking) ([]assay.Chunk, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return newSplitter(doc, c).split(), nil
}

// splitter cuts one document.
type splitter struct {
	doc     *Document
	how     Chunking
	version string
	out     []assay.Chunk
}

func newSplitter(doc *Document, c Chunking) *splitter {
	return &splitter{doc: doc, how: c, version: doc.Version()}
}

func (s *splitter) split() []assay.Chunk {
	text := s.doc.Text
	body := assay.Span{Start: s.doc.bodyStart(), End: len(text)}
	switch s.how.By {
	case ByNone:
		if !trim(text, body).Empty() {
			s.emit(s.doc.ID, assay.Span{End: len(text)}, s.doc.Title)
		}
	case ByFixed:
		s.cut(body, nil, s.doc.Title)
	case BySentence:
		s.sentences(body)
	case ByHeading:
		for _, sec := range sections(s.doc, body) {
			var marks []mark
			if s.how.Size > 0 && len(text) > s.how.Size {
				marks = sentenceMarks(text, sec.span, s.doc.Format == FormatHTML)
			}
			s.cut(sec.span, marks, sec.path)
		}
	}
	return s.out
}

// sentences emits a chunk a sentence.
func (s *splitter) sentences(body assay.Span) {
	start := body.Start
	for _, m := range sentenceMarks(s.doc.Text, body, s.doc.Format == FormatHTML) {
		s.cut(assay.Span{Start: start, End: m.at}, nil, s.doc.Title)
		start = m.at
	}
	s.cut(assay.Span{Start: start, End: body.End}, nil, s.doc.Title)
}

// cut emits the chunks of one stretch of text.
func (s *splitter) cut(region assay.Span, marks []mark, title string) {
	for _, span := range pack(s.doc.Text, region, s.how, marks) {
		s.emit(fmt.Sprintf("%s#%s", s.doc.ID, span), span, title)
	}
}

func (s *splitter) emit(id string, span assay.Span, title string) {
	c := assay.Chunk{
		ID: id, Document: s.doc.ID, Version: s.version, Span: &span, Title: title,
		Text: s.doc.Text[span.Start:span.End], Metadata: s.doc.Metadata,
	}
	c.Before, c.After = anchor.Around(s.doc.Text, span)
	s.out = append(s.out, c)
}

// IndexText is what an index over the corpus reads for a chunk: its title, a blank and its text, or the
// text alone without a title. Spans, quotes and hashes count in the text alone, never in this.
func IndexText(c *assay.Chunk) string {
	if c.Title == "" {
		return c.Text
	}
	return c.Title + " " + c.Text
}
