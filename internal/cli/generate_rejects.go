package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/internal/term"
)

type rejectsDocument struct {
	Schema  string            `json:"schema"`
	ByRule  map[string]int    `json:"by_rule"`
	Rejects []generate.Reject `json:"rejects"`
}

// showRejects lists what was refused so far, with the rule and the reason, and how often each rule did.
func (o *generateOptions) showRejects(p *project.Project) error {
	doc := rejectsDocument{Schema: "assay/rejects/v1", ByRule: map[string]int{}, Rejects: []generate.Reject{}}
	for r, err := range p.Rejects() {
		if err != nil {
			return assay.Classify(err, assay.ErrUsage)
		}
		doc.ByRule[r.Rule]++
		doc.Rejects = append(doc.Rejects, r)
	}
	if o.json {
		return o.writeJSON(doc)
	}
	if len(doc.Rejects) == 0 {
		o.notef("nothing was refused so far")
		return nil
	}
	t := &term.Table{Header: []string{"rule", "reason", "question", "chunk"}}
	for _, r := range doc.Rejects {
		t.Add(r.Rule, term.Shorten(r.Reason, 70), term.Shorten(cmp.Or(r.Question, r.Raw, "-"), 70), r.Chunk)
	}
	if err := t.Write(o.streams); err != nil {
		return err
	}
	rules := slices.SortedFunc(maps.Keys(doc.ByRule), func(a, b string) int {
		return cmp.Or(doc.ByRule[b]-doc.ByRule[a], cmp.Compare(a, b))
	})
	text := ""
	for i, r := range rules {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s %d", r, doc.ByRule[r])
	}
	o.notef("%d refused: %s", len(doc.Rejects), text)
	return nil
}
