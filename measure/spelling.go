package measure

import (
	"math"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
)

// spelling is a name taken apart, before its arguments are read.
type spelling struct {
	name   string
	family *Family
	params string // inside parentheses
	dotted string // after the dot of trec_eval's -m, or after the _ of what it prints
	cut    string // after @ or _at_
	hasCut bool
	alias  string // folded base name as it was written
}

// cutOnly are aliases that trec_eval keeps for the form with a cutoff; without one they stand there
// for a list of default cutoffs, which is not what ndcg or map alone means.
var cutOnly = map[string]bool{"ndcg_cut": true, "map_cut": true}

// splitName recognises the spellings: ndcg@10 and nDCG(rel=2)@10 (ours, ir_measures), ndcg_cut.10
// (trec_eval's option), ndcg_cut_10 (what it prints, pytrec_eval), ndcg_at_10 (MTEB).
func splitName(name string) (spelling, error) {
	sp := spelling{name: name}
	s := strings.TrimSpace(name)
	if s == "" {
		return sp, assay.WithHint(assay.Usagef("the name of a measure is empty"), "assay measures lists them")
	}
	base := s
	if open := strings.IndexByte(s, '('); open >= 0 {
		end := strings.LastIndexByte(s, ')')
		if end < open {
			return sp, assay.Usagef("measure %q: the parenthesis is not closed", name)
		}
		base, sp.params = s[:open], s[open+1:end]
		rest := s[end+1:]
		if rest != "" && rest[0] != '@' {
			return sp, assay.Usagef("measure %q: %q after the parenthesis", name, rest)
		}
		sp.hasCut, sp.cut = rest != "", strings.TrimPrefix(rest, "@")
	} else if at := strings.IndexByte(s, '@'); at >= 0 {
		base, sp.cut, sp.hasCut = s[:at], s[at+1:], true
	}
	if sp.family = lookup(base); sp.family == nil && !sp.hasCut && sp.params == "" {
		base = sp.splitForeign(s)
	}
	if sp.family == nil {
		return sp, unknown(name, base, s[len(base):])
	}
	sp.alias = fold(base)
	if cutOnly[sp.alias] && !sp.hasCut && sp.dotted == "" {
		return sp, assay.WithHint(assay.Usagef("measure %q needs a cutoff", name), "write for instance %s@10", sp.family.Name)
	}
	return sp, nil
}

// splitForeign finds a known name followed by a dot, _at_ or _ and arguments; the longest name wins.
func (sp *spelling) splitForeign(s string) (base string) {
	if dot := strings.IndexByte(s, '.'); dot > 0 {
		if f := lookup(s[:dot]); f != nil {
			sp.family, sp.dotted = f, s[dot+1:]
			return s[:dot]
		}
	}
	low := fold(s)
	if at := strings.LastIndex(low, "_at_"); at > 0 && strings.ContainsFunc(low[at+4:], isDigit) && !strings.ContainsFunc(low[at+4:], isLetter) {
		if f := lookup(s[:at]); f != nil {
			sp.family, sp.cut, sp.hasCut = f, s[at+4:], true
			return s[:at]
		}
	}
	for i := len(low) - 2; i > 0; i-- {
		if low[i] == '_' && strings.IndexByte("0123456789.-", low[i+1]) >= 0 {
			if f := lookup(s[:i]); f != nil {
				sp.family, sp.dotted = f, s[i+1:]
				return s[:i]
			}
		}
	}
	if i := strings.IndexAny(s, "._"); i > 0 && s[i] == '.' {
		return s[:i]
	}
	return s
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// arguments reads parameters and cutoff; trec_eval's dotted form may give several cutoffs.
func (sp *spelling) arguments() ([]Args, error) {
	a := Args{Params: map[string]float64{}}
	for _, p := range sp.family.Params {
		a.Params[p.Name] = p.Default
	}
	if sp.params != "" {
		for _, param := range strings.Split(sp.params, ",") {
			if err := sp.named(&a, param); err != nil {
				return nil, err
			}
		}
	}
	if sp.hasCut {
		if err := sp.cutoff(&a, sp.cut); err != nil {
			return nil, err
		}
	}
	if sp.dotted == "" {
		return []Args{a}, nil
	}
	return sp.dottedArguments(a)
}

// named reads one key=value.
func (sp *spelling) named(a *Args, param string) error {
	key, value, ok := strings.Cut(param, "=")
	key, value = fold(strings.TrimSpace(key)), strings.Trim(strings.TrimSpace(value), `'"`)
	if !ok || value == "" {
		return assay.Usagef("measure %q: %q is not key=value", sp.name, param)
	}
	f := sp.family
	switch {
	case key == "cutoff":
		return sp.cutoff(a, value)
	case key == "dcg" && f.Name == "ndcg" && value == "exp-log2":
		sp.family = lookup("ndcg_exp")
		return nil
	case key == "dcg" && f.Name == "ndcg" && value == "log2":
		return nil
	case key == "at" && f.takesList:
		for _, level := range strings.Split(value, "/") {
			x, err := sp.float(level)
			if err != nil {
				return err
			}
			if !Unit.Contains(x) {
				return assay.Usagef("measure %q: recall level %s is not in [0, 1]", sp.name, level)
			}
			a.List = append(a.List, x)
		}
		return nil
	}
	x, err := sp.float(value)
	if err != nil {
		return err
	}
	if key == "rel" && f.Gain == BinaryGain {
		a.Level, a.HasLevel = x, true
		return nil
	}
	if _, known := a.Params[key]; known {
		a.Params[key] = x
		return nil
	}
	if grade, err := strconv.Atoi(key); err == nil && f.takesGain {
		if grade < 0 || x < 0 {
			return assay.Usagef("measure %q: grades and gains are not negative", sp.name)
		}
		a.setGains(grade, x)
		return nil
	}
	return assay.WithHint(assay.Usagef("measure %q: %s has no parameter %q", sp.name, f.Name, key), "%s", f.parameterHelp())
}

// parameterHelp lists what may stand in the parentheses.
func (f *Family) parameterHelp() string {
	var names []string
	if f.Gain == BinaryGain {
		names = append(names, "rel")
	}
	for _, p := range f.Params {
		names = append(names, p.Name)
	}
	if f.takesGain {
		names = append(names, "grade=gain pairs such as 1=3")
	}
	if f.takesList {
		names = append(names, "at")
	}
	if len(names) == 0 {
		return f.Name + " takes no parameters"
	}
	return f.Name + " takes " + strings.Join(names, ", ")
}

// cutoff reads what stands after @.
func (sp *spelling) cutoff(a *Args, s string) error {
	switch sp.family.Cutoff {
	case RecallCutoff, MultipleCutoff:
		x, err := sp.float(s)
		a.At, a.hasAt = x, true
		return err
	case NoCutoff:
		return assay.Usagef("measure %q: %s takes no cutoff", sp.name, sp.family.Name)
	}
	digits, tokens := strings.TrimRight(s, "tokens"), false
	if unit := s[len(digits):]; unit != "" {
		if sp.family.Cutoff != SpanCutoff || unit != "t" && unit != "tok" && unit != "tokens" {
			return assay.Usagef("measure %q: the cutoff %q is not a whole number", sp.name, s)
		}
		tokens = true
	}
	k, err := strconv.Atoi(digits)
	switch {
	case err != nil || strings.TrimLeft(digits, "0123456789") != "" && k > 0:
		return assay.Usagef("measure %q: the cutoff %q is not a whole number", sp.name, s)
	case k < 1:
		return assay.Usagef("measure %q: the cutoff is %d, must be at least 1", sp.name, k)
	case k > maxRank:
		return assay.Usagef("measure %q: the cutoff %d is larger than %d", sp.name, k, maxRank)
	}
	if tokens {
		a.Tokens = k
	} else {
		a.K = k
	}
	return nil
}

// dottedArguments reads trec_eval's comma list: cutoffs, pairs, or values in the order of Params.
func (sp *spelling) dottedArguments(a Args) ([]Args, error) {
	f := sp.family
	list := strings.Split(sp.dotted, ",")
	if strings.Contains(sp.dotted, "=") {
		for _, pair := range list {
			if err := sp.named(&a, pair); err != nil {
				return nil, err
			}
		}
		return []Args{a}, nil
	}
	if f.takesList {
		return []Args{a}, sp.named(&a, "at="+strings.Join(list, "/"))
	}
	if f.Cutoff == NoCutoff {
		if len(list) > len(f.Params) {
			return nil, assay.WithHint(assay.Usagef("measure %q: too many parameters", sp.name), "%s", f.parameterHelp())
		}
		for i, value := range list {
			x, err := sp.float(value)
			if err != nil {
				return nil, err
			}
			a.Params[f.Params[i].Name] = x
		}
		return []Args{a}, nil
	}
	var out []Args
	for _, cut := range list {
		b := a
		if err := sp.cutoff(&b, cut); err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

// float reads a finite number.
func (sp *spelling) float(s string) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, assay.Usagef("measure %q: %q is not a number", sp.name, s)
	}
	return x + 0, nil // -0 becomes 0
}
