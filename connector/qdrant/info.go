package qdrant

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/nearest"
	"github.com/assay-eval/assay/internal/rest"
)

// info is what GET /collections/{name} says, as far as it is used. Fields come and go between releases:
// every one may be missing.
type info struct {
	raw json.RawMessage

	Status    string          `json:"status"`
	Optimizer json.RawMessage `json:"optimizer_status"` // "ok" or {"error": "..."}
	Warnings  []struct {
		Message string `json:"message"`
	} `json:"warnings"`
	Points   *int `json:"points_count"`
	Indexed  *int `json:"indexed_vectors_count"`
	Segments *int `json:"segments_count"`
	Queue    struct {
		Length   int `json:"length"`
		Deferred int `json:"deferred_points"`
	} `json:"update_queue"`
	Schema map[string]struct {
		Type   string `json:"data_type"`
		Points int    `json:"points"`
	} `json:"payload_schema"`
	Config struct {
		Params struct {
			Vectors     json.RawMessage            `json:"vectors"`
			Sparse      map[string]json.RawMessage `json:"sparse_vectors"`
			Shards      int                        `json:"shard_number"`
			Replication int                        `json:"replication_factor"`
		} `json:"params"`
		HNSW      map[string]any `json:"hnsw_config"`
		Optimizer struct {
			IndexingThreshold *int  `json:"indexing_threshold"`
			PreventUnopt      *bool `json:"prevent_unoptimized"`
		} `json:"optimizer_config"`
		Quantization map[string]any `json:"quantization_config"`
		Strict       map[string]any `json:"strict_mode_config"`
		Metadata     map[string]any `json:"metadata"`
	} `json:"config"`

	vectors map[string]vectorParams // by name; "" for a collection with one unnamed vector
}

// vectorParams are the settings of one dense vector.
type vectorParams struct {
	Size         int            `json:"size"`
	Distance     string         `json:"distance"`
	HNSW         map[string]any `json:"hnsw_config"`
	Quantization map[string]any `json:"quantization_config"`
	Datatype     string         `json:"datatype"`
}

// distance is the neutral name: Qdrant's in lower case.
func (v vectorParams) distance() string { return strings.ToLower(v.Distance) }

// fetch reads the collection's settings.
func (c *Collection) fetch(ctx context.Context) (*info, error) {
	var reply struct {
		Result json.RawMessage `json:"result"`
	}
	if err := c.client.Call(ctx, rest.Request{Op: "inspect", Method: "GET", Path: c.path()}, &reply); err != nil {
		if assay.KindOf(err) == assay.KindNotFound {
			return nil, c.suggest(ctx, err)
		}
		return nil, err
	}
	i := &info{raw: reply.Result}
	err := rest.Unmarshal(reply.Result, i)
	if err == nil {
		i.vectors, err = parseVectors(i.Config.Params.Vectors)
	}
	if err != nil {
		return nil, c.client.Wrong("inspect", c.path(), reply.Result, "the collection's settings cannot be read: %w", err)
	}
	return i, nil
}

// suggest adds the collections that do exist to a not-found error, where the server lets us see them.
func (c *Collection) suggest(ctx context.Context, err error) error {
	var reply struct {
		Result struct {
			Collections []struct {
				Name string `json:"name"`
			} `json:"collections"`
		} `json:"result"`
	}
	if c.client.Call(ctx, rest.Request{Method: "GET", Path: "/collections"}, &reply) != nil {
		return err
	}
	var names []string
	for _, x := range reply.Result.Collections {
		names = append(names, x.Name)
	}
	slices.Sort(names)
	if len(names) == 0 {
		return assay.WithHint(err, "the server has no collection at all")
	}
	return assay.WithHint(err, "the server has other collections%s", nearest.Suggest(c.settings.Collection, names))
}

// parseVectors reads both forms: the settings of one vector, or a map of names to settings.
func parseVectors(raw json.RawMessage) (map[string]vectorParams, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var probe map[string]json.RawMessage
	if err := rest.Unmarshal(raw, &probe); err != nil {
		return nil, err
	}
	if size := probe["size"]; len(size) > 0 && size[0] != '{' {
		var one vectorParams
		err := rest.Unmarshal(raw, &one)
		return map[string]vectorParams{"": one}, err
	}
	var named map[string]vectorParams
	err := rest.Unmarshal(raw, &named)
	return named, err
}

// vector is the settings of the vector under test, read once.
func (c *Collection) vector(ctx context.Context) (vectorParams, error) {
	i, err := c.info.Get(ctx, c.fetch)
	if err != nil {
		return vectorParams{}, err
	}
	return c.pick(i)
}

func (c *Collection) pick(i *info) (vectorParams, error) {
	using := c.settings.Using
	if v, ok := i.vectors[using]; ok {
		return v, nil
	}
	names := slices.Sorted(maps.Keys(i.vectors))
	_, sparse := i.Config.Params.Sparse[using]
	switch {
	case sparse:
		return vectorParams{}, assay.WithHint(assay.Errorf(assay.KindInvalid, "search", c.where(), "%q is a sparse vector, and an embedding model gives dense ones", using),
			"put the service that builds the sparse query under test with kind: http")
	case len(names) == 0:
		return vectorParams{}, assay.Errorf(assay.KindInvalid, "search", c.where(), "the collection has no dense vector")
	case using == "":
		return vectorParams{}, assay.WithHint(assay.Errorf(assay.KindInvalid, "search", c.where(), "the collection names its vectors, and using: names none"),
			"write using: %s", strings.Join(names, " or using: "))
	case slices.Equal(names, []string{""}):
		return vectorParams{}, assay.WithHint(assay.Errorf(assay.KindInvalid, "search", c.where(), "the collection's vector has no name, and using: is %q", using), "leave using: out")
	}
	return vectorParams{}, assay.WithHint(assay.Errorf(assay.KindInvalid, "search", c.where(), "the collection has no vector named %q", using), "it has%s", nearest.Suggest(using, names))
}
