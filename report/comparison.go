package report

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/internal/plural"
)

// shownChanges and shownStrata are how many rows of these tables a page has; files without pages have all.
const (
	shownChanges = 30
	shownStrata  = 24
	shownRows    = 50
)

// Comparison is the report of runs against the first of them.
func Comparison(r *compare.Result) *Model {
	names := make([]string, len(r.Sides))
	for i := range r.Sides {
		names[i] = r.Sides[i].Name
	}
	m := &Model{
		Title: strings.Join(names[1:], ", ") + " against " + names[0], Kind: "comparison", Summary: summaryOf(r), Document: r, Main: "queries",
		Made: fmt.Sprintf("Intervals of %.0f %%, %d sign flips, %d draws, seed %d; %s.", 100*r.Settings.Confidence, r.Settings.Flips, r.Settings.Draws, r.Settings.Seed, family(r.Settings.Family)),
	}
	for i := range r.Sides {
		m.Facts = append(m.Facts, sideFact(&r.Sides[i]))
	}
	m.Facts = append(m.Facts, Fact{"queries compared", Count(r.Matching.Compared)})
	m.Add(Section{ID: "first", Title: "Before the numbers", Blocks: warningsOf(r.Caveats)})
	m.Add(Section{ID: "measures", Title: "Measures", Blocks: append([]Block{measuresTable(r)}, warningsOf(r.Warnings)...)})
	for i := range r.Pairs {
		p := &r.Pairs[i]
		suffix := ""
		if len(r.Pairs) > 1 {
			suffix = ": " + p.B
		}
		m.Add(Section{ID: fmt.Sprintf("differences-%d", i+1), Title: "Query by query" + suffix, Detail: true, Blocks: differencesOf(r, i)})
		m.Add(Section{ID: fmt.Sprintf("changes-%d", i+1), Title: "What changed" + suffix, Blocks: changesOf(p, i)})
		m.Add(Section{ID: fmt.Sprintf("latency-%d", i+1), Title: "Latency" + suffix, Blocks: latencyOf(p, i)})
		m.Add(Section{ID: fmt.Sprintf("strata-%d", i+1), Title: "Parts of the test set" + suffix, Blocks: strataOf(r, i)})
		m.Add(Section{ID: fmt.Sprintf("moves-%d", i+1), Title: "Largest moves" + suffix, Blocks: movesOf(p.Moves, p.A, p.B, r.Measures()[0])})
	}
	m.Add(Section{ID: "queries", Title: "All queries", Detail: true, Blocks: []Block{queriesTable(r)}})
	return m
}

func family(n int) string {
	if n == 1 {
		return "one test"
	}
	return fmt.Sprintf("%d tests corrected as one family (Holm)", n)
}

// sideFact says what a side is.
func sideFact(s *compare.SideInfo) Fact {
	what := s.Ref
	if s.Run != "" {
		what = "run " + s.Run
	}
	return Fact{s.Name, String(fmt.Sprintf("%s, %s, %d scored, %d failed", what, plural.Count(s.Counts.Queries, "query"), s.Counts.Scored, s.Counts.Failed))}
}

// summaryOf is the headline measure in a sentence for each pair.
func summaryOf(r *compare.Result) string {
	var out []string
	for i := range r.Pairs {
		p := &r.Pairs[i]
		m := &p.Measures[0]
		if m.Test == nil {
			out = append(out, fmt.Sprintf("%s of %s and %s was not tested: %s.", m.Measure, p.A, p.B, m.Why))
			continue
		}
		d := Delta(m.Diff, &m.Interval)
		switch m.Finding {
		case compare.NotShown:
			out = append(out, fmt.Sprintf("No difference in %s between %s and %s was shown on %s: %s.", m.Measure, p.A, p.B, plural.Count(m.N, "query"), d))
		default:
			out = append(out, fmt.Sprintf("%s is %s than %s in %s on %s: %s.", p.B, m.Finding, p.A, m.Measure, plural.Count(m.N, "query"), d))
		}
	}
	return strings.Join(out, " ")
}

// measuresTable is the headline: every measure of every pair.
func measuresTable(r *compare.Result) *Table {
	several := len(r.Pairs) > 1
	t := &Table{ID: "measures", Columns: []Column{{Name: "measure"}}}
	if several {
		t.Caption = fmt.Sprintf("Every run against %s, on the %s that all have", r.Sides[0].Name, plural.Count(r.Matching.Compared, "query"))
		t.Columns = append(t.Columns, Column{Name: "run"}, Column{Name: r.Sides[0].Name}, Column{Name: "mean"})
	} else {
		t.Caption = fmt.Sprintf("%s against %s, on the %s that both have", r.Pairs[0].B, r.Pairs[0].A, plural.Count(r.Matching.Compared, "query"))
		t.Columns = append(t.Columns, Column{Name: r.Pairs[0].A}, Column{Name: r.Pairs[0].B})
	}
	t.Columns = append(t.Columns,
		Column{Name: "difference", Help: "Mean of the differences query by query, with its interval"},
		Column{Name: "p", Help: "Chance of a difference this large between equal systems, corrected for all tests of the table (Holm)"},
		Column{Name: "+"}, Column{Name: "="}, Column{Name: "-", Help: "Queries on which the second is better, equal and worse"},
		Column{Name: "d", Help: "Effect size: the mean of the differences over their standard deviation"},
		Column{Name: "detectable", Help: fmt.Sprintf("The smallest true difference that this many queries find with a chance of %.0f %%", 100*r.Settings.Power)},
		Column{Name: "finding"})
	for mi := range r.Pairs[0].Measures {
		for pi := range r.Pairs {
			m := &r.Pairs[pi].Measures[mi]
			row := []Cell{Code(m.Measure)}
			if several {
				row = append(row, String(r.Pairs[pi].B))
			}
			t.Add(append(row, measuredCells(m)...)...)
		}
	}
	t.Notes = measuresNotes(r)
	return t
}

func measuredCells(m *compare.Measured) []Cell {
	a, b := scoreOf(m.MeanA), scoreOf(m.MeanB)
	if m.Test == nil {
		return []Cell{a, b, Unknown, Unknown, Unknown, Unknown, Unknown, Unknown, Unknown, String(string(m.Finding))}
	}
	tone := map[compare.Finding]Tone{compare.Better: Good, compare.Worse: Bad}[m.Finding]
	return []Cell{a, b, Delta(m.Diff, &m.Interval).Toned(tone), P(m.PHolm), Count(m.Wins), Count(m.Ties), Count(m.Losses),
		deltaOf(m.Dz), scoreOf(m.MDD), String(string(m.Finding)).Toned(tone)}
}

func measuresNotes(r *compare.Result) (out []string) {
	for i := range r.Pairs[0].Measures {
		if m := &r.Pairs[0].Measures[i]; m.Test == nil {
			out = append(out, m.Measure+": "+m.Why)
		}
	}
	out = append(out, "p is corrected over the table; +, = and - count the queries on which the second is better, equal and worse; detectable is the smallest true difference that this many queries would find.")
	return out
}

// differencesOf are the figures of one pair.
func differencesOf(r *compare.Result, i int) []Block {
	p := &r.Pairs[i]
	head := &p.Measures[0]
	if head.Test == nil {
		return nil
	}
	forest := &Forest{Value: "difference", Signed: true, Reference: new(float64)}
	for k := range p.Measures {
		if m := &p.Measures[k]; m.Test != nil {
			forest.Rows = append(forest.Rows, Estimate{Name: m.Measure, N: m.N, Value: m.Diff, Bounds: &m.Interval,
				Tone: map[compare.Finding]Tone{compare.Better: Good, compare.Worse: Bad}[m.Finding]})
		}
	}
	return []Block{
		&Plot{ID: fmt.Sprintf("forest-%d", i+1), Title: "Differences of the means", Reading: "An interval that holds 0 leaves open which of the two is higher.", Figure: forest},
		&Plot{ID: fmt.Sprintf("paired-%d", i+1), Title: head.Measure + " query by query", Reading: "Each bar is a query, sorted by how much it changed.",
			Figure: NewDifferences(head.Measure, p.A, p.B, head.Better, r.Diffs(i), head.Diff, &head.Interval)},
	}
}

// changesOf names every key in which the fingerprints differ.
func changesOf(p *compare.Pair, i int) []Block {
	if !p.Known || len(p.Changes) == 0 {
		return nil
	}
	t := &Table{ID: fmt.Sprintf("changed-%d", i+1), Caption: "What is recorded differently of the two runs", Columns: Columns("key", p.A, p.B), Total: len(p.Changes)}
	rows := func() iter.Seq[[]Cell] {
		return func(yield func([]Cell) bool) {
			for _, c := range p.Changes {
				if !yield([]Cell{Code(c.Key), String(shorten(c.From)), String(shorten(c.To))}) {
					return
				}
			}
		}
	}
	for row := range rows() {
		if len(t.Rows) < shownChanges {
			t.Add(row...)
		}
	}
	t.All = rows
	return []Block{t}
}

// shorten cuts hashes, which nobody reads to the end.
func shorten(s string) string {
	if hash, ok := strings.CutPrefix(s, "sha256:"); ok && len(hash) > 12 {
		return "sha256:" + hash[:12]
	}
	return s
}

func latencyOf(p *compare.Pair, i int) []Block {
	if p.Latency == nil {
		return nil
	}
	t := &Table{ID: fmt.Sprintf("times-%d", i+1), Caption: fmt.Sprintf("Time of a whole query in milliseconds, over %s", plural.Count(p.Latency.N, "query")), Columns: Columns("percentile", p.A, p.B, "difference")}
	for k := range p.Latency.Quantiles {
		q := &p.Latency.Quantiles[k]
		t.Add(String(fmt.Sprintf("p%.0f", 100*q.Q)), Millis(q.A, nil), Millis(q.B, nil), DeltaMillis(q.Diff, &q.Interval))
	}
	if !p.Latency.Comparable {
		t.Notes = []string{"These times are not to be compared: " + p.Latency.Why + "."}
	}
	return []Block{t}
}

// strataOf is the headline measure over parts of the queries.
func strataOf(r *compare.Result, i int) []Block {
	p := &r.Pairs[i]
	var small []Block
	if n := p.SmallStrata; n > 0 {
		small = append(small, Note(fmt.Sprintf("%s of fewer than %d queries left out", plural.Count(n, "part"), compare.LeastStratum)))
	}
	if len(p.Strata) == 0 {
		return small
	}
	t := &Table{ID: fmt.Sprintf("parts-%d", i+1), Caption: fmt.Sprintf("%s over parts of the test set", r.Measures()[0]), Columns: Columns("split by", "", "n", p.A, p.B, "difference", "+", "=", "-"),
		Notes: []string{"Parts are for looking: they are many, and their intervals are not corrected for that."}, Total: len(p.Strata)}
	row := func(s *compare.Stratum) []Cell {
		return []Cell{String(s.Facet), String(s.Value), Count(s.N), Score(s.MeanA, nil), Score(s.MeanB, nil), Delta(s.Diff, &s.Interval), Count(s.Wins), Count(s.Ties), Count(s.Losses)}
	}
	for i := range p.Strata[:min(shownStrata, len(p.Strata))] {
		t.Add(row(&p.Strata[i])...)
	}
	t.All = func() iter.Seq[[]Cell] {
		return func(yield func([]Cell) bool) {
			for i := range p.Strata {
				if !yield(row(&p.Strata[i])) {
					return
				}
			}
		}
	}
	return append([]Block{t}, small...)
}

// queriesTable has a row for each query; a page shows those that changed most.
func queriesTable(r *compare.Result) *Table {
	t := &Table{ID: "queries", Caption: "Values of every compared query", Columns: Columns("query", "text"), Total: r.Matching.Compared, Detail: true}
	for _, m := range r.Measures() {
		for i := range r.Sides {
			t.Columns = append(t.Columns, Column{Name: m + " " + r.Sides[i].Name})
		}
	}
	cells := func(row *compare.Row) []Cell {
		out := []Cell{Code(row.Query), String(row.Text)}
		for _, sides := range row.Values {
			for _, v := range sides {
				out = append(out, scoreOf(v))
			}
		}
		return out
	}
	t.All = func() iter.Seq[[]Cell] {
		return func(yield func([]Cell) bool) {
			for row := range r.Rows() {
				if !yield(cells(&row)) {
					return
				}
			}
		}
	}
	var all []compare.Row
	for row := range r.Rows() {
		all = append(all, row)
	}
	slices.SortStableFunc(all, func(a, b compare.Row) int { return cmp.Compare(extent(&b), extent(&a)) })
	for i := range all[:min(shownRows, len(all))] {
		t.Add(cells(&all[i])...)
	}
	return t
}

// extent is how far the sides are apart on the headline measure.
func extent(row *compare.Row) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range row.Values[0] {
		if v != nil {
			lo, hi = min(lo, *v), max(hi, *v)
		}
	}
	return hi - lo
}

func scoreOf(v *float64) Cell {
	if v == nil {
		return Unknown
	}
	return Score(*v, nil)
}

func deltaOf(v *float64) Cell {
	if v == nil {
		return Unknown
	}
	return Delta(*v, nil)
}
