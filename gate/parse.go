package gate

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/measure"
)

// Parse reads a rule and checks that it can be held at all, before anything runs:
//
//	rule    = subject [ "drop" | "rise" ] op limit
//	subject = measure | ( "latency" | stage ) "_p" percentile "_ms"
//	stage   = "embed" | "search" | "fuse" | "rerank"
//	op      = "<" | "<=" | ">" | ">="
//	limit   = number [ "ms" | "s" | "%" ]
//
// such as "recall@10 drop < 0.02", "recall@10 >= 0.8", "latency_p95_ms < 400" and "latency_p95_ms rise < 20%". A drop is of
// a measure that is better when higher, a rise of one that is better when lower; both are absolute, 0.02 being two
// points. Only the rise of a latency may be a percentage. Errors are of usage.
func Parse(text string) (Rule, error) {
	r, err := parse(text)
	if err != nil {
		err = assay.Classify(fmt.Errorf("rule %q: %w", text, err), assay.ErrUsage)
	}
	return r, err
}

func parse(text string) (Rule, error) {
	at := strings.IndexAny(text, "<>")
	if at < 0 {
		return Rule{}, fmt.Errorf("has no <, <=, > or >=; write it as %q or %q", "recall@10 drop < 0.02", "recall@10 >= 0.8")
	}
	left, right := strings.Fields(text[:at]), text[at+1:]
	r := Rule{Op: Op(text[at : at+1])}
	if strings.HasPrefix(right, "=") {
		r.Op, right = r.Op+"=", right[1:]
	}
	word := ""
	if n := len(left); n > 1 && (left[n-1] == "drop" || left[n-1] == "rise") {
		r.Change, word, left = true, left[n-1], left[:n-1]
	}
	if len(left) != 1 {
		return r, fmt.Errorf("wants one measure or latency before %s, and behind it at most drop or rise", r.Op)
	}
	err := r.finish(left[0], word, right)
	return r, err
}

// finish reads subject and limit and checks them against each other.
func (r *Rule) finish(subject, word, limit string) error {
	if r.Change && !r.Op.upper() {
		return fmt.Errorf("a %s is kept below a margin: write %q", word, subject+" "+word+" < 0.02")
	}
	if m := latency.FindStringSubmatch(subject); m != nil {
		if err := r.ofLatency(m[1], m[2]); err != nil {
			return err
		}
	} else {
		m, err := measure.Parse(subject)
		if err != nil {
			if hint := assay.Hint(err); hint != "" {
				return fmt.Errorf("%w; %s", err, hint)
			}
			return err
		}
		r.Measure = m
	}
	if r.Change && word != r.change() {
		return fmt.Errorf("%s is better when it is %s: write %s %s instead of %s", r.Subject(), r.better(), r.Subject(), r.change(), word)
	}
	if err := r.readLimit(strings.TrimSpace(limit)); err != nil {
		return err
	}
	if r.Measure != nil {
		return r.checkMeasure()
	}
	return r.checkLatency()
}

func (r *Rule) better() string {
	if r.Measure == nil {
		return "lower"
	}
	return r.Measure.Definition().Direction.String()
}

var latency = regexp.MustCompile(`^(latency|total|embed|search|fuse|rerank)_p([0-9]+(?:\.[0-9]+)?)_ms$`)

func (r *Rule) ofLatency(stage, percentile string) error {
	p, err := strconv.ParseFloat(percentile, 64)
	if err != nil || !(p > 0 && p < 100) {
		return fmt.Errorf("p%s is no percentile between 0 and 100, such as p95", percentile)
	}
	r.Stage, r.Quantile = compare.Stage(stage), p/100
	if stage == "latency" {
		r.Stage = compare.StageTotal
	}
	return nil
}

var number = regexp.MustCompile(`^([0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)\s*(%|ms|s)?$`)

func (r *Rule) readLimit(text string) error {
	m := number.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("%q behind %s is not a number, such as 0.02", text, r.Op)
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil || math.IsInf(v, 0) {
		return fmt.Errorf("%q is not a number that can be compared with", m[1])
	}
	switch unit := m[2]; {
	case unit == "%" && (r.Measure != nil || !r.Change):
		return fmt.Errorf("%s is held against an absolute number: write %s instead of %s", r.Subject(), plain(v/100), text)
	case (unit == "ms" || unit == "s") && r.Measure != nil:
		return fmt.Errorf("%s is a score and has no unit", r.Subject())
	case unit == "%":
		v, r.Relative = v/100, true
	case unit == "s":
		v *= 1000
	}
	r.Limit = v
	return nil
}

// checkMeasure refuses rules on scores that nothing or everything fulfils.
func (r *Rule) checkMeasure() error {
	d, name := r.Measure.Definition(), r.Measure.Name()
	width := d.Range.Max - d.Range.Min
	switch {
	case d.Direction == measure.Neutral:
		return fmt.Errorf("%s describes a run and is neither good nor bad: nothing to gate by", name)
	case d.Average != measure.ArithmeticMean:
		return fmt.Errorf("the summary of %s is a %s; a gate takes means, of which it knows the noise", name, d.Average)
	case r.Change && !(r.Limit > 0):
		return fmt.Errorf("a margin of 0 fails on noise alone; say which %s would not matter, such as 0.02", r.change())
	case r.Change && r.Limit >= width:
		return fmt.Errorf("no %s of %s reaches %s: it lies in %v", r.change(), name, plain(r.Limit), d.Range)
	case r.Change:
		return nil
	case r.Op.upper() == (d.Direction == measure.HigherIsBetter):
		return fmt.Errorf("%s is better when it is %s: write %s instead of %s", name, d.Direction, other[r.Op], r.Op)
	case !d.Range.Contains(r.Limit):
		hint := ""
		if d.Range == measure.Unit && r.Limit > 1 && r.Limit <= 100 {
			hint = "; did you mean " + plain(r.Limit/100) + "?"
		}
		return fmt.Errorf("%s lies in %v, never at %s%s", name, d.Range, plain(r.Limit), hint)
	}
	best, worst := d.Range.Max, d.Range.Min
	if r.Op.upper() {
		best, worst = worst, best
	}
	switch r.Limit {
	case best:
		return fmt.Errorf("no sample of queries can show a mean of exactly %s: leave room, such as %s", plain(best), plain(best+(worst-best)/100))
	case worst:
		return fmt.Errorf("%s %s %s holds for every run", name, r.Op, plain(worst))
	}
	return nil
}

var other = map[Op]Op{Less: Greater, LessEqual: GreaterEqual, Greater: Less, GreaterEqual: LessEqual}

func (r *Rule) checkLatency() error {
	switch {
	case !r.Op.upper():
		return fmt.Errorf("a latency is better when it is lower: write %s instead of %s", other[r.Op], r.Op)
	case !(r.Limit > 0):
		return fmt.Errorf("a limit of 0 can never be kept")
	}
	return nil
}

// Line is one rule as it is written and where.
type Line struct{ Text, Where string }

// ParseAll reads rules. The same rule twice is refused, since each rule makes the others' test stricter.
func ParseAll(lines []Line) ([]Rule, error) {
	seen := map[string]bool{}
	out := make([]Rule, 0, len(lines))
	for _, l := range lines {
		r, err := Parse(l.Text)
		if err != nil {
			return nil, err
		}
		r.Where = l.Where
		if seen[r.String()] {
			return nil, assay.Usagef("rule %q is given twice", r.String())
		}
		seen[r.String()] = true
		out = append(out, r)
	}
	return out, nil
}
