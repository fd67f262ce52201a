package project

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
)

// TestTopics: a field divides the corpus whatever kind of value it has, and one that no chunk has is refused.
func TestTopics(t *testing.T) {
	for want, value := range map[string]any{
		"ops": "ops", "2024": 2024, "2025": 2025.0, "1000000": json.Number("1000000"), "true": true, "a": []any{"a", "b"}, "": map[string]any{"x": 1},
	} {
		c := assay.Chunk{Metadata: map[string]any{"f": value}}
		if got := topic(&c, "f"); got != want {
			t.Errorf("%#v is %q, want %q", value, got, want)
		}
	}
	sample := []assay.Chunk{{Metadata: map[string]any{"year": 2024}}}
	if err := checkField("generate.by", "year", sample); err != nil {
		t.Error(err)
	}
	err := checkField("generate.by", "jahr", sample)
	if err == nil || !strings.Contains(assay.Hint(err), "year") {
		t.Errorf("%v, hint %q", err, assay.Hint(err))
	}
}
