// Package connectortest holds the contract of assay.Retriever as tests that run against any
// implementation: an index in memory, recorded traffic, a real server.
//
// A store's own test fills in a Suite and calls Run. Every method of Suite whose name starts with Test
// runs as a subtest, so a new rule of the contract reaches all stores at once. What a store does is
// compared with a truth computed here by brute force from the chunks it was given, not with what it did
// last time.
package connectortest

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
)

// Suite is a retriever under test and what is known about it. Zero fields take the defaults named.
type Suite struct {
	// Open returns a retriever over an index that holds exactly Chunks.
	Open func(t *testing.T) assay.Retriever
	// Missing returns a retriever of the same kind over a collection that does not exist; nil when the
	// kind has no such thing.
	Missing func(t *testing.T) assay.Retriever

	Chunks   []assay.Chunk // default Chunks()
	Distance string        // how vectors are compared (connector.Cosine, ...); "" when the ranking has no such truth

	Requests []assay.Request // what can be asked; default Requests() over Chunks
	Ks       []int           // lengths asked of the first request; default 1, 3 and more than there is
	FilterK  int             // length asked together with a filter; default more than there is
	Filters  []*assay.Filter // default Filters()
	Counts   []*assay.Filter // filters to count under; default Filters

	// Refuses reports that a filter is one this store cannot express, so that KindInvalid is right and
	// an answer is wrong. nil means that it expresses all of Filters.
	Refuses func(*assay.Filter) bool

	// Without names tests that do not run: what recorded traffic holds no answer to.
	Without []string
}

// Run runs every test of the suite.
func (s *Suite) Run(t *testing.T) {
	s.defaults()
	v := reflect.ValueOf(s)
	for i := range v.NumMethod() {
		name := v.Type().Method(i).Name
		if !strings.HasPrefix(name, "Test") || slices.Contains(s.Without, name) {
			continue
		}
		t.Run(strings.TrimPrefix(name, "Test"), v.Method(i).Interface().(func(*testing.T)))
	}
}

func (s *Suite) defaults() {
	if s.Chunks == nil {
		s.Chunks = Chunks()
	}
	if s.Requests == nil {
		s.Requests = Requests(s.Chunks)
	}
	if s.Ks == nil {
		s.Ks = []int{1, 3, len(s.Chunks) + 7}
	}
	if s.FilterK == 0 {
		s.FilterK = len(s.Chunks) + 7
	}
	if s.Filters == nil {
		s.Filters = Filters()
	}
	if s.Counts == nil {
		s.Counts = s.Filters
	}
	if s.Refuses == nil {
		s.Refuses = func(*assay.Filter) bool { return false }
	}
}

// capabilities are what the retriever says of itself; every store does.
func (s *Suite) capabilities(t *testing.T, r assay.Retriever) assay.Capabilities {
	t.Helper()
	d, ok := assay.As[assay.Describer](r)
	if !ok {
		t.Fatalf("%T does not state its capabilities", r)
	}
	return d.Capabilities()
}

// search asks and fails the test on an error or on an answer that breaks the contract of a list.
func (s *Suite) search(t *testing.T, r assay.Retriever, req assay.Request) []assay.Hit {
	t.Helper()
	resp, err := r.Search(t.Context(), req)
	if err != nil {
		t.Fatalf("search %s: %v", show(req), err)
	}
	s.checkList(t, req, resp.Hits)
	return resp.Hits
}

func (s *Suite) first() assay.Request { return s.Requests[0] }

func show(req assay.Request) string {
	out := "k=" + itoa(req.K)
	if req.Text != "" {
		out += " text=" + req.Text
	}
	if req.Filter != nil {
		out += " filter=" + req.Filter.String()
	}
	return out
}
