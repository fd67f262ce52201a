package corpus

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"sync"

	"github.com/assay-eval/assay"
)

// Set is a corpus in memory: what embedded indexes are built from and labels are resolved against. It
// does not change after Load and is safe for concurrent use.
type Set struct {
	name     string
	docs     []*Document
	chunks   []assay.Chunk
	docAt    map[string]int
	chunkAt  map[string]int
	inDoc    map[string]*docChunks
	skipped  []*Skip
	warnings []assay.Warning
	version  string

	places     *placeIndex // of Locate, built when first asked
	placesOnce sync.Once
}

// docChunks are the chunks of one document by start, with the greatest end so far, so that a search finds
// where overlap can begin.
type docChunks struct {
	at     []int
	maxEnd []int
}

// Load reads a whole source. What was skipped is in Skipped; an error that ended the reading, an empty
// corpus included, is returned.
func Load(ctx context.Context, src *Source) (*Set, error) {
	s := &Set{name: src.Name(), docAt: map[string]int{}, chunkAt: map[string]int{}, inDoc: map[string]*docChunks{}}
	var err error
	if src.live != nil {
		err = s.loadIndex(ctx, src)
	} else {
		err = s.loadDocuments(ctx, src)
	}
	if err != nil {
		return nil, err
	}
	s.warnings = src.Warnings()
	s.sortChunks()
	s.version = s.contentVersion()
	return s, nil
}

func (s *Set) loadDocuments(ctx context.Context, src *Source) error {
	for doc, err := range src.Documents(ctx) {
		if skip, ok := AsSkip(err); ok {
			s.skipped = append(s.skipped, skip)
			continue
		}
		if err != nil {
			return err
		}
		s.addDocument(doc)
		for _, c := range newSplitter(doc, src.chunk).split() {
			s.addChunk(c)
		}
	}
	return nil
}

func (s *Set) loadIndex(ctx context.Context, src *Source) error {
	for c, err := range src.Chunks(ctx) {
		if skip, ok := AsSkip(err); ok {
			s.skipped = append(s.skipped, skip)
			continue
		}
		if err != nil {
			return err
		}
		if c.Document == c.ID {
			s.addDocument(&Document{Document: assay.Document{ID: c.ID, Title: c.Title, Text: c.Text, Metadata: c.Metadata}})
		}
		s.addChunk(c)
	}
	return nil
}

func (s *Set) addDocument(d *Document) {
	s.docAt[d.ID] = len(s.docs)
	s.docs = append(s.docs, d)
}

func (s *Set) addChunk(c assay.Chunk) {
	at := len(s.chunks)
	s.chunkAt[c.ID] = at
	s.chunks = append(s.chunks, c)
	d := s.inDoc[c.Document]
	if d == nil {
		d = &docChunks{}
		s.inDoc[c.Document] = d
	}
	d.at = append(d.at, at)
}

// sortChunks orders the chunks of each document by place.
func (s *Set) sortChunks() {
	for _, d := range s.inDoc {
		slices.SortStableFunc(d.at, func(a, b int) int {
			x, y := s.chunks[a].Span, s.chunks[b].Span
			return cmp.Or(x.Start-y.Start, x.End-y.End)
		})
		end := 0
		for _, at := range d.at {
			end = max(end, s.chunks[at].Span.End)
			d.maxEnd = append(d.maxEnd, end)
		}
	}
}

// Name is the name of the source.
func (s *Set) Name() string { return s.name }

// Documents are all documents, in the source's order. The slice is the set's own.
func (s *Set) Documents() []*Document { return s.docs }

// Chunks are all chunks, in the source's order. The slice is the set's own.
func (s *Set) Chunks() []assay.Chunk { return s.chunks }

// Skipped is what the source left out, in order.
func (s *Set) Skipped() []*Skip { return s.skipped }

// Warnings is what the source found doubtful.
func (s *Set) Warnings() []assay.Warning { return s.warnings }

// Document finds a document by id.
func (s *Set) Document(id string) (*Document, bool) {
	at, ok := s.docAt[id]
	if !ok {
		return nil, false
	}
	return s.docs[at], true
}

// Chunk finds a chunk by id.
func (s *Set) Chunk(id string) (*assay.Chunk, bool) {
	at, ok := s.chunkAt[id]
	if !ok {
		return nil, false
	}
	return &s.chunks[at], true
}

// Overlapping are the chunks of a document that share at least one byte with a span, by place.
func (s *Set) Overlapping(document string, span assay.Span) []*assay.Chunk {
	d := s.inDoc[document]
	if d == nil || span.Empty() {
		return nil
	}
	var out []*assay.Chunk
	first := sort.Search(len(d.at), func(i int) bool { return d.maxEnd[i] > span.Start })
	for _, at := range d.at[first:] {
		c := &s.chunks[at]
		if c.Span.Start >= span.End {
			break
		}
		if c.Span.Overlap(span) > 0 {
			out = append(out, c)
		}
	}
	return out
}
