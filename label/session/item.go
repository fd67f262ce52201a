package session

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/label"
)

// Item is one thing to judge: a passage of a pool as an answer to its query. A judgment is stored on the passage; one that
// exists on it or on a near-duplicate of it counts for the item.
type Item struct {
	label.Item
	Text string // of the query
	// Turn puts items in front: those with a lower one are handed out first, in seeded order among themselves. Raters see
	// nothing of it.
	Turn int
	// Settled items were judged by people with labels on other words than these; they are handed out no more.
	Settled bool
}

// key says what a target points at: its place in a version of a document, else its chunk, else its quote.
func key(t *assay.Target) string {
	switch {
	case t.Anchored():
		return t.Document + "\x00" + t.Version + "\x00" + t.Span().String()
	case t.Chunk != "":
		return chunkKey(t)
	}
	return t.Document + "\x00" + t.Quote
}

func chunkKey(t *assay.Target) string { return "chunk\x00" + t.Chunk }
