package ledger

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// Fingerprint is everything that may change a run's numbers, as flat dotted keys with text values:
// testset.queries, testset.labels, corpus.version, system.retriever.params.hnsw_ef, index.server,
// embed.digest, assay.version, … Two equal fingerprints describe the same experiment.
type Fingerprint map[string]string

// Add flattens a value under a key: mappings become dotted keys, lists and scalars their JSON.
func (f Fingerprint) Add(key string, value any) {
	switch v := value.(type) {
	case nil:
	case string:
		if v != "" {
			f[key] = v
		}
	case map[string]any:
		for k, sub := range v {
			f.Add(key+"."+k, sub)
		}
	case map[string]string:
		for k, sub := range v {
			f.Add(key+"."+k, sub)
		}
	default:
		raw, err := json.Marshal(v)
		if err != nil {
			f[key] = fmt.Sprint(v)
			return
		}
		f[key] = string(raw)
	}
}

// Change is one key in which two fingerprints differ; "" stands for absent.
type Change struct {
	Key  string `json:"key"`
	From string `json:"from"`
	To   string `json:"to"`
}

// Diff names exactly what changed from f to g, by key.
func (f Fingerprint) Diff(g Fingerprint) []Change {
	keys := map[string]bool{}
	for k := range f {
		keys[k] = true
	}
	for k := range g {
		keys[k] = true
	}
	var out []Change
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if f[k] != g[k] {
			out = append(out, Change{k, f[k], g[k]})
		}
	}
	return out
}

// labelKeys are the keys that change numbers but not rankings.
const labelKeys = "testset.labels"

// Rankings is the part that decides the rankings: all but the labels.
func (f Fingerprint) Rankings() Fingerprint {
	out := maps.Clone(f)
	maps.DeleteFunc(out, func(k, _ string) bool { return strings.HasPrefix(k, labelKeys) })
	return out
}

// Hash is one short text that is equal exactly when the fingerprints are.
func (f Fingerprint) Hash() string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(f)) {
		fmt.Fprintf(&b, "%d:%s=%d:%s\n", len(k), k, len(f[k]), f[k])
	}
	return assay.HashText(b.String())
}
