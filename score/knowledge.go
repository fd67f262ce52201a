package score

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
)

// knowledge is what the options know about texts, with what was looked up already.
type knowledge struct {
	*Options
	passages  Passages
	documents Documents
	versions  map[string]string // document id → version now; "" when it is gone
}

func newKnowledge(passages Passages, opts *Options) *knowledge {
	k := &knowledge{Options: opts, passages: passages, versions: map[string]string{}}
	k.documents, _ = opts.Index.(Documents)
	return k
}

// text is the text of a hit, where the run has it.
func (k *knowledge) text(hash string) (string, bool) {
	if hash == "" || k.passages == nil {
		return "", false
	}
	return k.passages.Text(hash)
}

// chunk is what the index holds under a key.
func (k *knowledge) chunk(id string) (assay.Chunk, bool) {
	if id == "" || k.Index == nil {
		return assay.Chunk{}, false
	}
	return k.Index.Lookup(id)
}

// hashOf is the hash of the text that the index holds under a key, or "".
func (k *knowledge) hashOf(id string) string {
	if c, ok := k.chunk(id); ok && c.Text != "" {
		return c.Hash()
	}
	return ""
}

// judged is the text of the chunk that a label is about, from the surest source that has it: the label, the index, other
// events of the query, where it was retrieved.
func (k *knowledge) judged(m *member, quoted func(hash string) (string, bool)) (string, bool) {
	if m.wholeChunk && m.target.Quote != "" {
		return m.target.Quote, true
	}
	same := func(c assay.Chunk, ok bool) bool { return ok && c.Text != "" && (m.hash == "" || m.hash == c.Hash()) }
	if c, ok := k.chunk(m.target.Chunk); same(c, ok) {
		return c.Text, true
	}
	if m.hash != "" {
		if text, ok := quoted(m.hash); ok {
			return text, true
		}
		if text, ok := k.text(m.hash); ok && text != "" {
			return text, true
		}
	}
	if k.Judged != nil && m.target.Chunk != "" {
		if c, ok := k.Judged.Lookup(m.target.Chunk); same(c, ok) {
			return c.Text, true
		}
	}
	return "", false
}

// refresh moves a target that was made on another version of its document to where its text stands now.
// It reports false for a target whose text is gone or stands in several places: nobody can say any more
// what it judges.
func (k *knowledge) refresh(t *assay.Target) bool {
	if k.documents == nil || !t.Anchored() || t.Version == "" {
		return true
	}
	now, ok := k.versions[t.Document]
	if ok && (now == "" || now == t.Version) {
		return true
	}
	doc, found := k.documents.LookupDocument(t.Document)
	if !found {
		k.versions[t.Document] = ""
		return true
	}
	if !ok {
		now = doc.Version()
		k.versions[t.Document] = now
	}
	if now == t.Version {
		return true
	}
	if t.Quote == "" {
		// Too long to be quoted: its key and the hash of its text have to do.
		t.Start, t.End = 0, 0
		return t.Chunk != ""
	}
	moved, err := anchor.Relocate(assay.Anchor{Document: t.Document, Version: t.Version, Start: t.Start, End: t.End,
		Quote: t.Quote, Before: t.Before, After: t.After}, doc.Text)
	if err != nil || moved.Status == anchor.Stale || moved.Status == anchor.Ambiguous {
		return false
	}
	a := moved.Anchor
	t.Version, t.Start, t.End, t.Quote, t.Before, t.After = now, a.Start, a.End, a.Quote, a.Before, a.After
	return true
}

// indexed reports whether the index is known to hold what m judges: its chunk or its document.
func (k *knowledge) indexed(m *member) bool {
	if _, ok := k.chunk(m.target.Chunk); ok {
		return true
	}
	if m.target.Document == "" {
		return false
	}
	if k.documents != nil {
		_, ok := k.documents.LookupDocument(m.target.Document)
		return ok
	}
	_, ok := k.chunk(m.target.Document)
	return ok
}
