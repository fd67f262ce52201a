package draft

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/connector/connectortest"
	"github.com/assay-eval/assay/internal/discover"
	"github.com/assay-eval/assay/internal/shared"
)

// Over the recorded traffic of Qdrant 1.17.1: the fields of docs_v3 are found in its first page. Its vectors have 8
// dimensions, which no model gives, so that its system stays a comment that is right but for the model.
func TestRecordedQdrant(t *testing.T) {
	var files []string
	for _, f := range []string{"server", "list", "scifact"} {
		files = append(files, shared.Dir(t, "fixtures", "qdrant", f+".jsonl"))
	}
	url := connectortest.NewReplay(t, nil, files...).Serve()
	d := drafted(t, folder(t, notices()), "docs_v3", url)
	f := d.Store.Fields
	if f.Key != "chunk_id" || f.Text != "text" || f.Document != "path" || f.Start != "start" || f.End != "end" {
		t.Errorf("%+v", f)
	}
	if d.Live() || d.SameText || d.Store.Kind != discover.Qdrant || d.Store.Distance != "cosine" {
		t.Errorf("%+v", d.Store)
	}
	text := d.YAML()
	for _, want := range []string{"#   live:", "#       kind: qdrant", "#       collection: docs_v3", "#       key: payload.chunk_id", "#       text: payload.text",
		"#       document: payload.path", "#       start: payload.start", "kind: bm25"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
