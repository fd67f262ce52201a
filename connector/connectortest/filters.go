package connectortest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
)

// TestFilters asks under every filter: the answer holds what Filter.Match says, or the filter is refused.
func (s *Suite) TestFilters(t *testing.T) {
	r := s.Open(t)
	if !s.capabilities(t, r).Filters {
		s.refusesAll(t, r)
		return
	}
	for _, f := range s.Filters {
		req := s.first()
		req.Filter, req.K = f, s.FilterK
		if s.Refuses(f) {
			_, err := r.Search(t.Context(), req)
			s.wantKind(t, f.String(), err, assay.KindInvalid)
			continue
		}
		hits := s.search(t, r, req)
		if want := min(s.FilterK, s.matching(f)); s.Distance != "" && len(hits) != want {
			t.Errorf("%s: %d hits, want %d", f, len(hits), want)
		}
	}
}

// refusesAll: a store without filters says so each time; it never drops one and answers.
func (s *Suite) refusesAll(t *testing.T, r assay.Retriever) {
	req := s.first()
	req.Filter = &assay.Filter{Field: "lang", Eq: "de"}
	_, err := r.Search(t.Context(), req)
	s.wantKind(t, "filter", err, assay.KindInvalid)
}

// TestForeignNative: a store that has no native filters refuses one.
func (s *Suite) TestForeignNative(t *testing.T) {
	r := s.Open(t)
	if s.capabilities(t, r).Native {
		return
	}
	req := s.first()
	req.Filter = &assay.Filter{Native: []byte(`{"anything":1}`)}
	_, err := r.Search(t.Context(), req)
	s.wantKind(t, "native filter", err, assay.KindInvalid)
}

// TestNothingFound: a filter that matches nothing gives an empty list and no error.
func (s *Suite) TestNothingFound(t *testing.T) {
	r := s.Open(t)
	if !s.capabilities(t, r).Filters {
		return
	}
	req := s.first()
	req.Filter, req.K = &assay.Filter{Field: "lang", Eq: "xx"}, s.FilterK
	resp, err := r.Search(t.Context(), req)
	if err != nil || len(resp.Hits) != 0 {
		t.Errorf("%d hits, %v", len(resp.Hits), err)
	}
}

// TestCount counts all chunks and those under each filter.
func (s *Suite) TestCount(t *testing.T) {
	r := s.Open(t)
	c, ok := assay.As[assay.Counter](r)
	if !ok {
		return
	}
	for _, f := range append([]*assay.Filter{nil}, s.Counts...) {
		n, err := c.Count(t.Context(), f)
		if f != nil && s.Refuses(f) {
			s.wantKind(t, "count "+f.String(), err, assay.KindInvalid)
			continue
		}
		if err != nil || n != s.matching(f) {
			t.Errorf("count %s: %d, %v; want %d", f, n, err, s.matching(f))
		}
	}
}

// TestListFiltered lists under the filters that are counted.
func (s *Suite) TestListFiltered(t *testing.T) {
	r := s.Open(t)
	l, ok := assay.As[assay.ChunkLister](r)
	if !ok {
		return
	}
	for _, f := range s.Counts {
		var got, want []string
		var failed error
		for c, err := range l.ListChunks(t.Context(), assay.ListOptions{Filter: f}) {
			if err != nil {
				failed = err
				break
			}
			got = append(got, c.ID)
		}
		if s.Refuses(f) {
			s.wantKind(t, "list "+f.String(), failed, assay.KindInvalid)
			continue
		}
		for _, c := range s.Chunks {
			if f.Match(c.Metadata) {
				want = append(want, c.ID)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if d := cmp.Diff(want, got); d != "" || failed != nil {
			t.Errorf("list %s: %v\n%s", f, failed, d)
		}
	}
}
