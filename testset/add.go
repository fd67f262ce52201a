package testset

import (
	"slices"
	"time"

	"github.com/assay-eval/assay"
)

// AddOptions say more about one query that a person adds.
type AddOptions struct {
	Relevant []string // keys of the chunks (or ids of the documents) that answer it
	Filter   *assay.Filter
	Tags     []string
	Who      string // the rater; "" is "add"
	Lookup   Lookup
	Now      time.Time
}

// Add adds one query by hand, with human labels of grade 3 on what is relevant to it. An id that the
// corpus does not hold is refused: it is a typing error more often than not.
func (s *Set) Add(text string, opts AddOptions) (assay.Query, error) {
	q := assay.Query{ID: QueryID(text, opts.Filter), Text: text, Filter: opts.Filter, Tags: opts.Tags, Origin: &assay.Origin{Method: "add"}}
	if old, ok := s.Query(q.ID); ok {
		q.Origin, q.Created, q.Evidence, q.Leakage, q.Weight = old.Origin, old.Created, old.Evidence, old.Leakage, old.Weight
		if len(q.Tags) == 0 {
			q.Tags = old.Tags
		}
	} else if !opts.Now.IsZero() {
		q.Created = &opts.Now
	}
	if err := checkQuery(&q); err != nil {
		return q, assay.Classify(err, assay.ErrUsage)
	}
	ids := resolver{lookup: opts.Lookup}
	var labels []assay.Label
	for _, id := range opts.Relevant {
		labels = append(labels, assay.Label{Query: q.ID, Target: ids.target(id), Event: assay.EventGrade,
			Grade: assay.MaxGrade, By: assay.ByHuman, Who: or(opts.Who, "add"), Time: opts.Now})
	}
	if ids.unknown.Count > 0 {
		return q, assay.WithHint(assay.Usagef("not in the corpus: %s", quoted(ids.unknown.First)), "the corpus has %s; `assay search` shows the keys of hits", quoted(ids.samples()))
	}
	// What counts already is not said again; what was taken back since is.
	counts := map[string]bool{}
	for _, l := range s.Labels(q.ID) {
		counts[targetKey(&l.Target)] = l.By == assay.ByHuman && l.Grade == assay.MaxGrade
	}
	labels = slices.DeleteFunc(labels, func(l assay.Label) bool { return counts[targetKey(&l.Target)] })
	if err := s.AddLabels(labels...); err != nil {
		return q, err
	}
	_, err := s.AddQueries(q)
	return q, err
}
