package project

import (
	"fmt"
	"math"
	"testing"

	"github.com/assay-eval/assay"
)

func sourced(documents, each int, weight func(d int) float64) (queries []assay.Query) {
	for d := range documents {
		for range each {
			queries = append(queries, assay.Query{Origin: &assay.Origin{Document: fmt.Sprint("d", d)}, Weight: weight(d)})
		}
	}
	return queries
}

// Three queries from each of 22 documents tell what 22 do, and weights take away as Kish's effective size says.
func TestPrecisionCountsDocuments(t *testing.T) {
	same := func(int) float64 { return 0 }
	for _, tc := range []struct {
		name             string
		queries          []assay.Query
		all, independent int
		halfWidth        float64
		detectable       float64
	}{
		// z/(1 + z²/n)·√(p(1−p)/n + z²/4n²) with p = .8 (Wilson 1927), in Python; (1.96 + 0.842)·√(0.2/n), a little more by Student
		{"one each", sourced(200, 1, same), 200, 200, 0.0552, 0.0890},
		{"three each", sourced(22, 3, same), 66, 22, 0.1605, math.NaN()},
		{"weighted 4 to 1", sourced(100, 1, func(d int) float64 { return []float64{4, 1}[d%2] }), 100, 73, 0.0906, 0.1484}, // (50*4 + 50)²/(50*16 + 50)
	} {
		p := precisionOf(tc.queries)
		if p.Queries != tc.all || p.Independent != tc.independent || math.Abs(p.HalfWidth-tc.halfWidth) > 0.001 {
			t.Errorf("%s: %+v", tc.name, p)
		}
		if none := math.IsNaN(tc.detectable); none != (p.Detectable == nil) || !none && math.Abs(*p.Detectable-tc.detectable) > 0.001 {
			t.Errorf("%s: detectable %v", tc.name, p.Detectable)
		}
	}
	if p := precisionOf(sourced(1, 50, same)); p != nil {
		t.Errorf("one document: %+v", p)
	}
}
