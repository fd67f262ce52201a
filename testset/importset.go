package testset

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/assay-eval/assay"
)

// isSet reports whether path is a folder with the two files of a test set.
func isSet(path string) bool {
	for _, name := range []string{QueriesFile, LabelsFile} {
		if _, err := os.Stat(filepath.Join(path, name)); err != nil {
			return false
		}
	}
	return true
}

// importSet adds another test set: its queries, and its whole history of labels with their raters and
// times. An event that is here already, to the last field, is not added again.
func (s *Set) importSet(dir string) (*Imported, error) {
	other, err := Open(dir)
	if err != nil {
		return nil, err
	}
	r := &Imported{Form: FormAssay, Queries: len(other.queries)}
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
