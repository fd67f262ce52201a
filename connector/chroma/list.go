package chroma

import (
	"context"
	"iter"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/rest"
)

// get is the body of one page of a listing.
type get struct {
	IDs     []string `json:"ids,omitempty"`
	Limit   int      `json:"limit,omitempty"`
	Offset  int      `json:"offset,omitempty"`
	Where   any      `json:"where,omitempty"`
	Include []string `json:"include"`
}

// page is a reply to a get: parallel lists.
type page struct {
	IDs        []string         `json:"ids"`
	Documents  []*string        `json:"documents"`
	Metadatas  []map[string]any `json:"metadatas"`
	Embeddings []rest.Vector    `json:"embeddings"`
}

// ListChunks walks the whole collection in the order Chroma keeps. Pages are asked for by offset, so an
// item that comes twice means that the collection changed meanwhile: the listing ends with an error
// rather than being wrong.
func (c *Collection) ListChunks(ctx context.Context, opts assay.ListOptions) iter.Seq2[assay.Chunk, error] {
	return func(yield func(assay.Chunk, error) bool) {
		i, err := c.info.Get(ctx, c.fetch)
		if err != nil {
			yield(assay.Chunk{}, err)
			return
		}
		seen := map[string]bool{}
		for offset := 0; ; offset += c.settings.Page {
			chunks, ids, err := c.page(ctx, i, opts, offset)
			for n := 0; n < len(chunks) && err == nil; n++ {
				if seen[ids[n]] {
					err = assay.Errorf(assay.KindInternal, "list", c.where(), "%s came twice: the collection changed while it was listed", ids[n])
					break
				}
				seen[ids[n]] = true
				if !yield(chunks[n], nil) {
					return
				}
			}
			if err != nil {
				yield(assay.Chunk{}, c.gone(err))
				return
			}
			if len(chunks) < c.settings.Page {
				return
			}
		}
	}
}

// page fetches one page, as chunks and as Chroma's own ids.
func (c *Collection) page(ctx context.Context, i *info, opts assay.ListOptions, offset int) ([]assay.Chunk, []string, error) {
	return c.get(ctx, i, get{Limit: c.settings.Page, Offset: offset}, opts)
}

// get fetches the items that a body names, as chunks and as Chroma's own ids.
func (c *Collection) get(ctx context.Context, i *info, body get, opts assay.ListOptions) ([]assay.Chunk, []string, error) {
	path := c.base(i.ID, "get")
	body.Include = c.include()
	if opts.WithVectors {
		body.Include = append(body.Include, "embeddings")
	}
	var reply page
	err := c.filtered(opts.Filter, func(where any) error {
		body.Where = where
		return c.client.Call(ctx, rest.Request{Op: "list", Method: "POST", Path: path, Body: body}, &reply)
	})
	if err != nil {
		return nil, nil, err
	}
	records, err := c.records(path, reply.IDs, reply.Documents, reply.Metadatas)
	if err != nil {
		return nil, nil, err
	}
	if opts.WithVectors {
		if len(reply.Embeddings) != len(records) {
			return nil, nil, c.client.Wrong("list", path, nil, "the reply has %d embeddings for %d ids", len(reply.Embeddings), len(records))
		}
		for n := range records {
			records[n].Vector = reply.Embeddings[n]
		}
	}
	chunks, err := c.fields.Chunks(c.where(), records)
	return chunks, reply.IDs, err
}

// Count counts the items under a filter. Chroma counts only whole collections; under a filter the ids are
// fetched and counted here.
func (c *Collection) Count(ctx context.Context, filter *assay.Filter) (int, error) {
	i, err := c.info.Get(ctx, c.fetch)
	if err != nil {
		return 0, err
	}
	if filter == nil {
		n, err := c.count(ctx, i)
		return n, c.gone(err)
	}
	var reply page
	err = c.filtered(filter, func(where any) error {
		return c.client.Call(ctx, rest.Request{Op: "count", Method: "POST", Path: c.base(i.ID, "get"), Body: get{Where: where, Include: []string{}}}, &reply)
	})
	if err != nil {
		return 0, c.gone(err)
	}
	return len(reply.IDs), nil
}

func (c *Collection) count(ctx context.Context, i *info) (int, error) {
	var n *int
	path := c.base(i.ID, "count")
	if err := c.client.Call(ctx, rest.Request{Op: "count", Method: "GET", Path: path}, &n); err != nil {
		return 0, err
	}
	if n == nil {
		return 0, c.client.Wrong("count", path, nil, "the reply holds no count")
	}
	return *n, nil
}
