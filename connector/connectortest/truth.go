package connectortest

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
)

func itoa(n int) string { return strconv.Itoa(n) }

// tolerance absorbs float32 arithmetic in a store. Neighbours in the truth that are closer may swap.
const tolerance = 1e-5

// similarity compares two vectors so that higher is better, in float64.
func similarity(distance string, a, b []float32) float64 {
	var dot, na, nb, l2, l1 float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot, na, nb = dot+x*y, na+x*x, nb+y*y
		l2, l1 = l2+(x-y)*(x-y), l1+math.Abs(x-y)
	}
	switch distance {
	case connector.Cosine:
		if na == 0 || nb == 0 {
			return 0
		}
		return dot / math.Sqrt(na*nb)
	case connector.Dot:
		return dot
	case connector.Euclid:
		return -math.Sqrt(l2)
	case connector.Manhattan:
		return -l1
	}
	panic("connectortest: unknown distance " + distance)
}

// checkList holds a list to the contract: at most k, unique ids that exist, finite scores that do not
// rise, and where the truth is known the right chunks in the right order, ties aside.
func (s *Suite) checkList(t *testing.T, req assay.Request, hits []assay.Hit) {
	t.Helper()
	if len(hits) > req.K {
		t.Errorf("%s: %d hits", show(req), len(hits))
	}
	seen := map[string]bool{}
	for i, h := range hits {
		if seen[h.ID] {
			t.Errorf("%s: id %s twice", show(req), h.ID)
		}
		seen[h.ID] = true
		if s.chunk(h.ID) == nil {
			t.Errorf("%s: id %q is of no chunk", show(req), h.ID)
		}
		if math.IsNaN(h.Score) || math.IsInf(h.Score, 0) || h.Score == 0 && math.Signbit(h.Score) {
			t.Errorf("%s: score %v", show(req), h.Score)
		}
		if i > 0 && h.Score > hits[i-1].Score {
			t.Errorf("%s: score rises from %v to %v at rank %d", show(req), hits[i-1].Score, h.Score, i+1)
		}
		if req.Filter != nil && req.Filter.Native == nil {
			if c := s.chunk(h.ID); c != nil && !req.Filter.Match(c.Metadata) {
				t.Errorf("%s: %s does not match: %v", show(req), h.ID, c.Metadata)
			}
		}
	}
	if s.Distance == "" || req.Vector == nil || t.Failed() {
		return
	}
	truth := s.truth(req)
	if want := min(req.K, len(truth)); len(hits) != want {
		t.Fatalf("%s: %d hits, want %d", show(req), len(hits), want)
	}
	for i, h := range hits {
		if got := similarity(s.Distance, req.Vector, s.chunk(h.ID).Vector); math.Abs(got-truth[i]) > tolerance*max(1, math.Abs(truth[i])) {
			t.Errorf("%s: rank %d is %s with similarity %v, want %v", show(req), i+1, h.ID, got, truth[i])
		}
	}
}

// truth is the similarities of all chunks that pass the filter, best first.
func (s *Suite) truth(req assay.Request) []float64 {
	var out []float64
	for _, c := range s.Chunks {
		if req.Filter.Match(c.Metadata) {
			out = append(out, similarity(s.Distance, req.Vector, c.Vector))
		}
	}
	slices.SortFunc(out, func(a, b float64) int { return cmp.Compare(b, a) })
	return out
}

func (s *Suite) chunk(id string) *assay.Chunk {
	for i := range s.Chunks {
		if s.Chunks[i].ID == id {
			return &s.Chunks[i]
		}
	}
	return nil
}

func (s *Suite) matching(f *assay.Filter) int {
	n := 0
	for _, c := range s.Chunks {
		if f.Match(c.Metadata) {
			n++
		}
	}
	return n
}

func ids(hits []assay.Hit) []string {
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = h.ID
	}
	return out
}
