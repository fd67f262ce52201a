package chroma

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/internal/nearest"
	"github.com/assay-eval/assay/internal/rest"
)

// info is what the server says of a collection. Fields come and go between releases: every one but the
// id may be missing.
type info struct {
	raw json.RawMessage

	ID            string         `json:"id"`
	Name          string         `json:"name"`
	Dimension     int            `json:"dimension"`
	Metadata      map[string]any `json:"metadata"`
	Schema        schema         `json:"schema"`
	Configuration struct {
		HNSW     map[string]any `json:"hnsw"`
		SPANN    map[string]any `json:"spann"`
		Function struct {
			Name   string         `json:"name"`
			Config map[string]any `json:"config"`
		} `json:"embedding_function"`
	} `json:"configuration_json"`
}

// legacy is the prefix of index settings in the metadata of older collections.
const legacy = "hnsw:"

// space is how Chroma compares vectors: "l2" (its default), "cosine" or "ip".
func (i *info) space() string {
	for _, m := range []map[string]any{i.Configuration.HNSW, i.Configuration.SPANN} {
		if s, ok := m["space"].(string); ok {
			return s
		}
	}
	if s, ok := i.Metadata[legacy+"space"].(string); ok {
		return s
	}
	return "l2"
}

// distance is the neutral name of the space.
func (i *info) distance() string {
	switch s := i.space(); s {
	case "l2":
		return connector.Euclid
	case "ip":
		return connector.Dot
	default:
		return s
	}
}

// fetch finds the collection by its name.
func (c *Collection) fetch(ctx context.Context) (*info, error) {
	i := new(info)
	path := c.base(c.settings.Collection)
	if err := c.client.Call(ctx, rest.Request{Op: "inspect", Method: "GET", Path: path}, &i.raw); err != nil {
		if assay.KindOf(err) == assay.KindNotFound {
			return nil, c.suggest(ctx, err)
		}
		return nil, err
	}
	if err := rest.Unmarshal(i.raw, i); err != nil || i.ID == "" {
		return nil, c.client.Wrong("inspect", path, i.raw, "the reply does not describe a collection")
	}
	return i, nil
}

// suggest adds the collections that do exist to a not-found error, where the server lets us see them.
func (c *Collection) suggest(ctx context.Context, err error) error {
	var list []struct {
		Name string `json:"name"`
	}
	if c.client.Call(ctx, rest.Request{Method: "GET", Path: c.base(), Query: url.Values{"limit": {"1000"}}}, &list) != nil {
		return err
	}
	var names []string
	for _, x := range list {
		names = append(names, x.Name)
	}
	slices.Sort(names)
	if len(names) == 0 {
		return assay.WithHint(err, "the database %s of tenant %s has no collection at all", c.settings.Database, c.settings.Tenant)
	}
	return assay.WithHint(err, "the database has other collections%s", nearest.Suggest(c.settings.Collection, names))
}

// Inspect reads the collection's settings and size, anew each time.
func (c *Collection) Inspect(ctx context.Context) (assay.Inspection, error) {
	i, err := c.fetch(ctx)
	if err != nil {
		return assay.Inspection{}, err
	}
	n, err := c.count(ctx, i)
	if err != nil {
		return assay.Inspection{}, err
	}
	var version string
	if err := c.client.Call(ctx, rest.Request{Op: "inspect", Method: "GET", Path: "/api/v2/version"}, &version); err != nil {
		return assay.Inspection{}, err
	}
	// The server states the version of its API, not of the package it came in.
	return assay.Inspection{Kind: Kind, Server: "chroma API " + version, Config: c.describe(i), Count: n, Dimension: i.Dimension, Distance: i.distance(), Ready: true, Raw: i.raw}, nil
}

// describe is the plain record of what shapes the results.
func (c *Collection) describe(i *info) map[string]any {
	out := map[string]any{"collection": i.Name, "collection_id": i.ID, "distance": i.distance()}
	if i.Dimension > 0 {
		out["dimension"] = int64(i.Dimension)
	}
	if c.settings.Tenant != "default_tenant" || c.settings.Database != "default_database" {
		out["tenant"], out["database"] = c.settings.Tenant, c.settings.Database
	}
	index, own := map[string]any{}, map[string]any{}
	for k, v := range i.Metadata {
		if name, ok := strings.CutPrefix(k, legacy); ok {
			index[name] = v
		} else if v != nil {
			own[k] = v
		}
	}
	for _, m := range []map[string]any{i.Configuration.HNSW, i.Configuration.SPANN} {
		for k, v := range m {
			if v != nil {
				index[k] = v
			}
		}
	}
	if len(index) > 0 {
		out["index_params"] = connector.Normalize(index)
	}
	if len(own) > 0 {
		out["metadata"] = connector.Normalize(own)
	}
	if name := i.Configuration.Function.Name; name != "" {
		out["embedding_function"] = name
	}
	return out
}
