package session

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"

	"github.com/assay-eval/assay"
)

// Item is one thing to judge: a passage as an answer to a query.
type Item struct {
	Query assay.Query
	// Targets are the passage that is shown and, after it, its near-duplicates. A judgment is stored on the first; one that
	// exists on any of them counts for the item.
	Targets []assay.Target
	Title   string
	Text    string // of the passage; evidence is marked in these bytes
	// Turn puts items in front: those with a lower one are handed out first, in seeded order among themselves. Raters see
	// nothing of it.
	Turn int
	// Settled items were judged by people with labels on other words than these; they are handed out no more.
	Settled bool
}

// id names an item without telling anything about it.
func (it *Item) id(seed uint64) string {
	sum := it.digest(seed, "id")
	return hex.EncodeToString(sum[:8])
}

// draw is a number in [0,1) that depends on the seed, the purpose and the item, and on nothing else: it stays when items are
// added or the program starts again.
func (it *Item) draw(seed uint64, purpose string) float64 {
	sum := it.digest(seed, purpose)
	return float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53)
}

func (it *Item) digest(seed uint64, purpose string) [32]byte {
	var buf []byte
	buf = binary.BigEndian.AppendUint64(buf, seed)
	for _, s := range []string{purpose, it.Query.ID, key(&it.Targets[0])} {
		buf = strconv.AppendInt(buf, int64(len(s)), 10)
		buf = append(append(buf, ':'), s...)
	}
	return sha256.Sum256(buf)
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
