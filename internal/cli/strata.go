package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/nearest"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/report"
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

// splitFlag is --by of the commands that show numbers of parts of the queries.
type splitFlag struct{ names []string }

// facetNames are the values of --by, without all.
func facetNames() []string {
	var out []string
	for _, f := range score.Facets() {
		out = append(out, string(f))
	}
	return out
}

func (f *splitFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.names, "by", nil, "split the numbers by these `facets`: "+strings.Join(facetNames(), ", ")+", or all that tell queries apart")
}

// asked reports whether there is a --by.
func (f *splitFlag) asked() bool { return len(f.names) > 0 }

// facets are those asked for; nil stands for all that tell queries apart, which is what no --by means, too.
func (f *splitFlag) facets() ([]score.Facet, error) {
	known := facetNames()
	var out []score.Facet
	for _, n := range f.names {
		switch {
		case n == "all":
		case !slices.Contains(known, n):
			return nil, assay.Usagef("--by %q: queries can be split by %s, or all%s", n, strings.Join(known, ", "), nearest.Suggest(n, append(known, "all")))
		case !slices.Contains(out, score.Facet(n)):
			out = append(out, score.Facet(n))
		}
	}
	if slices.Contains(f.names, "all") {
		return nil, nil
	}
	return out, nil
}

// missing says by which of the facets asked for no query can be split, as found knows.
func (f *splitFlag) missing(a *app, found func(score.Facet) bool) {
	facets, _ := f.facets() // checked before any work
	for _, facet := range facets {
		if !found(facet) {
			a.notef("no query here has a %s", facet)
		}
	}
}

// ofRun adds the parts asked for to the view of a run. Where none is asked for and some queries have a filter, both kinds are
// shown apart: how an index searches under a filter is a fault of its own.
func (f *splitFlag) ofRun(a *app, v *runView, info *ledger.RunInfo, set *testset.Set, s *score.Scored) error {
	facets, err := f.facets()
	if err != nil {
		return err
	}
	if !f.asked() {
		if !filtered(set, s) {
			return nil
		}
		facets = []score.Facet{score.ByFilter, score.BySelectivity}
	}
	splits, err := project.Splits(info, set, s, facets)
	v.strata(s, splits, nil)
	f.missing(a, v.hasStrata)
	return err
}

func (v *runView) hasStrata(by score.Facet) bool {
	return slices.ContainsFunc(v.Strata, func(s stratumView) bool { return s.Facet == by })
}

// filtered reports whether a query of the run has a filter.
func filtered(set *testset.Set, s *score.Scored) bool {
	for q := range set.All() {
		if q.Filter != nil && s.Has(q.ID) {
			return true
		}
	}
	return false
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
	v.parts = report.Parts(s, splits, facets)
}

// writeApart prints the strata, where there are some, and the queries that nothing answers.
func (v *runView) writeApart(a *app) error {
	if v.parts != nil {
		if err := a.printf("\n"); err != nil {
			return err
		}
		if err := a.show(&report.Model{Sections: []report.Section{{Blocks: []report.Block{v.parts}}}}); err != nil {
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
