package chunkset

import (
	"context"

	"github.com/assay-eval/assay"
)

// Check refuses a request that no retriever in process can answer: too small a K, a filter that is wrong
// or belongs to another store, a context that is over.
func Check(ctx context.Context, op string, req assay.Request) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if req.K < 1 {
		return assay.Errorf(assay.KindInvalid, op, "", "k is %d; it must be at least 1", req.K)
	}
	return CheckFilter(op, req.Filter)
}

// CheckFilter refuses a filter that is malformed or, anywhere in it, native to a store.
func CheckFilter(op string, filter *assay.Filter) error {
	if filter == nil {
		return nil
	}
	if err := filter.Validate(); err != nil {
		return assay.Errorf(assay.KindInvalid, op, "", "%w", err)
	}
	if native(filter) {
		return assay.WithHint(
			assay.Errorf(assay.KindInvalid, op, "", "the filter is native to a store, and this index has no dialect of its own"),
			"write the condition in the neutral form, e.g. {\"field\": \"lang\", \"eq\": \"en\"}")
	}
	return nil
}

func native(f *assay.Filter) bool {
	if f.Native != nil || f.Not != nil && native(f.Not) {
		return true
	}
	for _, subs := range [][]assay.Filter{f.And, f.Or} {
		for i := range subs {
			if native(&subs[i]) {
				return true
			}
		}
	}
	return false
}
