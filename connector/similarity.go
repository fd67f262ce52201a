package connector

import "github.com/assay-eval/assay"

// The distances of a vector index, as Inspection.Distance names them.
const (
	Cosine    = "cosine"
	Dot       = "dot"
	Euclid    = "euclid"
	Manhattan = "manhattan"
)

// CheckDirection refuses a query of zeros under cosine: it has no direction, and a store that answers
// all the same gives every chunk the same score, which is an order by chance.
func CheckDirection(vector []float32, distance, where string) error {
	if distance != Cosine {
		return nil
	}
	for _, x := range vector {
		if x != 0 {
			return nil
		}
	}
	return assay.WithHint(assay.Errorf(assay.KindInvalid, "search", where, "the query vector is all zeros, and cosine needs a direction"),
		"the embedding model gave no usable vector for this text; look at its server's log")
}
