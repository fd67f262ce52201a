package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// Version identifies the content of the corpus: a hash over every document's id, title and text (of a live
// index whose chunks belong to documents elsewhere, every chunk's). It does not depend on the order of
// reading or on the chunker, and changes when any document does, comes or goes.
func (s *Set) Version() string { return s.version }

func (s *Set) contentVersion() string {
	var lines []string
	for _, d := range s.docs {
		lines = append(lines, digest("document", d.ID, d.Title, d.Text))
	}
	for i := range s.chunks {
		if c := &s.chunks[i]; !s.holds(c.Document) {
			lines = append(lines, digest("chunk", c.ID, c.Title, c.Text, c.Document, c.Span.String()))
		}
	}
	slices.Sort(lines)
	return assay.HashText(strings.Join(lines, "\n"))
}

// holds reports whether the set has the text of a document.
func (s *Set) holds(document string) bool {
	_, ok := s.docAt[document]
	return ok
}

// digest hashes fields so that no two lists of fields look alike.
func digest(fields ...string) string {
	h := sha256.New()
	for _, f := range fields {
		sum := sha256.Sum256([]byte(f))
		h.Write(sum[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}
