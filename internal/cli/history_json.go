package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/assay-eval/assay/ledger"
)

// historyDocument is what history --json prints. It is written record by record: a history may be longer than memory.
type historyDocument struct {
	Schema  string          `json:"schema"`
	File    string          `json:"file"`
	Records []ledger.Record `json:"records"`
}

// stream writes a historyDocument without holding the records.
func (o *historyOptions) stream(path string, index *ledger.Index) error {
	file, err := json.Marshal(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(o.streams.Out, 64<<10)
	fmt.Fprintf(w, "{\n  \"schema\": \"assay/history/v1\",\n  \"file\": %s,\n  \"records\": [", file)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("    ", "  ")
	written := 0
	for i := range index.Len() {
		r, err := index.Record(i)
		if err != nil {
			o.unreadable(err)
			continue
		}
		b.Reset()
		if err := enc.Encode(r); err != nil {
			return err
		}
		comma := ","
		if written++; written == 1 {
			comma = ""
		}
		fmt.Fprintf(w, "%s\n    %s", comma, bytes.TrimSpace(b.Bytes()))
	}
	end := "]\n}\n"
	if written > 0 {
		end = "\n  ]\n}\n"
	}
	fmt.Fprint(w, end)
	return w.Flush() // with the error of any of them
}
