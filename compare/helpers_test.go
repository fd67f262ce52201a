package compare_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/measure"
)

func measures(names ...string) []measure.Measure {
	var out []measure.Measure
	for _, n := range names {
		out = append(out, measure.MustParse(n))
	}
	return out
}

// id is the i-th query.
func id(i int) string { return fmt.Sprintf("q%05d", i) }

// side is a finished run whose i-th query has the given values of one measure.
func side(name string, values ...float64) compare.Side {
	rows := make([][]float64, len(values))
	for i, v := range values {
		rows[i] = []float64{v}
	}
	return sideOf(name, rows)
}

// sideOf is a finished run whose i-th query has these values, nil for a query that failed.
func sideOf(name string, rows [][]float64) compare.Side {
	s := compare.Side{SideInfo: compare.SideInfo{Name: name, System: name, Kind: compare.KindRun, Finished: true,
		Fingerprint: ledger.Fingerprint{"system.retriever.kind": "bm25", "system.retriever.analyzer": name}}}
	for i, values := range rows {
		q := compare.Query{ID: id(i), Outcome: measure.Scored, Values: values, Digest: digest(name, i), Timings: assay.Timings{Total: time.Duration(i+1) * time.Millisecond}}
		if values == nil {
			q.Outcome, q.Why = measure.Failed, "timeout"
			s.Counts.Failed++
		} else {
			s.Counts.Scored++
		}
		s.Queries = append(s.Queries, q)
		s.Counts.Queries++
	}
	return s
}

// digest is that of some ranking that name returned for query i.
func digest(name string, i int) (d [16]byte) {
	copy(d[:], fmt.Sprintf("%d %s", i, name))
	return d
}

func run(t testing.TB, in compare.Input) *compare.Result {
	t.Helper()
	res, err := compare.Run(in)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func codes(warnings []assay.Warning) []string {
	out := []string{}
	for _, w := range warnings {
		out = append(out, w.Code)
	}
	return out
}
