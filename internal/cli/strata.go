package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/nearest"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/internal/term"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/testset"
)

// stratumView is a part of the queries with its means.
type stratumView struct {
	Facet    score.Facet   `json:"facet"`
	Value    string        `json:"value"`
	Queries  int           `json:"queries"` // of the run
	Scored   int           `json:"scored"`
	Measures []measureView `json:"measures"`
}

// facetsOf reads the values of --by.
func facetsOf(names []string) ([]score.Facet, error) {
	if slices.Contains(names, "all") {
		return nil, nil
	}
	var known []string
	for _, f := range score.Facets() {
		known = append(known, string(f))
	}
	var out []score.Facet
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, assay.Usagef("--by %q: queries can be split by %s, or all%s", n, strings.Join(known, ", "), nearest.Suggest(n, known))
		}
		out = append(out, score.Facet(n))
	}
	return out, nil
}

// split adds the strata of some facets to a view; nil facets are all that tell queries apart.
func (v *runView) split(info *ledger.RunInfo, set *testset.Set, s *score.Scored, facets []score.Facet) error {
	splits, err := project.Splits(info, set, s, facets)
	v.strata(s, splits, nil)
	return err
}

// strata adds those of splits that are by some facets, nil for all, to a view.
func (v *runView) strata(s *score.Scored, splits []score.Split, facets []score.Facet) {
	for _, sp := range splits {
		if facets != nil && !slices.Contains(facets, sp.Name) {
			continue
		}
		st := stratumView{Facet: sp.Name, Value: sp.Value, Queries: sp.Counts.Queries, Scored: sp.Counts.Scored}
		for _, m := range sp.Means {
			st.Measures = append(st.Measures, newMeasureView(m, s.Uncalibrated))
		}
		v.Strata = append(v.Strata, st)
	}
}

// strataTable shows the means of each stratum, and the interval of the first measure: differences between
// strata are seldom more than their intervals.
func (v *runView) strataTable() *term.Table {
	t := &term.Table{Header: []string{"split by", "", "n"}, Right: []bool{2: true}}
	for i, m := range v.Measures {
		t.Header, t.Right = append(t.Header, m.Measure), append(t.Right, true)
		if i == 0 {
			t.Header, t.Right = append(t.Header, "95 % interval"), append(t.Right, true)
		}
	}
	for _, st := range v.Strata {
		row := []any{string(st.Facet), st.Value, st.Scored}
		for i, m := range st.Measures {
			row = append(row, orDash(decimal(m.Mean)))
			if i == 0 {
				row = append(row, interval(m))
			}
		}
		t.Add(row...)
	}
	return t
}

// writeApart prints the strata, where there are some, and the queries that nothing answers.
func (v *runView) writeApart(a *app) error {
	if len(v.Strata) > 0 {
		if err := a.printf("\n"); err != nil {
			return err
		}
		if err := v.strataTable().Write(a.streams); err != nil {
			return err
		}
	}
	u := v.Unanswerable
	if u == nil {
		return nil
	}
	text := fmt.Sprintf("\nunanswerable: %s, %d found nothing", plural(u.Queries, "query", "queries"), u.Empty)
	if u.Separation != nil {
		text += fmt.Sprintf("; an answerable query has the higher top score with probability %.2f (0.5 is chance)", *u.Separation)
	}
	return a.printf("%s\n", text)
}
