package chroma

import (
	"context"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
)

// FetchChunks gives chunks by their keys: by Chroma's own id, or where a metadata field is the key by that.
func (c *Collection) FetchChunks(ctx context.Context, ids []string, withVectors bool) ([]assay.Chunk, error) {
	i, err := c.info.Get(ctx, c.fetch)
	if err != nil {
		return nil, err
	}
	var out []assay.Chunk
	for some := range slices.Chunk(ids, max(1, c.settings.Page)) {
		body, filters := get{IDs: some}, []*assay.Filter{nil}
		if c.fields.Key != "" {
			body, filters = get{}, connector.HasKey(c.fields.Key, some)
		}
		for _, filter := range filters {
			chunks, _, err := c.get(ctx, i, body, assay.ListOptions{Filter: filter, WithVectors: withVectors})
			if err != nil {
				return nil, c.gone(err)
			}
			if out = append(out, chunks...); len(chunks) > 0 {
				break
			}
		}
	}
	return connector.Ordered(out, ids), nil
}
