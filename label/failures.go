package label

import (
	"path/filepath"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonl"
)

// FailuresFile holds every call of a judge that did not lead to a grade, in the folder of the test set. It only grows.
const FailuresFile = "judge_failures.jsonl"

// Failure is one such call.
type Failure struct {
	Judge string `json:"judge"`
	Query string `json:"query"`
	Item  string `json:"item"` // ItemID of query and passage
	// Ask counts the refused replies about the item up to this one; Rule is the rule that it broke. A call without a reply has
	// no rule.
	Ask     int        `json:"ask"`
	Rule    Rule       `json:"rule,omitempty"`
	Kind    assay.Kind `json:"kind"`
	Message string     `json:"message"`
	Raw     string     `json:"raw,omitempty"` // the start of the reply
	Time    time.Time  `json:"time"`
}

// Refusals says how often a judge's replies about each item were refused, and for what last: what it need not be asked again
// in the same words, since at temperature 0 it would say the same. Calls without a reply are not among them.
func Refusals(dir, judge string) (map[string]Failure, error) {
	out := map[string]Failure{}
	for rec, err := range jsonl.Read[Failure](filepath.Join(dir, FailuresFile)) {
		if err != nil {
			return nil, err
		}
		if f := rec.Value; f.Judge == judge && f.Rule != "" {
			out[f.Item] = f
		}
	}
	return out, nil
}
