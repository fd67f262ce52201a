package qdrant

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
)

// FetchChunks gives chunks by their keys: by point id, or where a payload field is the key by that. It is a
// scroll under a filter, in pages, so that the client needs no further permission.
func (c *Collection) FetchChunks(ctx context.Context, ids []string, withVectors bool) ([]assay.Chunk, error) {
	var out []assay.Chunk
	for some := range slices.Chunk(ids, max(1, c.settings.Page)) {
		for _, filter := range c.among(some) {
			before := len(out)
			for chunk, err := range c.ListChunks(ctx, assay.ListOptions{Filter: filter, WithVectors: withVectors}) {
				if err != nil {
					return nil, err
				}
				out = append(out, chunk)
			}
			if len(out) > before {
				break
			}
		}
	}
	return connector.Ordered(out, ids), nil
}

// among are the conditions of having one of these keys, none when no point can have any of them.
func (c *Collection) among(ids []string) []*assay.Filter {
	if c.fields.Key != "" {
		return connector.HasKey(c.fields.Key, ids)
	}
	var points []any
	for _, s := range ids {
		switch {
		case digits.MatchString(s):
			points = append(points, json.Number(s))
		case uuid.MatchString(s):
			points = append(points, s)
		}
	}
	if points == nil {
		return nil
	}
	native, err := json.Marshal(map[string]any{"must": []any{map[string]any{"has_id": points}}})
	if err != nil {
		panic(err) // numbers and UUIDs
	}
	return []*assay.Filter{{Native: native}}
}
