package testset

import (
	"encoding/json"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
)

// importSet adds another test set: its queries, and its whole history of labels with their raters and
// times. An event that is here already, to the last field, is not added again.
func (s *Set) importSet(dir string, opts *ImportOptions) (*Imported, error) {
	if opts.By != "" || opts.Who != "" || len(opts.Tags) > 0 {
		return nil, assay.WithHint(assay.Usagef("%s is a test set of assay: its labels have their raters, its queries their tags", dir),
			"leave --by, --who and --tag out: assay import %s", dir)
	}
	r := &Imported{Form: FormAssay}
	if opts.Scale != nil {
		r.Warnings = append(r.Warnings, unusedMap)
	}
	other, err := Open(dir, func(w assay.Warning) { r.Warnings = append(r.Warnings, w) })
	if err != nil {
		return nil, err
	}
	r.Queries = len(other.queries)
	if n := other.Orphans(); n > 0 {
		r.Warnings = append(r.Warnings, assay.Warning{Code: "unknown_queries", Text: fmt.Sprintf("left out: %s of queries that are not in %s", plural.Count(n, "label"), dir)})
	}
	var labels []assay.Label
	for i := range other.queries {
		q := &other.queries[i]
		if old, ok := s.Query(q.ID); ok && (old.Text != q.Text || old.Filter.String() != q.Filter.String()) {
			return nil, assay.WithHint(assay.Usagef("%s: query id %q means %q there and %q here", dir, q.ID, q.Text, old.Text), "merge the sets by hand, or import into another test set")
		}
		events := other.events[q.ID]
		labels = append(labels, events...)
		if len(events) == 0 {
			r.Unlabelled++
		}
	}
	r.Labels = len(labels)
	r.NewLabels, err = s.addMissing(labels, func(l *assay.Label) string {
		line, err := json.Marshal(l)
		if err != nil {
			panic("testset: a checked label always marshals: " + err.Error())
		}
		return string(line)
	})
	if err != nil {
		return r, err
	}
	r.NewQueries, err = s.AddQueries(other.queries...)
	return r, err
}
