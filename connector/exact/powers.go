package exact

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/assay-eval/assay"
)

// Capabilities implements assay.Describer.
func (x *Index) Capabilities() assay.Capabilities {
	return assay.Capabilities{NeedsVector: true, ReturnsText: true, Filters: true, Lists: true, Fetches: true, Counts: true, Exact: true, Inspects: true}
}

// ListChunks yields the chunks by ascending id, with copies of their vectors when those are asked for.
func (x *Index) ListChunks(ctx context.Context, opts assay.ListOptions) iter.Seq2[assay.Chunk, error] {
	return x.set.List(ctx, op, opts, func(i int) []float32 { return slices.Clone(x.row(i)) })
}

// FetchChunks gives chunks by id, with copies of their vectors when those are asked for.
func (x *Index) FetchChunks(ctx context.Context, ids []string, withVectors bool) ([]assay.Chunk, error) {
	if !withVectors {
		return x.set.Fetch(ctx, ids, nil)
	}
	return x.set.Fetch(ctx, ids, func(i int) []float32 { return slices.Clone(x.row(i)) })
}

// Count is the number of chunks under the filter.
func (x *Index) Count(ctx context.Context, filter *assay.Filter) (int, error) {
	return x.set.Count(ctx, op, filter)
}

// Inspect reports distance and size. Stored zero vectors are a warning under cosine.
func (x *Index) Inspect(context.Context) (assay.Inspection, error) {
	in := assay.Inspection{
		Kind:      op,
		Count:     x.set.Len(),
		Dimension: x.dim,
		Distance:  x.cfg.Distance,
		Ready:     true,
		Config:    map[string]any{"distance": x.cfg.Distance, "dimension": x.dim},
	}
	if x.zero > 0 {
		in.Warnings = []assay.Warning{{Code: "zero_vector",
			Text: fmt.Sprintf("%d of %d chunks have a vector of zeros, which has no direction: they rank last", x.zero, x.set.Len())}}
	}
	return in, nil
}
