package treceval

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/trec"
)

// column is one printed line name.
type column struct {
	name string
	m    measure.Measure // nil for runid, num_q and relstring
	// habit replaces a value where trec_eval's is not the measure's; nil means that undefined is 0.
	habit func(t *measure.Topic, v float64) float64
	whole bool
	chars int // of relstring
}

// The names of the special columns.
const (
	runID     = "runid"
	numQ      = "num_q"
	relString = "relstring"
)

// columns lists what is printed, in order.
func (r *request) columns(o *Options) ([]column, error) {
	var out []column
	for i, e := range table {
		if !r.marked[i] {
			continue
		}
		list, err := r.entryColumns(i, o)
		if err != nil {
			return nil, err
		}
		for j := range list {
			list[j].whole = e.whole
		}
		out = append(out, list...)
	}
	for _, m := range r.extra {
		if !slices.ContainsFunc(out, func(c column) bool { return c.m != nil && c.m.Name() == m.Name() }) {
			out = append(out, column{name: m.Name(), m: m})
		}
	}
	return out, nil
}

// entryColumns makes the columns of one entry of the table.
func (r *request) entryColumns(i int, o *Options) ([]column, error) {
	e := table[i]
	switch e.kind {
	case cuts:
		return r.cutColumns(i)
	case levels:
		return r.levelColumns(i)
	case values, pairs:
		c, err := r.listColumn(i, o)
		return []column{c}, err
	case special:
		return []column{r.specialColumn(i)}, nil
	}
	m, err := measure.New(e.family, measure.Args{})
	return []column{{name: e.name, m: m}}, err
}

func (r *request) cutColumns(i int) ([]column, error) {
	list, err := r.intCutoffs(i)
	if err != nil {
		return nil, err
	}
	var out []column
	for _, k := range list {
		m, err := measure.New(table[i].family, measure.Args{K: k})
		if err != nil {
			return nil, err
		}
		out = append(out, column{name: table[i].name + "_" + strconv.Itoa(k), m: m})
	}
	return out, nil
}

func (r *request) levelColumns(i int) ([]column, error) {
	list, err := r.floatCutoffs(i)
	if err != nil {
		return nil, err
	}
	var out []column
	for _, x := range list {
		args := measure.Args{At: x}
		c := column{name: table[i].name + "_" + strconv.FormatFloat(x, 'f', 2, 64)}
		if table[i].family == "iprec" {
			args.Params = map[string]float64{"v": float64(r.release)}
			c.habit = func(t *measure.Topic, v float64) float64 {
				if len(t.Ranked) == 0 && r.recallRank(x, t.NumRelevant()) <= 0 {
					return math.NaN() // 0/0 in trec_eval
				}
				return orZero(v)
			}
		}
		if c.m, err = measure.New(table[i].family, args); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// recallRank is how many relevant documents a recall level asks for.
func (r *request) recallRank(level float64, relevant int) int {
	x := float64(level * float64(relevant))
	if r.release >= trec.Release10 {
		return int(math.Round(x))
	}
	return int(x + 0.9)
}

// orZero prints an undefined value as trec_eval does.
func orZero(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// listColumn makes the column of a measure with a list of values or pairs.
func (r *request) listColumn(i int, o *Options) (column, error) {
	e, typed := table[i], r.params[i]
	c := column{name: e.name}
	if typed != "" {
		c.name += "_" + typed
	}
	args := measure.Args{Params: map[string]float64{}}
	var err error
	if e.kind == pairs {
		err = readPairs(e.name, typed, &args)
	} else {
		list := e.floats
		if typed != "" {
			list = cFloats(typed)
		}
		switch e.name {
		case "utility":
			if len(list) != 4 {
				return c, assay.Usagef("measure utility.%s: %d coefficients where 4 are needed", typed, len(list))
			}
			args.Params = map[string]float64{"a": list[0], "b": list[1], "c": list[2], "d": list[3], "n": float64(o.NumDocs)}
		case "set_F":
			args.Params["x"] = list[0]
		case "11pt_avg":
			args.List, args.Params["v"] = list, float64(r.release)
			c.habit = func(t *measure.Topic, v float64) float64 { return r.elevenPoint(t, list, v) }
		}
	}
	if err != nil {
		return c, err
	}
	if e.name == "Rndcg" {
		c.habit = func(t *measure.Topic, v float64) float64 {
			if t.NumRelevant() > 0 {
				return v // NaN where no document has a gain, 0/0 in trec_eval
			}
			return orZero(v)
		}
	}
	c.m, err = measure.New(e.family, args)
	return c, err
}

// elevenPoint follows trec_eval where the list of recall levels is not ascending, which it takes for
// granted, and where nothing was retrieved.
func (r *request) elevenPoint(t *measure.Topic, list []float64, v float64) float64 {
	relevant := t.NumRelevant()
	if len(t.Ranked) == 0 {
		for _, x := range list {
			if r.recallRank(x, relevant) <= 0 {
				return math.NaN()
			}
		}
	}
	if slices.IsSorted(list) {
		return orZero(v)
	}
	var ranks []int
	for i, g := range t.Ranked {
		if t.Relevant(g) {
			ranks = append(ranks, i+1)
		}
	}
	at := len(list) - 1
	for at >= 0 && r.recallRank(list[at], relevant) > len(ranks) {
		at--
	}
	sum, best := 0.0, 0.0
	for hits := len(ranks); hits > 0; hits-- {
		best = max(best, float64(hits)/float64(ranks[hits-1]))
		for ; at >= 0 && r.recallRank(list[at], relevant) == hits; at-- {
			sum += best
		}
	}
	for ; at >= 0; at-- {
		sum += best
	}
	return sum / float64(len(list))
}

// specialColumn makes a column without a measure.
func (r *request) specialColumn(i int) column {
	c := column{name: table[i].name}
	if c.name != relString {
		return c
	}
	chars := table[i].floats[0]
	if typed := r.params[i]; typed != "" {
		chars = cFloats(typed)[0]
		c.name += "_" + typed
	}
	c.chars = int(max(0, min(chars, 1<<30)))
	return c
}

// cInt and cFloats read parameters as C's atol and atof do.
func cInt(s string) int64 { return trec.CInt([]byte(strings.TrimLeft(s, " \t\n\v\f\r"))) }

func cFloats(list string) []float64 {
	var out []float64
	for _, s := range strings.Split(list, ",") {
		out = append(out, trec.CFloat([]byte(strings.TrimLeft(s, " \t\n\v\f\r"))))
	}
	return out
}

// readPairs reads name=value pairs: gains by grade, or the persistence p of rbp.
func readPairs(name, typed string, args *measure.Args) error {
	if typed == "" {
		return nil
	}
	for _, pair := range strings.Split(typed, ",") {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || strings.Contains(value, "=") {
			return assay.Usagef("measure %s.%s: %q is not name=value", name, typed, pair)
		}
		x := cFloats(value)[0]
		if strings.HasPrefix(name, "rbp") {
			if key != "p" {
				return assay.Usagef("measure %s.%s: the only parameter is p", name, typed)
			}
			args.Params["p"] = x
			continue
		}
		if digits := strings.TrimLeft(key, "+-"); digits == "" || strings.Trim(digits, "0123456789") != "" {
			continue // trec_eval ignores a name that is not a grade
		}
		grade := int(cInt(key))
		if grade < 0 {
			return assay.Usagef("measure %s.%s: a gain for the negative grade %d", name, typed, grade)
		}
		if !slices.ContainsFunc(args.Gains, func(g measure.Gained) bool { return g.Grade == grade }) {
			args.Gains = append(args.Gains, measure.Gained{Grade: grade, Gain: x})
		}
	}
	return nil
}
