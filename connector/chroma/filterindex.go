package chroma

import (
	"context"

	"github.com/assay-eval/assay"
)

// FilterIndex implements assay.FilterIndexer. Chroma keeps every metadata value in one table, with an index over key and value for
// texts, whole numbers and floats each (seen in the database of 1.x: embedding_metadata), so that there is nothing to create.
func (c *Collection) FilterIndex(context.Context, *assay.Filter) (assay.FilterIndex, error) {
	return assay.FilterIndex{Used: "Chroma's own index of all metadata", Lossy: true}, nil
}
