package project

import (
	"cmp"
	"context"
	"os"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/score"
)

// CompareRequest says what is compared.
type CompareRequest struct {
	Sides    []string // runs as ledger.Store.Find takes them, folders of runs, or files of rankings
	System   string   // only its runs count
	Measures []measure.Measure
	Facets   []score.Facet // looked at apart; nil for all that tell queries apart
	compare.Options
}

// Compare sets runs, baselines and files of rankings against the first of them, all scored with today's labels.
func (p *Project) Compare(ctx context.Context, req CompareRequest) (*compare.Result, error) {
	set, err := p.Testset()
	if err != nil {
		return nil, err
	}
	in := compare.Input{Measures: req.Measures, Options: req.Options}
	in.Query, in.Gold = source(set)
	sides := make([]named, len(req.Sides))
	for i, ref := range req.Sides {
		if sides[i], err = p.side(ref, req.System); err != nil {
			return nil, err
		}
	}
	var counted map[string]float64 // by the first side that has it: all are cut alike
	in.Strata = func(queries []assay.Query) []compare.Layer { return layers(counted, queries, req.Facets) }
	return compareSides(in, sides, func(n named) (*compare.Side, error) {
		s, err := p.scoreSide(ctx, n, req.Measures, sides...)
		if err == nil && counted == nil {
			counted = s.Selectivity
		}
		return s, err
	})
}

// compareSides opens the sides of a comparison and runs it.
func compareSides[T any](in compare.Input, refs []T, open func(ref T) (*compare.Side, error)) (*compare.Result, error) {
	sides := make([]*compare.Side, len(refs))
	for i, ref := range refs {
		var err error
		if sides[i], err = open(ref); err != nil {
			return nil, err
		}
	}
	compare.SetNames(sides...)
	for _, s := range sides {
		in.Sides = append(in.Sides, *s)
	}
	return compare.Run(in)
}

// side is what a person calls one side of a comparison: the path of a file or folder that exists, else a run, looked for among
// those of the systems, one system after the other; "" is any system.
func (p *Project) side(ref string, systems ...string) (named, error) {
	info, err := os.Stat(ref)
	switch {
	case err == nil && info.IsDir():
		run, err := ledger.OpenRun(ref)
		return named{ref, compare.KindBaseline, run}, err
	case err == nil:
		return named{ref: ref}, nil
	}
	run, err := p.find(ref, systems...)
	if err != nil {
		if base, ok, err := p.Baselines().Get(ref); ok && err == nil {
			return named{ref, compare.KindBaseline, base}, nil
		}
		return named{}, assay.WithHint(err, "%s; a side may also be a TREC run file, a file of a script's rankings, or a folder such as baseline/NAME", assay.Hint(err))
	}
	return named{ref, compare.KindRun, run}, nil
}

// find is the run of the first system that has one of that name; where none has, what was wrong with the first.
func (p *Project) find(ref string, systems ...string) (*ledger.Run, error) {
	var first error
	for _, system := range systems {
		run, err := p.Runs().Find(ref, system)
		if err == nil {
			return run, nil
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

// CompareFiles sets TREC run files against the first of them by judgments of their own; it needs no project.
func CompareFiles(ctx context.Context, files []string, q QrelsOptions, measures []measure.Measure, opts compare.Options) (*compare.Result, error) {
	qrels, err := OpenQrels(q, measures)
	if err != nil {
		return nil, err
	}
	in := compare.Input{Measures: measures, Gold: qrels.Gold, Options: opts}
	return compareSides(in, files, func(file string) (*compare.Side, error) { return qrels.Side(ctx, file) })
}
