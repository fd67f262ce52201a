package measure

import (
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
)

// Parse reads one measure name in any accepted spelling. An unknown name, a missing or impossible cutoff
// and a parameter out of its range are usage errors that say what would be right.
func Parse(name string) (Measure, error) {
	all, err := parse(name)
	if err != nil {
		return nil, err
	}
	if len(all) != 1 {
		return nil, assay.Usagef("measure %q names %d measures where one is wanted", name, len(all))
	}
	return all[0], nil
}

// MustParse is Parse for names written in a program; it panics on an error.
func MustParse(name string) Measure {
	m, err := Parse(name)
	if err != nil {
		panic(err)
	}
	return m
}

// ParseList reads several names. A name may itself hold several, separated by commas: "recall@10,map",
// or in trec_eval's form "P.5,10". A measure named twice is kept once, at its first place.
func ParseList(names ...string) ([]Measure, error) {
	var list []Measure
	seen := map[string]bool{}
	for _, name := range names {
		for _, one := range splitNames(name) {
			all, err := parse(one)
			if err != nil {
				return nil, err
			}
			for _, m := range all {
				if !seen[m.Name()] {
					seen[m.Name()] = true
					list = append(list, m)
				}
			}
		}
	}
	return list, nil
}

// New makes a measure of a family from arguments instead of a name. Unlike Parse it takes negative gains
// and recall levels outside [0, 1], with which values may leave their range; trec_eval knows them.
func New(family string, a Args) (Measure, error) {
	f := lookup(family)
	if f == nil {
		return nil, unknown(family, family, "")
	}
	params := map[string]float64{}
	for _, p := range f.Params {
		params[p.Name] = p.Default
	}
	for name, v := range a.Params {
		if _, ok := params[name]; !ok {
			return nil, assay.Usagef("measure %s has no parameter %q", f.Name, name)
		}
		params[name] = v
	}
	a.Params = params
	a.hasAt = f.Cutoff == RecallCutoff || f.Cutoff == MultipleCutoff
	if f.Cutoff == RankCutoff && a.K < 1 || a.K < 0 || a.K > maxRank {
		return nil, assay.Usagef("measure %s: the cutoff is %d, must be at least 1", f.Name, a.K)
	}
	return f.finish(f.Name, a)
}

// Canonical is the canonical spelling of a name.
func Canonical(name string) (string, error) {
	m, err := Parse(name)
	if err != nil {
		return "", err
	}
	return m.Name(), nil
}

// parse reads one name, which in trec_eval's dotted form may stand for several cutoffs.
func parse(name string) ([]Measure, error) {
	sp, err := splitName(name)
	if err != nil {
		return nil, err
	}
	all, err := sp.arguments()
	if err != nil {
		return nil, err
	}
	out := make([]Measure, len(all))
	for i, args := range all {
		if out[i], err = sp.family.make(name, args); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// make checks the arguments against the definition and builds the measure.
func (f *Family) make(name string, a Args) (Measure, error) {
	if err := f.checkCutoff(name, a); err != nil {
		return nil, err
	}
	for _, p := range f.Params {
		if v := a.Params[p.Name]; !p.Range.Contains(v) {
			return nil, assay.Usagef("measure %q: %s is %s, must be from %s to %s", name, p.Name, number(v), number(p.Range.Min), number(p.Range.Max))
		}
	}
	return f.finish(name, a)
}

// finish makes the measure from arguments that were checked.
func (f *Family) finish(name string, a Args) (Measure, error) {
	m := &measure{name: f.canonical(a), def: &f.Definition}
	if f.build != nil {
		m.eval = f.build(a)
		return m, nil
	}
	user, err := f.New(a)
	if err != nil {
		return nil, assay.Usagef("measure %q: %w", name, err)
	}
	m.user = user
	return m, nil
}

// checkCutoff refuses a cutoff that is missing, unwanted or impossible.
func (f *Family) checkCutoff(name string, a Args) error {
	given := a.K != 0 || a.Tokens != 0 || a.hasAt
	switch f.Cutoff {
	case NoCutoff:
		if given {
			return assay.Usagef("measure %q: %s takes no cutoff", name, f.Name)
		}
	case RankCutoff:
		if !given {
			return assay.WithHint(assay.Usagef("measure %q: %s needs a cutoff", name, f.Name), "write for instance %s@10", f.Name)
		}
	case RecallCutoff, MultipleCutoff:
		if !given {
			return assay.WithHint(assay.Usagef("measure %q: %s needs a cutoff", name, f.Name), "write for instance %s@0.2", f.Name)
		}
		if !(a.At >= 0) || f.Cutoff == RecallCutoff && a.At > 1 || a.At > maxRank {
			return assay.Usagef("measure %q: the cutoff is %s, out of range", name, number(a.At))
		}
	}
	if len(a.Gains) > 0 && given {
		return assay.Usagef("measure %q: gains and a cutoff cannot be combined", name)
	}
	return nil
}

// canonical writes the one spelling of a measure.
func (f *Family) canonical(a Args) string {
	var params []string
	if a.HasLevel {
		params = append(params, "rel="+number(a.Level))
	}
	for _, p := range f.Params {
		if v := a.Params[p.Name]; v != p.Default {
			params = append(params, p.Name+"="+number(v))
		}
	}
	for _, g := range a.Gains {
		params = append(params, strconv.Itoa(g.Grade)+"="+number(g.Gain))
	}
	if a.List != nil {
		levels := make([]string, len(a.List))
		for i, x := range a.List {
			levels[i] = number(x)
		}
		params = append(params, "at="+strings.Join(levels, "/"))
	}
	name := f.Name
	if len(params) > 0 {
		name += "(" + strings.Join(params, ",") + ")"
	}
	switch {
	case a.Tokens != 0:
		return name + "@" + strconv.Itoa(a.Tokens) + "tok"
	case a.hasAt:
		return name + "@" + number(a.At)
	case a.K != 0:
		return name + "@" + strconv.Itoa(a.K)
	}
	return name
}

// number writes a float in its shortest form.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// splitNames cuts a list at its commas, except inside parentheses and between the parameters of
// trec_eval's dotted form, where what follows the comma holds no letter: P.5,10 or ndcg.1=3,2=9.
func splitNames(list string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth > 0 {
				continue
			}
			next, _, _ := strings.Cut(list[i+1:], ",")
			if strings.Contains(list[start:i], ".") && next != "" && !strings.ContainsFunc(next, isLetter) {
				continue
			}
			out = append(out, list[start:i])
			start = i + 1
		}
	}
	return append(out, list[start:])
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// setGains records gains in ascending order of grade, a later one replacing an earlier.
func (a *Args) setGains(grade int, gain float64) {
	i, found := slices.BinarySearchFunc(a.Gains, grade, func(g Gained, at int) int { return g.Grade - at })
	if found {
		a.Gains[i].Gain = gain
		return
	}
	a.Gains = slices.Insert(a.Gains, i, Gained{grade, gain})
}
