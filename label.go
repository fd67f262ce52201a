package assay

import "time"

// Grade is a relevance judgment from 0 to MaxGrade: 0 not relevant, 1 related but no answer,
// 2 answers in part, 3 answers.
type Grade = int

// The grade scale of a test set. Files scored as TREC qrels keep their own grades.
const (
	MaxGrade      Grade = 3
	RelevantGrade Grade = 2 // the lowest grade that counts as relevant in binary measures
)

// Event is what a rater did with an item.
type Event string

// The events of labels.jsonl. Only EventGrade carries a grade; EventUndo withdraws the rater's own
// earlier event on the same query and target.
const (
	EventGrade      Event = "grade"
	EventUnsure     Event = "unsure"
	EventSkip       Event = "skip"
	EventBadQuery   Event = "bad_query"
	EventBrokenText Event = "broken_text"
	EventUndo       Event = "undo"
)

// Rater is the kind of rater behind a label, in ascending authority.
type Rater string

// The kinds of rater. Human counts over judge, judge over synthetic.
const (
	BySynthetic Rater = "synthetic" // the query was written from this text
	ByJudge     Rater = "judge"     // an LLM
	ByHuman     Rater = "human"
)

// Adjudicated is the Who of a label that settles a disagreement between people.
const Adjudicated = "adjudicated"

// Target is what a label judges: a piece of text (Document, Start, End, Quote), a chunk key, or both.
// A target with a quote survives re-chunking; one with only a chunk key does not.
type Target struct {
	Chunk    string `json:"chunk,omitempty"`
	Document string `json:"document,omitempty"`
	Version  string `json:"version,omitempty"`
	Start    int    `json:"start,omitempty"`
	End      int    `json:"end,omitempty"`
	Quote    string `json:"quote,omitempty"`
	Before   string `json:"before,omitempty"`
	After    string `json:"after,omitempty"`
	TextHash string `json:"text_hash,omitempty"` // HashText of the chunk's text when it was judged
}

// Anchored reports whether the target names a place in a document.
func (t *Target) Anchored() bool { return t.Document != "" && t.End > t.Start }

// Span is the target's place in its document; empty when it is not anchored.
func (t *Target) Span() Span { return Span{t.Start, t.End} }

// Label is one line of labels.jsonl: an append-only event by one rater about one target.
type Label struct {
	Query  string    `json:"query"`
	Target Target    `json:"target"`
	Event  Event     `json:"event"`
	Grade  Grade     `json:"grade"`
	Given  *float64  `json:"given,omitempty"` // grade on the scale it was imported from
	By     Rater     `json:"by"`
	Who    string    `json:"who,omitempty"`
	Time   time.Time `json:"time"`
	Note   string    `json:"note,omitempty"`

	// Evidence is the words of the target that answer, as the rater marked them: by place when the target stands in a
	// document, else by quote. A rater judges the whole target; a relevant label that counts is then tied to these words,
	// so that it outlives the chunk around them.
	Evidence *Anchor `json:"evidence,omitempty"`
	// Repeat marks a judgment that was asked for again, hidden among others, to see whether a rater agrees with themselves.
	Repeat bool `json:"repeat,omitempty"`
	// P are the probabilities that a judge gave to the grades 0 to 3, where its server told them; they sum to 1.
	P []float64 `json:"p,omitempty"`
}
