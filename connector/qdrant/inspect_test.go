package qdrant

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/rest"
)

func inspect(t *testing.T, s Settings) assay.Inspection {
	t.Helper()
	i, err := recorded(t, s).(*Collection).Inspect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i.Raw = nil
	return i
}

func TestInspect(t *testing.T) {
	got := inspect(t, Settings{Collection: "scifact", Params: map[string]any{"hnsw_ef": int64(64)}})
	want := assay.Inspection{Kind: "qdrant", Server: "qdrant 1.17.1", Count: 5183, Dimension: 384, Distance: "cosine", Ready: true,
		Config: map[string]any{"collection": "scifact", "distance": "cosine", "dimension": int64(384), "segments": int64(2),
			"index_params": map[string]any{
				"hnsw":         map[string]any{"m": int64(16), "ef_construct": int64(100), "full_scan_threshold": int64(10)},
				"quantization": map[string]any{"scalar": map[string]any{"type": "int8", "always_ram": true}},
				"search":       map[string]any{"hnsw_ef": int64(64)},
			}},
		Fields: map[string]assay.FieldIndex{}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestInspectFields(t *testing.T) {
	want := map[string]assay.FieldIndex{"lang": {Type: "keyword", Count: 65}, "year": {Type: "integer", Count: 64}}
	if d := cmp.Diff(want, inspect(t, Settings{}).Fields); d != "" {
		t.Error(d)
	}
}

func TestInspectAlias(t *testing.T) {
	got := inspect(t, Settings{Collection: "docs"})
	if got.Config["collection"] != "docs_v3" || got.Config["alias"] != "docs" || got.Count != 65 {
		t.Errorf("%+v", got)
	}
}

func TestInspectNamed(t *testing.T) {
	got := inspect(t, Settings{Collection: "named", Using: "title"})
	if got.Dimension != 4 || got.Distance != "euclid" || got.Config["using"] != "title" {
		t.Errorf("%+v", got)
	}
}

func codes(i assay.Inspection) string {
	var out []string
	for _, w := range i.Warnings {
		out = append(out, w.Code)
	}
	return strings.Join(out, " ")
}

func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		settings Settings
		codes    string
	}{
		{Settings{}, ""}, // 65 points without an index are as they should be
		{Settings{Params: map[string]any{"hnsw_ef": 128}}, "ef_without_index"},
		{Settings{Collection: "strict"}, "strict_mode"},
		{Settings{Collection: "empty"}, ""},
		{Settings{Collection: "scifact", Params: map[string]any{"indexed_only": true}}, "indexed_only"},
		{Settings{Collection: "scifact", Params: map[string]any{"some_new_thing": true}}, "unknown_param"},
	} {
		if got := codes(inspect(t, c.settings)); got != c.codes {
			t.Errorf("%s: %q, want %q", c.settings.Collection, got, c.codes)
		}
	}
}

// States that a recording cannot hold: the recorded settings of scifact, changed in one place.
func TestWarningsOfOtherStates(t *testing.T) {
	c := recorded(t, Settings{Collection: "scifact"}).(*Collection)
	base, err := c.fetch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for codes, change := range map[string]string{
		"":                    `{}`,
		"not_green":           `{"status":"yellow"}`,
		"optimizer_error":     `{"optimizer_status":{"error":"disk full"}}`,
		"server_warning":      `{"warnings":[{"message":"mmap is deprecated"}]}`,
		"updates_pending":     `{"update_queue":{"length":3}}`,
		"points_deferred":     `{"update_queue":{"deferred_points":7}}`,
		"prevent_unoptimized": `{"config":{"optimizer_config":{"prevent_unoptimized":true}}}`,
		"no_index":            `{"indexed_vectors_count":0}`,
		"index_unfinished":    `{"indexed_vectors_count":2000}`,
	} {
		i := &info{}
		for _, text := range []json.RawMessage{base.raw, json.RawMessage(change)} {
			if err := rest.Unmarshal(text, i); err != nil {
				t.Fatal(err)
			}
		}
		i.vectors = base.vectors
		var got []string
		for _, w := range c.warnings(i, base.vectors[""]) {
			got = append(got, w.Code)
		}
		if strings.Join(got, " ") != codes {
			t.Errorf("%s: %v, want %q", change, got, codes)
		}
	}
	off := &info{}
	for _, text := range []string{string(base.raw), `{"indexed_vectors_count":0,"config":{"optimizer_config":{"indexing_threshold":0}}}`} {
		if err := rest.Unmarshal([]byte(text), off); err != nil {
			t.Fatal(err)
		}
	}
	off.vectors = base.vectors
	if w := c.warnings(off, base.vectors[""]); len(w) != 1 || !strings.Contains(w[0].Text, "turned off") {
		t.Errorf("%v", w)
	}
}
