package score_test

import (
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/testset"
)

// texts is a store of passages.
type texts map[string]string

func (p texts) Text(hash string) (string, bool) { t, ok := p[hash]; return t, ok }

// put stores a text and returns its hash.
func (p texts) put(text string) string {
	hash := assay.HashText(text)
	p[hash] = text
	return hash
}

// index is a corpus: chunks by key, documents by id, and texts that stand in one place.
type index struct {
	chunks    map[string]assay.Chunk
	documents map[string]assay.Document
}

func (x *index) Lookup(id string) (assay.Chunk, bool) { c, ok := x.chunks[id]; return c, ok }
func (x *index) LookupDocument(id string) (assay.Document, bool) {
	d, ok := x.documents[id]
	return d, ok
}

func (x *index) Place(text string) (document string, span assay.Span, ok bool) {
	for _, id := range slices.Sorted(func(yield func(string) bool) {
		for id := range x.documents {
			if !yield(id) {
				return
			}
		}
	}) {
		t := x.documents[id].Text
		n := strings.Count(t, text)
		if n > 1 || n == 1 && ok {
			return "", assay.Span{}, false
		}
		if n == 1 {
			i := strings.Index(t, text)
			document, span, ok = id, assay.Span{Start: i, End: i + len(text)}, true
		}
	}
	return document, span, ok
}

func stream(results ...assay.Result) iter.Seq2[assay.Result, error] {
	return func(yield func(assay.Result, error) bool) {
		for _, r := range results {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func measures(t testing.TB, names ...string) []measure.Measure {
	t.Helper()
	ms, err := measure.ParseList(names...)
	if err != nil {
		t.Fatal(err)
	}
	return ms
}

// label is a human label of query q.
func label(query string, grade assay.Grade, target assay.Target) assay.Label {
	return assay.Label{Query: query, Target: target, Event: assay.EventGrade, Grade: grade, By: assay.ByHuman}
}

func newSet(t testing.TB, queries []assay.Query, labels ...assay.Label) *testset.Set {
	t.Helper()
	set, err := testset.New(queries, labels)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// hits makes a ranking of ids, scores descending.
func hits(ids ...string) []assay.RankedHit {
	out := make([]assay.RankedHit, len(ids))
	for i, id := range ids {
		out[i] = assay.RankedHit{ID: id, Score: float64(len(ids) - i)}
	}
	return out
}

// at makes a hit with a known place.
func at(id, document string, start, end int) assay.RankedHit {
	return assay.RankedHit{ID: id, Document: document, Start: &start, End: &end}
}

func mustScore(t testing.TB, set *testset.Set, p score.Passages, ms []measure.Measure, opts score.Options, results ...assay.Result) *score.Scored {
	t.Helper()
	s, err := score.Score(set, stream(results...), p, ms, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func value(t testing.TB, s *score.Scored, name string) float64 {
	t.Helper()
	m, ok := s.Mean(name)
	if !ok || m.Scored == 0 {
		t.Fatalf("no mean of %s", name)
	}
	return m.Value
}

func hasWarning(s *score.Scored, code string) (text string, ok bool) {
	for _, w := range s.Warnings {
		if w.Code == code {
			return w.Text, true
		}
	}
	return "", false
}

// heap is what is in use after everything unused was collected.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }
