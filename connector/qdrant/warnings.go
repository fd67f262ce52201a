package qdrant

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
)

// optimizerError is what the optimizer complains of, "" when it is well.
func (i *info) optimizerError() string {
	var s string
	if len(i.Optimizer) == 0 || json.Unmarshal(i.Optimizer, &s) == nil && s == "ok" {
		return ""
	}
	var e struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(i.Optimizer, &e) == nil && e.Error != "" {
		return e.Error
	}
	return string(i.Optimizer)
}

// warnings lists what would make numbers measured now misleading.
func (c *Collection) warnings(i *info, v vectorParams) []assay.Warning {
	var out []assay.Warning
	if i.Status != "green" {
		out = append(out, warn("not_green", "the collection is %s: it is being optimized, and results may change until it is green", i.Status))
	}
	if e := i.optimizerError(); e != "" {
		out = append(out, warn("optimizer_error", "the optimizer reports: %s", e))
	}
	for _, w := range i.Warnings {
		out = append(out, warn("server_warning", "%s", w.Message))
	}
	if n := i.Queue.Length; n > 0 {
		out = append(out, warn("updates_pending", "%s in the queue", plural.Count(n, "update waits", "updates wait")))
	}
	if n := i.Queue.Deferred; n > 0 {
		out = append(out, warn("points_deferred", "%s not searchable yet", plural.Count(n, "point is", "points are")))
	}
	if p := i.Config.Optimizer.PreventUnopt; p != nil && *p {
		out = append(out, warn("prevent_unoptimized", "prevent_unoptimized is on: points that are not optimized yet are left out of searches"))
	}
	out = append(out, c.indexWarnings(i, v)...)
	if on, _ := i.Config.Strict["enabled"].(bool); on {
		var limits []string
		for _, k := range sortedKeys(i.Config.Strict) {
			if k != "enabled" {
				limits = append(limits, fmt.Sprintf("%s %v", k, i.Config.Strict[k]))
			}
		}
		out = append(out, warn("strict_mode", "strict mode is on and refuses some requests (%s)", strings.Join(limits, ", ")))
	}
	if only, _ := c.settings.Params["indexed_only"].(bool); only {
		out = append(out, warn("indexed_only", "indexed_only is set: segments without an index are not searched"))
	}
	for _, name := range sortedKeys(c.settings.Params) {
		if !known(name) {
			out = append(out, warn("unknown_param", "params.%s is no parameter known of Qdrant; the server ignores what it does not know", name))
		}
	}
	return out
}

func known(param string) bool {
	for _, k := range knownParams[""] {
		if k == param {
			return true
		}
	}
	return false
}

// indexWarnings tells a small collection, which is rightly searched without an index, from one whose
// index is missing or unfinished. The threshold is in KiB of vectors per segment; 0 turns indexing off.
func (c *Collection) indexWarnings(i *info, v vectorParams) []assay.Warning {
	if i.Points == nil || i.Indexed == nil || *i.Points == 0 || len(i.vectors) == 0 {
		return nil
	}
	points, indexed := *i.Points, *i.Indexed
	threshold, segments := 10_000, 1
	if t := i.Config.Optimizer.IndexingThreshold; t != nil {
		threshold = *t
	}
	if i.Segments != nil {
		segments = max(1, *i.Segments)
	}
	kib := points * v.Size * 4 / 1024 / segments
	switch {
	case threshold == 0 && indexed == 0:
		return []assay.Warning{warn("no_index", "indexing is turned off (indexing_threshold 0): every search is a full scan")}
	case indexed == 0 && kib > threshold:
		return []assay.Warning{warn("no_index", "none of %d points is indexed, though the index is due above %d KiB a segment and there are %d", points, threshold, kib)}
	case indexed > 0 && indexed < points*len(i.vectors)*9/10 && kib > threshold:
		return []assay.Warning{warn("index_unfinished", "%d of %d vectors are indexed; the rest is scanned", indexed, points*len(i.vectors))}
	}
	if _, set := c.settings.Params["hnsw_ef"]; set && indexed == 0 {
		return []assay.Warning{warn("ef_without_index", "hnsw_ef is set, but no point is indexed: every search is a full scan and hnsw_ef changes nothing")}
	}
	return nil
}
