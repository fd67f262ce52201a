package trec

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
)

// WriteRun writes rankings as a run file and returns for how many queries it had to make up scores. A
// reader orders by score and breaks ties by id, so where a ranking's own scores would not come back in
// its order, also after rounding to float32, the scores written are n, n-1 … 1. Failed queries are left
// out; ids with blanks in them are an error, since no reader could split the line.
func WriteRun(w io.Writer, tag string, results iter.Seq2[assay.Result, error]) (replaced int, err error) {
	out := bufio.NewWriter(w)
	if err := writable("run tag", tag); err != nil {
		return 0, err
	}
	for r, err := range results {
		if err != nil {
			return replaced, err
		}
		if r.Error != nil || len(r.Hits) == 0 {
			continue
		}
		if err := writable("query id", r.Query); err != nil {
			return replaced, err
		}
		keep := survives(r.Hits)
		if !keep {
			replaced++
		}
		for i, h := range r.Hits {
			if err := writable("document id", h.ID); err != nil {
				return replaced, fmt.Errorf("query %s: %w", r.Query, err)
			}
			score := h.Score
			if !keep {
				score = float64(len(r.Hits) - i)
			}
			fmt.Fprintf(out, "%s Q0 %s %d %s %s\n", r.Query, h.ID, i+1, strconv.FormatFloat(score, 'g', -1, 64), tag)
		}
	}
	return replaced, out.Flush()
}

// survives reports whether sorting by score gives the ranking back, in either release's precision.
func survives(hits []assay.RankedHit) bool {
	for _, precision := range []func(float64) float64{func(x float64) float64 { return x }, func(x float64) float64 { return float64(float32(x)) }} {
		sorted := slices.IsSortedFunc(hits, func(a, b assay.RankedHit) int {
			return cmp.Or(cmp.Compare(precision(b.Score), precision(a.Score)), cmp.Compare(b.ID, a.ID))
		})
		if !sorted {
			return false
		}
	}
	return !slices.ContainsFunc(hits, func(h assay.RankedHit) bool { return h.Score != h.Score })
}

// Judgment is one line of a qrels file.
type Judgment struct {
	Query, Doc string
	Grade      int
}

// WriteQrels writes judgments as a qrels file.
func WriteQrels(w io.Writer, judgments iter.Seq[Judgment]) error {
	out := bufio.NewWriter(w)
	for j := range judgments {
		if err := cmp.Or(writable("query id", j.Query), writable("document id", j.Doc)); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s 0 %s %d\n", j.Query, j.Doc, j.Grade)
	}
	return out.Flush()
}

// writable refuses what could not be read back as one field.
func writable(what, id string) error {
	if id == "" || strings.ContainsAny(id, " \t\n\v\f\r\x00") {
		return assay.WithHint(assay.Usagef("%s %q cannot stand in a TREC file", what, id), "ids there hold no blanks and are not empty")
	}
	return nil
}
