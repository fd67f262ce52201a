package bm25

import (
	"context"
	"fmt"
	"iter"

	"github.com/assay-eval/assay"
)

// Capabilities implements assay.Describer.
func (x *Index) Capabilities() assay.Capabilities {
	return assay.Capabilities{ReturnsText: true, Filters: true, Lists: true, Fetches: true, Counts: true, Inspects: true}
}

// ListChunks yields the chunks by ascending id. They have no vectors.
func (x *Index) ListChunks(ctx context.Context, opts assay.ListOptions) iter.Seq2[assay.Chunk, error] {
	return x.set.List(ctx, op, opts, nil)
}

// FetchChunks gives chunks by id. They have no vectors.
func (x *Index) FetchChunks(ctx context.Context, ids []string, _ bool) ([]assay.Chunk, error) {
	return x.set.Fetch(ctx, ids, nil)
}

// Count is the number of chunks under the filter.
func (x *Index) Count(ctx context.Context, filter *assay.Filter) (int, error) {
	return x.set.Count(ctx, op, filter)
}

// Inspect reports parameters and size. A chunk without terms can never be found, which is a warning.
func (x *Index) Inspect(context.Context) (assay.Inspection, error) {
	in := assay.Inspection{
		Kind:  op,
		Count: x.set.Len(),
		Ready: true,
		Config: map[string]any{
			"k1": x.cfg.K1, "b": x.cfg.B, "analyzer": x.analyzer.Name(),
			"terms": len(x.terms), "postings": len(x.docs), "average_length": x.average,
		},
	}
	if n := x.set.Len() - x.indexed; n > 0 {
		in.Warnings = append(in.Warnings, assay.Warning{Code: "chunks_without_terms", Text: chunksWithoutTerms(n, x.set.Len())})
	}
	return in, nil
}

func chunksWithoutTerms(n, of int) string {
	return fmt.Sprintf("%d of %d chunks have no term the analyzer keeps, so no query finds them", n, of)
}
