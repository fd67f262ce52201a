package report

import (
	"encoding/json"
	"errors"
	"io"
)

var _ = register(Format{Name: "JSON", Extensions: []string{".json"}, Write: writeJSON})

// writeJSON writes the document that the report was made from: programs want results, not tables.
func writeJSON(w io.Writer, m *Model) error {
	if m.Document == nil {
		return errors.New("report: the model has no document")
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(m.Document)
}
