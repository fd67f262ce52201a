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

// A language without phrases is named once, and one with them is not.
func TestWarnLanguages(t *testing.T) {
	var warned []assay.Warning
	p := &Project{opts: Options{Warn: func(w assay.Warning) { warned = append(warned, w) }}}
	english := assay.Chunk{Text: "Backups are kept for thirty days and then they are deleted by the nightly job of the archive."}
	p.warnLanguages([]assay.Chunk{english, english})
	if len(warned) != 0 {
		t.Errorf("%v", warned)
	}
	p.warnLanguages([]assay.Chunk{english, {Text: "Les sauvegardes sont conservées pendant trente jours, puis elles sont supprimées par la tâche de nuit."}, {Text: "備份保留三十天,然後刪除。"}})
	if len(warned) != 1 || warned[0].Code != "rules_blind" || !strings.Contains(warned[0].Text, "in de and en and see little in fr, zh") {
		t.Errorf("%v", warned)
	}
}
