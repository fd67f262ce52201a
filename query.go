package assay

import "time"

// Query is one information need as it is sent to a retrieval system.
type Query struct {
	ID       string     `json:"id"`
	Text     string     `json:"text"`
	Tags     []string   `json:"tags,omitempty"`
	Filter   *Filter    `json:"filter,omitempty"`
	Weight   float64    `json:"weight,omitempty"` // share of traffic it stands for; 0 means 1
	Origin   *Origin    `json:"origin,omitempty"`
	Evidence *Anchor    `json:"evidence,omitempty"` // the text that answers it, where it was written from one
	Leakage  *Leakage   `json:"leakage,omitempty"`
	Created  *time.Time `json:"created,omitempty"`
}

// SourceDocument is the document that the query was written from, "" when it was written from none. Queries from one
// document succeed and fail together, so statistics take them as one piece of evidence.
func (q *Query) SourceDocument() string {
	switch {
	case q.Origin != nil && q.Origin.Document != "":
		return q.Origin.Document
	case q.Evidence != nil:
		return q.Evidence.Document
	}
	return ""
}

// Origin says how a query came to be, in enough detail to make it again.
type Origin struct {
	Method   string `json:"method"`             // "llm", "known-item", "import", "add"
	Model    string `json:"model,omitempty"`    // name of the writing model
	Digest   string `json:"digest,omitempty"`   // digest of that model's weights
	Prompt   string `json:"prompt,omitempty"`   // id of the prompt: hash of its text
	Seed     uint64 `json:"seed,omitempty"`     // seed of the sample
	Document string `json:"document,omitempty"` // source document
	Chunk    string `json:"chunk,omitempty"`    // source chunk
	Nth      int    `json:"nth,omitempty"`      // which question of its chunk, from 0
	Source   string `json:"source,omitempty"`   // file and line of an imported query

	Style    string   `json:"style,omitempty"`    // the form that was asked for: question, keywords, how-to, ...
	Language string   `json:"language,omitempty"` // ISO 639-1 code of the query's language, where it was recognised
	Topic    string   `json:"topic,omitempty"`    // folder or metadata value of the source, where a mix of topics is declared
	Passed   []string `json:"passed,omitempty"`   // the filters it passed, in order
}

// Tags that assay itself gives and reads. A person may give them too.
const (
	// TagUnanswerable marks a query that nothing in the corpus answers. It has no relevant target and is
	// scored apart from the others, in no mean.
	TagUnanswerable = "unanswerable"
	// TagParametric marks a query that the writing model answers without any text: fine for retrieval, no
	// use for judging answers.
	TagParametric = "parametric"
	// TagNotFound marks a query whose source no retriever found in its first 100: hard, or broken. A person
	// should look at it.
	TagNotFound = "not-found"
	// TagBroad marks a query that more than five different passages answer in full.
	TagBroad = "broad"
	// TagConflict marks a query that two passages answer differently.
	TagConflict = "conflict"
)

// Leakage measures how much of its source a query repeats. Copied queries make every system look good.
type Leakage struct {
	LongestSharedNgram int     `json:"longest_shared_ngram"` // words in a row shared with the source
	ContentCoverage    float64 `json:"content_coverage"`     // share of the query's content words in the source, [0,1]
}

// Anchor ties a label to text rather than to a chunk: the verbatim quote, where it stood, and up to 32
// bytes of context on each side, cut at rune boundaries.
type Anchor struct {
	Document string `json:"document,omitempty"`
	Version  string `json:"version,omitempty"` // Document.Version the offsets count in
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Quote    string `json:"quote"`
	Before   string `json:"before,omitempty"`
	After    string `json:"after,omitempty"`
}

// Span is the byte range of the quote.
func (a *Anchor) Span() Span { return Span{a.Start, a.End} }
