package assay

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"sync"
)

// Document is one source text. Text is the canonical text: valid UTF-8, exactly the bytes that every
// span of this document counts in. A document is never edited in place; an edit is a new Version.
type Document struct {
	ID       string         `json:"id"`
	Title    string         `json:"title,omitempty"`
	Text     string         `json:"text"`
	Metadata map[string]any `json:"metadata,omitempty"`
	Format   string         `json:"format,omitempty"` // "markdown", "text", "html"; empty means text
}

// Version identifies the canonical text: HashText of it.
func (d *Document) Version() string { return HashText(d.Text) }

// Chunk is a passage as it is indexed: a span of a document, or a point of a live store that may not
// say where it came from.
type Chunk struct {
	ID       string         `json:"id"`                 // stable key, unique in its corpus or store
	Document string         `json:"document,omitempty"` // id of the source document; empty when unknown
	Version  string         `json:"version,omitempty"`  // Version of that document
	Span     *Span          `json:"span,omitempty"`     // place in the document; nil when unknown
	Title    string         `json:"title,omitempty"`    // title of the document, or heading path of the chunk
	Text     string         `json:"text"`
	Metadata map[string]any `json:"metadata,omitempty"`
	Vector   []float32      `json:"-"` // stored vector, only when a lister was asked for it

	// Before and After are the first bytes of the document around the chunk, as an anchor keeps them: empty at an edge of
	// the document, and where only the chunk is known.
	Before, After string `json:"-"`
}

// Hash is HashText of the chunk's text.
func (c *Chunk) Hash() string { return HashText(c.Text) }

// HashText is the content hash used everywhere: "sha256:" and the lower-case hex SHA-256 of the bytes.
func HashText(text string) string {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	h.Reset()
	for len(text) > 0 {
		n := copy(h.part[:], text)
		h.Write(h.part[:n])
		text = text[n:]
	}
	return string(hex.AppendEncode(append(h.name[:0], "sha256:"...), h.Sum(h.part[:0])))
}

// hasher hashes a text part by part, so that no copy of it becomes garbage: a run hashes every hit of
// every query.
type hasher struct {
	hash.Hash
	part [1024]byte
	name [len("sha256:") + 2*sha256.Size]byte
}

var hashers = sync.Pool{New: func() any { return &hasher{Hash: sha256.New()} }}

// Twins holds texts and finds the one that another is a near-duplicate of.
type Twins interface {
	// Add adds a text; its number is how many were added before it.
	Add(text string)
	// Of is the number of the text that another says the same as, the nearest where there are several; false where there
	// is none.
	Of(text string) (number int, ok bool)
}
