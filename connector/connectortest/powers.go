package connectortest

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
)

// TestPowers: what the capabilities say can be found by assay.As, and the other way round.
func (s *Suite) TestPowers(t *testing.T) {
	r := s.Open(t)
	c := s.capabilities(t, r)
	_, lists := assay.As[assay.ChunkLister](r)
	_, fetches := assay.As[assay.ChunkFetcher](r)
	_, counts := assay.As[assay.Counter](r)
	_, exact := assay.As[assay.ExactSearcher](r)
	_, inspects := assay.As[assay.Inspector](r)
	got := c
	got.Lists, got.Fetches, got.Counts, got.Exact, got.Inspects = lists, fetches, counts, exact, inspects
	if d := cmp.Diff(c, got); d != "" {
		t.Errorf("capabilities and powers differ (-said +found):\n%s", d)
	}
}

// TestExact asks the store's own oracle.
func (s *Suite) TestExact(t *testing.T) {
	x, ok := assay.As[assay.ExactSearcher](s.Open(t))
	if !ok {
		return
	}
	for _, req := range s.Requests {
		resp, err := x.SearchExact(t.Context(), req)
		if err != nil {
			t.Fatalf("%s: %v", show(req), err)
		}
		s.checkList(t, req, resp.Hits)
	}
}

// TestListing lists everything: complete, each chunk once, as often as Count says, in the same order
// twice, with its text and place.
func (s *Suite) TestListing(t *testing.T) {
	r := s.Open(t)
	l, ok := assay.As[assay.ChunkLister](r)
	if !ok {
		return
	}
	first, second := s.list(t, l, assay.ListOptions{}), s.list(t, l, assay.ListOptions{})
	if d := cmp.Diff(first, second); d != "" {
		t.Errorf("listed twice, two results:\n%s", d)
	}
	var got, want []string
	for _, c := range first {
		got = append(got, c.ID)
		if truth := s.chunk(c.ID); truth != nil {
			s.checkChunk(t, r, c, truth)
		}
		if c.Vector != nil {
			t.Errorf("%s: a vector that nobody asked for", c.ID)
		}
	}
	for _, c := range s.Chunks {
		want = append(want, c.ID)
	}
	slices.Sort(got)
	slices.Sort(want)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("ids (-want +got):\n%s", d)
	}
	if c, ok := assay.As[assay.Counter](r); ok {
		if n, err := c.Count(t.Context(), nil); err != nil || n != len(first) {
			t.Errorf("%d listed, %d counted, %v", len(first), n, err)
		}
	}
}

func (s *Suite) checkChunk(t *testing.T, r assay.Retriever, c assay.Chunk, truth *assay.Chunk) {
	t.Helper()
	if s.capabilities(t, r).ReturnsText && c.Text != truth.Text {
		t.Errorf("%s: text %q, want %q", c.ID, c.Text, truth.Text)
	}
	if c.Document != "" && c.Document != truth.Document {
		t.Errorf("%s: document %q, want %q", c.ID, c.Document, truth.Document)
	}
	if c.Span != nil && (truth.Span == nil || *c.Span != *truth.Span) {
		t.Errorf("%s: span %v, want %v", c.ID, c.Span, truth.Span)
	}
	for k, got := range c.Metadata {
		if want, ok := truth.Metadata[k]; ok && !cmp.Equal(got, want) {
			t.Errorf("%s: metadata %s is %T %v, want %T %v", c.ID, k, got, got, want, want)
		}
	}
}

// TestListingVectors asks for stored vectors: those of the chunks, in direction (some stores normalise).
func (s *Suite) TestListingVectors(t *testing.T) {
	r := s.Open(t)
	l, ok := assay.As[assay.ChunkLister](r)
	if !ok || !s.capabilities(t, r).NeedsVector {
		return
	}
	for _, c := range s.list(t, l, assay.ListOptions{WithVectors: true}) {
		truth := s.chunk(c.ID)
		if truth == nil {
			t.Errorf("%q is of no chunk", c.ID)
			continue
		}
		if len(c.Vector) != len(truth.Vector) {
			t.Errorf("%s: %d dimensions, want %d", c.ID, len(c.Vector), len(truth.Vector))
		} else if got := similarity("cosine", c.Vector, truth.Vector); math.Abs(got-1) > tolerance {
			t.Errorf("%s: another vector, cosine %v", c.ID, got)
		}
	}
}

// TestFetching asks for chunks by key: in the order asked for, what is not there left out, and with the
// vectors that a listing gives.
func (s *Suite) TestFetching(t *testing.T) {
	r := s.Open(t)
	f, ok := assay.As[assay.ChunkFetcher](r)
	if !ok {
		return
	}
	last, first := s.Chunks[len(s.Chunks)-1].ID, s.Chunks[0].ID
	got, err := f.FetchChunks(t.Context(), []string{last, "no such chunk", first}, false)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].ID != last || got[1].ID != first {
		t.Fatalf("fetched %d chunks: %+v", len(got), got)
	}
	for _, c := range got {
		s.checkChunk(t, r, c, s.chunk(c.ID))
		if c.Vector != nil {
			t.Errorf("%s: a vector that nobody asked for", c.ID)
		}
	}
	if none, err := f.FetchChunks(t.Context(), nil, true); err != nil || len(none) != 0 {
		t.Errorf("fetching nothing gives %v, %v", none, err)
	}
	if !s.capabilities(t, r).NeedsVector {
		return
	}
	got, err = f.FetchChunks(t.Context(), []string{first}, true)
	if err != nil || len(got) != 1 {
		t.Fatalf("%d chunks, %v", len(got), err)
	}
	if similar := similarity("cosine", got[0].Vector, s.chunk(first).Vector); math.Abs(similar-1) > tolerance {
		t.Errorf("%s: another vector, cosine %v", first, similar)
	}
}

// TestListingStops: a consumer may stop, and a context may end.
func (s *Suite) TestListingStops(t *testing.T) {
	l, ok := assay.As[assay.ChunkLister](s.Open(t))
	if !ok {
		return
	}
	n := 0
	for _, err := range l.ListChunks(t.Context(), assay.ListOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 2 {
			break
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var last error
	for _, err := range l.ListChunks(ctx, assay.ListOptions{}) {
		last = err
	}
	s.wantKind(t, "canceled", last, assay.KindCanceled)
}

// TestInspect: what the index says of itself agrees with what was put into it.
func (s *Suite) TestInspect(t *testing.T) {
	x, ok := assay.As[assay.Inspector](s.Open(t))
	if !ok {
		return
	}
	i, err := x.Inspect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if i.Kind == "" || len(i.Config) == 0 {
		t.Errorf("says nothing of itself: %+v", i)
	}
	if i.Count != len(s.Chunks) {
		t.Errorf("count %d, want %d", i.Count, len(s.Chunks))
	}
	if s.Distance != "" && (i.Distance != s.Distance || i.Dimension != len(s.Chunks[0].Vector)) {
		t.Errorf("distance %q and %d dimensions, want %q and %d", i.Distance, i.Dimension, s.Distance, len(s.Chunks[0].Vector))
	}
}

func (s *Suite) list(t *testing.T, l assay.ChunkLister, opts assay.ListOptions) []assay.Chunk {
	t.Helper()
	var out []assay.Chunk
	for c, err := range l.ListChunks(t.Context(), opts) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}
