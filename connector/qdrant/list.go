package qdrant

import (
	"context"
	"encoding/json"
	"iter"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/internal/rest"
)

// scroll is the body of one page of a listing.
type scroll struct {
	Limit       int             `json:"limit"`
	Offset      json.RawMessage `json:"offset,omitempty"`
	Filter      any             `json:"filter,omitempty"`
	WithPayload any             `json:"with_payload"`
	WithVector  any             `json:"with_vector"`
}

// ListChunks walks the whole collection in the order of its point ids. Points that share a chunk key are
// given as they come.
func (c *Collection) ListChunks(ctx context.Context, opts assay.ListOptions) iter.Seq2[assay.Chunk, error] {
	return func(yield func(assay.Chunk, error) bool) {
		filter, err := translate(opts.Filter)
		if err != nil {
			yield(assay.Chunk{}, refused(c.where(), err))
			return
		}
		body := scroll{Limit: c.settings.Page, Filter: filter, WithPayload: c.payload, WithVector: false}
		if c.payload == nil {
			body.WithPayload = false // a scroll, unlike a query, sends it by default
		}
		if opts.WithVectors {
			if _, err := c.vector(ctx); err != nil {
				yield(assay.Chunk{}, err)
				return
			}
			body.WithVector = true
			if c.settings.Using != "" {
				body.WithVector = []string{c.settings.Using}
			}
		}
		seen := map[string]bool{}
		for {
			chunks, next, err := c.page(ctx, body)
			if err != nil {
				yield(assay.Chunk{}, err)
				return
			}
			for _, chunk := range chunks {
				if !yield(chunk, nil) {
					return
				}
			}
			if next == nil {
				return
			}
			if seen[string(next)] {
				yield(assay.Chunk{}, c.client.Wrong("list", c.path("points", "scroll"), next, "the server gave the same next_page_offset twice: the listing would never end"))
				return
			}
			seen[string(next)] = true
			body.Offset = next
		}
	}
}

func (c *Collection) page(ctx context.Context, body scroll) (chunks []assay.Chunk, next json.RawMessage, err error) {
	path := c.path("points", "scroll")
	var reply struct {
		Result *struct {
			Points *[]point        `json:"points"`
			Next   json.RawMessage `json:"next_page_offset"`
		} `json:"result"`
	}
	if err := c.client.Call(ctx, rest.Request{Op: "list", Method: "POST", Path: path, Body: body}, &reply); err != nil {
		return nil, nil, err
	}
	if reply.Result == nil || reply.Result.Points == nil {
		return nil, nil, c.client.Wrong("list", path, nil, "the reply has no result.points")
	}
	records := make([]connector.Record, len(*reply.Result.Points))
	for i, p := range *reply.Result.Points {
		vector, err := vectorOf(p.Vector, c.settings.Using)
		if err != nil {
			return nil, nil, c.client.Wrong("list", path, p.Vector, "point %s: %w", p.ID, err)
		}
		records[i] = connector.Record{ID: string(p.ID), Metadata: p.Payload, Vector: vector}
	}
	if chunks, err = c.fields.Chunks(c.where(), records); err != nil {
		return nil, nil, err
	}
	if next = reply.Result.Next; string(next) == "null" {
		next = nil
	}
	return chunks, next, nil
}

// Count counts the points under a filter, exactly.
func (c *Collection) Count(ctx context.Context, filter *assay.Filter) (int, error) {
	native, err := translate(filter)
	if err != nil {
		return 0, refused(c.where(), err)
	}
	body := struct {
		Exact  bool `json:"exact"`
		Filter any  `json:"filter,omitempty"`
	}{true, native}
	var reply struct {
		Result struct {
			Count *int `json:"count"`
		} `json:"result"`
	}
	path := c.path("points", "count")
	if err := c.client.Call(ctx, rest.Request{Op: "count", Method: "POST", Path: path, Body: body}, &reply); err != nil {
		return 0, err
	}
	if reply.Result.Count == nil {
		return 0, c.client.Wrong("count", path, nil, "the reply has no result.count")
	}
	return *reply.Result.Count, nil
}
