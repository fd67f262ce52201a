package treceval

import (
	"bufio"
	"fmt"
	"math"
	"strconv"

	"github.com/assay-eval/assay/measure"
)

// printer writes lines as C's printf does.
type printer struct {
	w     *bufio.Writer
	exact bool
}

func (p *printer) text(name, query, value string) {
	fmt.Fprintf(p.w, "%-22s\t%s\t%s\n", name, query, value)
}

func (p *printer) value(c *column, query string, v float64) {
	switch {
	case c.whole:
		p.text(c.name, query, strconv.FormatInt(int64(v), 10))
	case math.IsNaN(v):
		p.text(c.name, query, fmt.Sprintf("%6s", "-nan"))
	case math.IsInf(v, 0):
		p.text(c.name, query, fmt.Sprintf("%6s", map[bool]string{true: "inf", false: "-inf"}[v > 0]))
	case p.exact:
		p.text(c.name, query, strconv.FormatFloat(v, 'g', 17, 64))
	default:
		p.text(c.name, query, fmt.Sprintf("%6.4f", v))
	}
}

// printQueries writes the lines of every evaluated query, in byte order of the query id.
func (e *evaluation) printQueries(p *printer) {
	for i, j := range e.qrels.Queries {
		if !e.evaluated[i] {
			continue
		}
		for k := range e.cols {
			c := &e.cols[k]
			switch {
			case c.m == nil && (c.name == runID || c.name == numQ):
			case c.m == nil:
				p.text(c.name, j.Query, "'"+e.strings[i]+"'")
			case c.m.Definition().Average == measure.GeometricMean:
			default:
				p.value(c, j.Query, e.values[i*len(e.cols)+k])
			}
		}
	}
}

// printSummary writes the lines for all queries.
func (e *evaluation) printSummary(p *printer) {
	for k := range e.cols {
		c := &e.cols[k]
		switch {
		case c.m != nil:
			p.value(c, "all", e.summary(k))
		case c.name == runID:
			p.text(c.name, "all", e.tag)
		case c.name == numQ:
			p.text(c.name, "all", strconv.Itoa(e.divisor()))
		}
	}
}

// divisor is what means are divided by: the evaluated queries, or with -c all queries of the qrels.
func (e *evaluation) divisor() int {
	if e.o.Complete {
		return len(e.qrels.Queries)
	}
	return e.count
}

// summary adds one column up, in byte order of the query ids.
func (e *evaluation) summary(k int) float64 {
	c := &e.cols[k]
	if c.name == "num_rel" && e.o.Complete {
		return e.positiveGrades()
	}
	values := make([]float64, 0, e.count)
	for i := range e.evaluated {
		if e.evaluated[i] {
			values = append(values, e.values[i*len(e.cols)+k])
		}
	}
	return c.m.Definition().Average.Of(values, e.divisor())
}

// positiveGrades is num_rel under -c, which both releases recount without regard to -l.
func (e *evaluation) positiveGrades() float64 {
	n := 0
	for _, j := range e.qrels.Queries {
		for _, g := range j.Grades {
			if g > 0 {
				n++
			}
		}
	}
	return float64(n)
}
