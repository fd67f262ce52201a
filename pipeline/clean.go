package pipeline

import (
	"cmp"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
)

// clean holds a response to the Retriever contract, whoever gave it, and notes a list whose scores
// contradict its order. The order stays: it is what the system's users see.
func clean(resp *assay.Response, k int) error {
	if err := connector.Tidy(resp, k); err != nil {
		return err
	}
	unsorted := 0
	for i := 1; i < len(resp.Hits); i++ {
		if resp.Hits[i].Score > resp.Hits[i-1].Score {
			unsorted++
		}
	}
	connector.AddNote(resp, "unsorted", unsorted)
	return nil
}

// sortByScore orders hits by score descending, ties by id descending: the order of the reference.
func sortByScore(hits []assay.Hit) {
	slices.SortStableFunc(hits, func(a, b assay.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID))
	})
}
