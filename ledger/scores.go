package ledger

import (
	"encoding/json"
	"io"
)

// SaveScores writes scores.jsonl, a line a query, renamed into place when it is whole: each is given a
// function that adds a line. When each fails, what was there stays. The file is a cache: scores follow from
// the rankings and the labels as they are.
func (r *Run) SaveScores(each func(save func(any) error) error) error {
	return r.replace(scoresFile, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return each(enc.Encode)
	})
}
