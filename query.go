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

// Origin says how a query came to be, in enough detail to make it again.
type Origin struct {
	Method   string `json:"method"`             // "llm", "known-item", "import", "add"
	Model    string `json:"model,omitempty"`    // name of the writing model
	Digest   string `json:"digest,omitempty"`   // digest of that model's weights
	Prompt   string `json:"prompt,omitempty"`   // id of the prompt: hash of its text
	Seed     uint64 `json:"seed,omitempty"`     // seed of the sample
	Document string `json:"document,omitempty"` // source document
	Chunk    string `json:"chunk,omitempty"`    // source chunk
	Source   string `json:"source,omitempty"`   // file and line of an imported query
}

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
