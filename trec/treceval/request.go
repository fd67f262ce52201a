package treceval

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/trec"
)

// request is what the -m options ask for: entries of the table with their parameters, and measures that
// trec_eval does not have, which are printed after its own.
type request struct {
	release trec.Release
	marked  []bool
	params  []string // as typed after the dot; the first list of a measure counts
	cuts    [][]int  // cutoffs asked for in our spelling, ndcg@10
	levels  [][]float64
	extra   []measure.Measure
}

func newRequest(names []string, release trec.Release) (*request, error) {
	r := &request{release: release, marked: make([]bool, len(table)), params: make([]string, len(table)),
		cuts: make([][]int, len(table)), levels: make([][]float64, len(table))}
	if len(names) == 0 {
		names = []string{"official"}
	}
	for _, name := range names {
		if err := r.add(name); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// add marks one -m option.
func (r *request) add(option string) error {
	name, params, dotted := strings.Cut(option, ".")
	if dotted && params == "" {
		return assay.Usagef("measure %q: nothing after the dot", option)
	}
	if list, ok := nicknames[name]; ok {
		if list == nil {
			return r.otherFormat(option)
		}
		for _, member := range list {
			if i := find(member, r.release); i >= 0 {
				r.marked[i] = true
			}
		}
		return nil
	}
	if i := find(name, r.release); i >= 0 {
		r.marked[i] = true
		if dotted && r.params[i] == "" {
			r.params[i] = params
		}
		return nil
	}
	if strings.HasPrefix(name, "prefs_") || strings.HasSuffix(name, "_avgjg") {
		return r.otherFormat(option)
	}
	if i := find(name, trec.Release10); i >= 0 {
		return assay.WithHint(assay.Usagef("measure %q came with release 10 of trec_eval", option), "add --compat 10")
	}
	return r.ours(option)
}

func (r *request) otherFormat(option string) error {
	return assay.Usagef("measure %q needs judgments in the format prefs or qrels_jg, which assay does not read yet", option)
}

// ours marks a measure in another spelling: as an entry of the table where there is one, else as an extra.
func (r *request) ours(option string) error {
	list, err := measure.ParseList(option)
	if err != nil {
		return err
	}
	for _, m := range list {
		if i, cut := r.equivalent(m.Name()); i >= 0 {
			r.marked[i] = true
			r.mark(i, cut)
			continue
		}
		if !slices.ContainsFunc(r.extra, func(x measure.Measure) bool { return x.Name() == m.Name() }) {
			r.extra = append(r.extra, m)
		}
	}
	return nil
}

// equivalent finds the table's entry for a canonical name and what follows its @.
func (r *request) equivalent(name string) (index int, cut string) {
	family, cut, hasCut := strings.Cut(name, "@")
	for i, e := range table {
		if e.family == family && e.since <= r.release && hasCut == (e.kind == cuts || e.kind == levels) {
			return i, cut
		}
	}
	return -1, ""
}

func (r *request) mark(i int, cut string) {
	switch table[i].kind {
	case cuts:
		k, _ := strconv.Atoi(cut) // canonical
		r.cuts[i] = append(r.cuts[i], k)
	case levels:
		x, _ := strconv.ParseFloat(cut, 64)
		r.levels[i] = append(r.levels[i], x)
	}
}

// intCutoffs are the cutoffs of an entry: those typed after the dot and those in our spelling, else the
// defaults.
func (r *request) intCutoffs(i int) ([]int, error) {
	list := slices.Clone(r.cuts[i])
	if r.params[i] != "" {
		typed := make([]int, 0, 8)
		for _, s := range strings.Split(r.params[i], ",") {
			typed = append(typed, int(cInt(s)))
		}
		if err := distinct(r.params[i], table[i].name, typed); err != nil {
			return nil, err
		}
		if slices.Min(typed) < 1 {
			return nil, assay.Usagef("measure %s.%s: the cutoff is %d, must be at least 1", table[i].name, r.params[i], slices.Min(typed))
		}
		list = append(list, typed...)
	}
	if list == nil {
		list = slices.Clone(table[i].ints)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// floatCutoffs is intCutoffs for fractional cutoffs.
func (r *request) floatCutoffs(i int) ([]float64, error) {
	list := slices.Clone(r.levels[i])
	if r.params[i] != "" {
		typed := cFloats(r.params[i])
		if err := distinct(r.params[i], table[i].name, typed); err != nil {
			return nil, err
		}
		list = append(list, typed...)
	}
	if list == nil {
		list = slices.Clone(table[i].floats)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// distinct refuses a cutoff that is given twice, as trec_eval does.
func distinct[T cmp.Ordered](params, name string, list []T) error {
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	if len(slices.Compact(sorted)) != len(list) {
		return assay.Usagef("measure %s.%s: a cutoff is given twice", name, params)
	}
	return nil
}
