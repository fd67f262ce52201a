package qdrant

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/rest"
)

// Inspect reads the server's version and the collection's settings and state, anew each time. Config
// holds what a run's fingerprint needs; Warnings what would make a number measured now misleading.
func (c *Collection) Inspect(ctx context.Context) (assay.Inspection, error) {
	var server struct {
		Title   string `json:"title"`
		Version string `json:"version"`
	}
	if err := c.client.Call(ctx, rest.Request{Op: "inspect", Method: "GET", Path: "/"}, &server); err != nil {
		return assay.Inspection{}, err
	}
	i, err := c.fetch(ctx)
	if err != nil {
		return assay.Inspection{}, err
	}
	v, err := c.pick(i)
	if err != nil {
		return assay.Inspection{}, err
	}
	out := assay.Inspection{Kind: Kind, Server: "qdrant " + server.Version, Count: -1, Dimension: v.Size, Distance: v.distance(), Raw: i.raw}
	if i.Points != nil {
		out.Count = *i.Points
	}
	out.Config = c.describe(i, v)
	out.Fields = map[string]assay.FieldIndex{}
	for name, f := range i.Schema {
		out.Fields[name] = assay.FieldIndex{Type: f.Type, Count: f.Points}
	}
	if name, err := c.aliased(ctx); err == nil && name != "" {
		out.Config["collection"], out.Config["alias"] = name, c.settings.Collection
	}
	out.Ready = i.Status == "green" && i.optimizerError() == "" && i.Queue.Length == 0 && i.Queue.Deferred == 0
	out.Warnings = c.warnings(i, v)
	if !strings.Contains(server.Title, "qdrant") {
		out.Server = server.Version
		out.Warnings = append(out.Warnings, warn("not_qdrant", "the server calls itself %q: nothing here was verified against it", server.Title))
	}
	return out, nil
}

// describe is the plain record of what shapes the results.
func (c *Collection) describe(i *info, v vectorParams) map[string]any {
	out := map[string]any{"collection": c.settings.Collection, "distance": v.distance(), "dimension": v.Size}
	index := map[string]any{"hnsw": merged(i.Config.HNSW, v.HNSW, "m", "ef_construct", "full_scan_threshold", "payload_m")}
	if q := merged(i.Config.Quantization, v.Quantization); len(q) > 0 {
		index["quantization"] = q
	}
	if len(c.settings.Params) > 0 {
		index["search"] = c.settings.Params
	}
	out["index_params"] = index
	for name, value := range map[string]any{"using": c.settings.Using, "score_threshold": c.settings.Threshold, "datatype": v.Datatype} {
		if value != nil && value != "" {
			out[name] = value
		}
	}
	if n := i.Config.Params.Shards; n > 1 {
		out["shards"] = n
	}
	if n := i.Config.Params.Replication; n > 1 {
		out["replication_factor"] = n
	}
	if i.Segments != nil {
		out["segments"] = *i.Segments
	}
	if len(i.Config.Metadata) > 0 {
		out["metadata"] = i.Config.Metadata
	}
	return plain(out).(map[string]any)
}

// merged is a setting of the collection with that of the vector over it, cut to the keys that matter;
// all keys when none are given. Unset values are left out.
func merged(collection, vector map[string]any, keys ...string) map[string]any {
	out := map[string]any{}
	for _, m := range []map[string]any{collection, vector} {
		for k, x := range m {
			if x != nil && (len(keys) == 0 || slices.Contains(keys, k)) {
				out[k] = x
			}
		}
	}
	return out
}

// plain turns json.Number into ordinary numbers, at any depth, in a copy.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			out[k] = plain(v[k])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plain(v[i])
		}
		return out
	}
	return assay.NormalizeValue(v)
}

// aliased is the name of the collection behind an alias, "" when the name is no alias.
func (c *Collection) aliased(ctx context.Context) (string, error) {
	var reply struct {
		Result struct {
			Aliases []struct {
				Alias      string `json:"alias_name"`
				Collection string `json:"collection_name"`
			} `json:"aliases"`
		} `json:"result"`
	}
	if err := c.client.Call(ctx, rest.Request{Op: "inspect", Method: "GET", Path: "/aliases"}, &reply); err != nil {
		return "", err // a key for one collection may not see them
	}
	for _, a := range reply.Result.Aliases {
		if a.Alias == c.settings.Collection {
			return a.Collection, nil
		}
	}
	return "", nil
}

func warn(code, format string, args ...any) assay.Warning {
	return assay.Warning{Code: code, Text: fmt.Sprintf(format, args...)}
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
