package pipeline

import (
	"cmp"
	"math"
	"slices"

	"github.com/assay-eval/assay"
)

// clean holds a response to the Retriever contract. What can be repaired without guessing is repaired
// and noted: a list longer than k is cut, a repeated id keeps its best place. A score that is not a
// number makes the whole answer unusable.
func clean(resp *assay.Response, k int) error {
	seen := make(map[string]bool, len(resp.Hits))
	kept := resp.Hits[:0:len(resp.Hits)]
	repeats, unsorted := 0, 0
	for _, h := range resp.Hits {
		if math.IsNaN(h.Score) || math.IsInf(h.Score, 0) {
			return assay.Errorf(assay.KindMalformed, "search", h.ID, "score %v is not a finite number", h.Score)
		}
		if h.ID == "" {
			return assay.Errorf(assay.KindMalformed, "search", "", "a hit without an id at rank %d", len(kept)+1)
		}
		if seen[h.ID] {
			repeats++
			continue
		}
		seen[h.ID] = true
		if n := len(kept); n > 0 && h.Score > kept[n-1].Score {
			unsorted++
		}
		kept = append(kept, h)
	}
	resp.Hits = kept
	if over := len(kept) - k; over > 0 {
		resp.Hits = kept[:k]
		note(resp, "list_cut", over)
	}
	note(resp, "duplicate_id", repeats)
	note(resp, "unsorted", unsorted)
	return nil
}

// note adds to a count of the response's notes; 0 adds nothing.
func note(resp *assay.Response, code string, count int) {
	if count == 0 {
		return
	}
	for i := range resp.Notes {
		if resp.Notes[i].Code == code {
			resp.Notes[i].Count += count
			return
		}
	}
	resp.Notes = append(resp.Notes, assay.Note{Code: code, Count: count})
}

// sortByScore orders hits by score descending, ties by id descending: the order of the reference.
func sortByScore(hits []assay.Hit) {
	slices.SortStableFunc(hits, func(a, b assay.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID))
	})
}
