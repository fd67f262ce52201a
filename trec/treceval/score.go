package treceval

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/trec"
	"github.com/assay-eval/assay/trec/evaluate"
)

// Score reads the two files and writes trec_eval's output. Nothing is written unless everything could be
// computed. Every error is one of usage, exit code 2.
func Score(ctx context.Context, o Options, w io.Writer) error {
	o.Release = cmp.Or(o.Release, trec.Release9)
	if err := o.check(); err != nil {
		return err
	}
	req, err := newRequest(o.Measures, o.Release)
	if err != nil {
		return err
	}
	cols, err := req.columns(&o)
	if err != nil {
		return err
	}
	e, err := compute(ctx, &o, cols)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	p := printer{w: out, exact: o.exact}
	if o.PerQuery {
		e.printQueries(&p)
	}
	if !o.NoSummary {
		e.printSummary(&p)
	}
	return out.Flush()
}

// evaluation holds the values of every query that is evaluated.
type evaluation struct {
	o         *Options
	cols      []column
	qrels     *trec.Qrels
	tag       string
	values    []float64 // a row per query of the qrels, a value per column
	strings   []string  // relstring per query of the qrels
	evaluated []bool    // by query of the qrels
	count     int       // how many
}

func compute(ctx context.Context, o *Options, cols []column) (*evaluation, error) {
	dialect := trec.Dialect{Release: o.Release, Lenient: true}
	q, err := trec.ReadQrels(o.Qrels, dialect)
	if err != nil {
		return nil, err
	}
	run, err := trec.OpenRun(o.Run, dialect)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	n := len(q.Queries)
	e := &evaluation{o: o, cols: cols, qrels: q, values: make([]float64, n*len(cols)), strings: make([]string, n), evaluated: make([]bool, n)}
	s, err := newScorer(e)
	if err != nil {
		return nil, err
	}
	tally, err := evaluate.Each(ctx, q, run, evaluate.Options{Level: o.level(), Depth: o.Depth, JudgedOnly: o.JudgedOnly, Workers: o.Workers},
		func(_ int, j *trec.Judgments, t *measure.Topic) error {
			s.score(j, t)
			return nil
		})
	if err != nil {
		return nil, err
	}
	e.tag = run.Tag()
	if err := e.missing(s); err != nil {
		return nil, err
	}
	for _, ok := range e.evaluated {
		if ok {
			e.count++
		}
	}
	if e.count == 0 {
		return nil, evaluate.Disjoint(q, o.Run, tally)
	}
	return e, e.firstNegative()
}

// missing treats queries that the run does not hold as the release does: 9 leaves them out, 10 stops,
// or with -c scores a ranking of one document that nobody judged.
func (e *evaluation) missing(s *scorer) error {
	if e.o.Release != trec.Release10 {
		return nil
	}
	for i, j := range e.qrels.Queries {
		if e.evaluated[i] {
			continue
		}
		if !e.o.Complete {
			return assay.WithHint(assay.Usagef("query %.60q of %s is not in %s", j.Query, e.qrels.Name, e.o.Run),
				"release 10 stops here; -c counts such queries as 0, --compat 9 leaves them out")
		}
		if err := e.qrels.Usable(j); err != nil {
			return err
		}
		s.placeholder(j)
	}
	return nil
}

// firstNegative is an error of both releases: they cannot start with a query that has negative grades
// only.
func (e *evaluation) firstNegative() error {
	for i, j := range e.qrels.Queries {
		if !e.evaluated[i] {
			continue
		}
		if j.Top < 0 {
			return assay.WithHint(assay.Usagef("the first query evaluated, %.60q, has negative grades only, which trec_eval refuses", j.Query),
				"the other formats score it: --format table")
		}
		return nil
	}
	return nil
}

// scorer fills the rows of an evaluation; it is safe for concurrent use on different queries.
type scorer struct {
	e    *evaluation
	set  *measure.Set
	at   []int // column of each measure of set
	text int   // column of relstring, -1 if it is not asked for
}

func newScorer(e *evaluation) (*scorer, error) {
	s := &scorer{e: e, text: -1}
	var list []measure.Measure
	for i, c := range e.cols {
		if c.m != nil {
			list = append(list, c.m)
			s.at = append(s.at, i)
		}
		if c.chars > 0 {
			s.text = i
		}
	}
	var err error
	s.set, err = measure.NewSet(list...)
	return s, err
}

// score fills the row of one query.
func (s *scorer) score(j *trec.Judgments, t *measure.Topic) {
	e := s.e
	row := e.values[j.Index*len(e.cols) : (j.Index+1)*len(e.cols)]
	var buf [128]float64
	for k, v := range s.set.Score(t, buf[:0]) {
		c := &e.cols[s.at[k]]
		if c.habit != nil {
			v = c.habit(t, v)
		} else {
			v = orZero(v)
		}
		row[s.at[k]] = v
	}
	if s.text >= 0 {
		e.strings[j.Index] = relevanceString(t.Ranked, e.cols[s.text].chars)
	}
	e.evaluated[j.Index] = true
}

// placeholder is release 10's row of a query without results. What would show the placeholder is set to
// 0, as long as the column has its plain name.
func (s *scorer) placeholder(j *trec.Judgments) {
	e := s.e
	t := measure.Topic{Gold: j.Grades, Level: e.o.level(), Ranked: []float64{measure.NotJudged}}
	if e.o.JudgedOnly {
		t.Ranked = nil
	}
	s.score(j, &t)
	for i, c := range e.cols {
		switch {
		case c.name == "num_ret", c.name == "utility", c.name == "rbp_resid", len(c.name) > 3 && c.name[:3] == "unj":
			e.values[j.Index*len(e.cols)+i] = 0
		case c.name == relString:
			e.strings[j.Index] = ""
		}
	}
}

// relevanceString writes the grades of the first ranks, a character each.
func relevanceString(ranked []float64, chars int) string {
	out := make([]byte, 0, 16)
	for _, g := range ranked[:min(chars, len(ranked))] {
		switch {
		case g > 9:
			out = append(out, '>')
		case g >= 0:
			out = append(out, '0'+byte(g))
		case math.IsInf(g, -1):
			out = append(out, '-')
		default:
			out = append(out, '.')
		}
	}
	return string(out)
}
