package testset

import "github.com/assay-eval/assay"

// Lookup finds a chunk of the corpus or index under test by its key. Import and add ask it what stands
// behind an id; a Lookup may have the powers of DocumentLookup and Sampler too.
type Lookup interface {
	Lookup(chunkID string) (assay.Chunk, bool)
}

// DocumentLookup finds a source document by id, for labels on whole documents.
type DocumentLookup interface {
	LookupDocument(id string) (assay.Document, bool)
}

// Sampler names the first n chunk ids, to be shown beside ids that match none.
type Sampler interface {
	FirstIDs(n int) []string
}

// shownIDs is how many ids a message shows of each side.
const shownIDs = 5

// IDs counts ids and keeps the first few of them, in order of appearance.
type IDs struct {
	Count int      `json:"count"`
	First []string `json:"first,omitempty"`
	seen  map[string]bool
}

// add counts an id once.
func (u *IDs) add(id string) {
	if u.seen[id] {
		return
	}
	if u.seen == nil {
		u.seen = map[string]bool{}
	}
	u.seen[id] = true
	u.Count++
	if len(u.First) < shownIDs {
		u.First = append(u.First, id)
	}
}

// resolver turns ids into targets and counts what is found.
type resolver struct {
	lookup  Lookup
	known   int
	unknown IDs
	// elsewhere are documents of quoted targets that the corpus does not hold.
	elsewhere IDs
	cache     map[string]assay.Target
}

// target is what a label on id judges: the chunk with its place and text where the corpus holds it, the
// whole document where the id is that of a document, else the bare key.
func (r *resolver) target(id string) assay.Target {
	if r.lookup == nil {
		return assay.Target{Chunk: id}
	}
	if t, ok := r.cache[id]; ok {
		return t
	}
	t := assay.Target{Chunk: id}
	if chunk, ok := r.lookup.Lookup(id); ok {
		r.known++
		chunk.ID = id
		t = TargetOf(chunk)
	} else if doc, ok := r.document(id); ok {
		r.known++
		t = assay.Target{Document: id, Version: doc.Version()}
	} else {
		r.unknown.add(id)
	}
	if r.cache == nil {
		r.cache = map[string]assay.Target{}
	}
	r.cache[id] = t
	return t
}

// see counts a target that the input holds in full. One of a document that is not here may still be found by its words.
func (r *resolver) see(t *assay.Target) {
	if r.lookup == nil {
		return
	}
	id := or(t.Document, t.Chunk)
	seen := "\x00" + id // no id of a corpus
	if _, ok := r.cache[seen]; ok || id == "" {
		return
	}
	if r.cache == nil {
		r.cache = map[string]assay.Target{}
	}
	r.cache[seen] = assay.Target{}
	if _, ok := r.document(id); ok {
		r.known++
	} else if _, ok := r.lookup.Lookup(or(t.Chunk, id)); ok {
		r.known++
	} else if t.Quote == "" {
		r.unknown.add(id)
	} else {
		r.elsewhere.add(id)
	}
}

func (r *resolver) document(id string) (assay.Document, bool) {
	if d, ok := r.lookup.(DocumentLookup); ok {
		return d.LookupDocument(id)
	}
	return assay.Document{}, false
}

// samples are ids that the corpus does hold.
func (r *resolver) samples() []string {
	if s, ok := r.lookup.(Sampler); ok {
		return s.FirstIDs(shownIDs)
	}
	return nil
}
