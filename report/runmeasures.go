package report

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/stats"
)

// measures is the headline table, with what differs by plain ids and what the labels allow at best where that is told.
func (r *Explanation) measures() []Block {
	s := r.Scored
	t := &Table{ID: "measures", Columns: Columns("measure", "mean", "95 % interval", "n")}
	raw, ceiling, undefined := false, false, false
	for _, m := range s.Means {
		_, differs := rawMean(s, &m)
		raw, ceiling, undefined = raw || differs, ceiling || m.Ceiling != nil, undefined || m.Undefined > 0
	}
	if raw {
		t.Columns = append(t.Columns, Column{Name: "by plain ids", Help: "the mean when every chunk id counts alone, without classes of near-duplicate text"})
	}
	if ceiling {
		t.Columns = append(t.Columns, Column{Name: "at most", Help: "the highest mean that the labels allow at this cutoff"})
	}
	if undefined {
		t.Columns = append(t.Columns, Column{Name: "undefined for", Help: "scored queries that the measure is not defined for"})
	}
	if s.Uncalibrated {
		t.Columns = append(t.Columns, Column{Name: "doubt"})
	}
	f := &Forest{Value: "mean over queries", Lo: 0, Hi: 1}
	for i := range s.Means {
		m := &s.Means[i]
		c, n := meanCell(m), Count(m.Scored)
		row := []Cell{String(m.Measure), c.Point(), c.Range(), n}
		if raw {
			v, differs := rawMean(s, m)
			cell := Unknown
			if differs {
				cell = Score(v, nil)
			}
			row = append(row, cell)
		}
		if ceiling {
			cell := Unknown
			if m.Ceiling != nil {
				cell = Score(*m.Ceiling, nil)
			}
			row = append(row, cell)
		}
		if undefined {
			row = append(row, Count(m.Undefined))
		}
		if s.Uncalibrated {
			row = append(row, String(strings.ReplaceAll(assay.WarnUncalibratedJudge, "_", " ")).Toned(Caution))
		}
		t.Add(row...)
		if m.Scored > 0 {
			f.add(m.Measure, m)
		}
	}
	if len(f.Rows) == 0 {
		return []Block{t}
	}
	if u := s.Unanswerable; u != nil {
		t.Notes = append(t.Notes, unanswerable(u))
	}
	return []Block{t, &Plot{ID: "means", Title: "Means with their intervals",
		Reading: "A dot is the mean over queries, the line its 95 % interval: where the mean of all queries like these is to be looked for.", Figure: f}}
}

// add puts the mean of a measure into a forest.
func (f *Forest) add(name string, m *score.Mean) {
	e := Estimate{Name: name, N: m.Scored, Value: m.Value}
	if m.Summary != nil {
		e.Bounds = &stats.Interval{Lo: m.Summary.Lo, Hi: m.Summary.Hi}
		if f.Hi > f.Lo && (m.Summary.Lo < f.Lo || m.Summary.Hi > f.Hi) {
			f.Lo, f.Hi = 0, 0 // a measure beyond 0 to 1
		}
	}
	if m.Value > f.Hi {
		f.Lo, f.Hi = 0, 0
	}
	f.Rows = append(f.Rows, e)
}

func meanCell(m *score.Mean) Cell {
	if m.Scored == 0 {
		return Unknown
	}
	if m.Summary == nil {
		return Score(m.Value, nil)
	}
	return Score(m.Value, &m.Summary.Interval)
}

// rawMean is the mean by plain ids, where there is one and it differs.
func rawMean(s *score.Scored, m *score.Mean) (float64, bool) {
	raw, ok := s.RawMean(m.Measure)
	return raw.Value, ok && raw.Scored > 0 && raw.Value != m.Value
}

// depth is the recall curve.
func (r *Explanation) depth() []Block {
	if len(r.Curve) < 2 {
		return nil
	}
	line := Series{Name: r.Info.System}
	most := Series{Name: "at most"}
	capped := false
	for _, c := range r.Curve {
		p := Point{X: float64(c.K), Y: c.Recall}
		if c.Lo != nil && c.Hi != nil {
			p.Lo, p.Hi, p.HasBounds = *c.Lo, *c.Hi, true
		}
		line.Points = append(line.Points, p)
		top := 1.0
		if c.Ceiling != nil {
			top, capped = *c.Ceiling, true
		}
		most.Points = append(most.Points, Point{X: float64(c.K), Y: top})
	}
	f := &Curve{X: "k, hits looked at", Y: "recall@k", Series: []Series{line}}
	reading := "The share of the relevant texts among the first k hits, with the 95 % interval as a band. Where the curve still climbs at the right end, more hits would find more: then a reranker or a larger k helps. Where it is flat, what is missing is not found at any depth."
	if capped {
		f.Series = append(f.Series, most)
		reading += " \"At most\" is what the labels allow: k hits cannot hold more than k relevant texts."
	}
	return []Block{&Plot{ID: "recall-curve", Title: "recall@k", Reading: reading, Figure: f}}
}

// distributions are the scores of single queries.
func (r *Explanation) distributions() []Block {
	var out []Block
	for _, h := range r.Distributions {
		f := &Distribution{Measure: h.Measure, Bins: h.Bins}
		for _, b := range h.Bins {
			f.N += b.Count
		}
		if m, ok := r.Scored.Mean(h.Measure); ok {
			f.Mean = m.Value
		}
		reading := ""
		if len(out) == 0 {
			reading = "A bar counts queries. The two outer bars are the queries that scored exactly the least and the most there is; a mean between them is seldom the score of any query."
		}
		out = append(out, &Plot{ID: "distribution-" + slug(h.Measure), Title: h.Measure, Reading: reading, Figure: f})
	}
	return out
}

// strata are the means of parts of the queries. only limits the facets; nil shows all.
func (r *Explanation) strata(only []score.Facet) []Block {
	facets, levels := byFacet(r.Splits, only)
	if len(facets) == 0 {
		return nil
	}
	t := Parts(r.Scored, r.Splits, only)
	if only != nil {
		return []Block{t}
	}
	names, overall := measureNames(r.Scored), r.Scored.Means[0].Value
	f := &Forest{Value: names[0], Lo: 0, Hi: 1, Reference: &overall}
	for _, facet := range facets {
		for _, l := range levels[facet][:min(maxStrata, len(levels[facet]))] {
			if l.Means[0].Scored > 0 {
				f.add(l.Value, &l.Means[0])
				f.Rows[len(f.Rows)-1].Group = string(facet)
			}
		}
	}
	return []Block{
		Text("Strata are for looking, not for tests: there are many of them, their intervals are wide, and some differ by chance."),
		&Plot{ID: "strata-plot", Title: names[0] + " by part of the test set", Reading: "The dashed line is the mean of all queries. A part whose interval lies off the line is worth a look at its worst queries.", Figure: f}, t}
}

// Parts are the means of parts of a run's queries as a table, by some facets or, with nil, by all that splits has; nil without any.
// Only the first measure has its interval beside it: differences between parts are seldom more than that.
func Parts(s *score.Scored, splits []score.Split, only []score.Facet) *Table {
	facets, levels := byFacet(splits, only)
	if len(facets) == 0 {
		return nil
	}
	names := measureNames(s)
	t := &Table{ID: "strata", Caption: "Means of the parts", Columns: append(Columns("split by", "", "n", names[0], "95 % interval"), Columns(names[1:]...)...)}
	var all [][]Cell
	for _, facet := range facets {
		for i := range levels[facet] {
			all = append(all, partRow(&levels[facet][i]))
			if i < maxStrata {
				t.Rows = append(t.Rows, all[len(all)-1])
			}
		}
		if n := len(levels[facet]) - maxStrata; n > 0 {
			t.Cut = append(t.Cut, fmt.Sprintf("%d further values of %s are not shown.", n, facet))
		}
	}
	t.All, t.Total = func() iter.Seq[[]Cell] { return slices.Values(all) }, len(all)
	return t
}

func partRow(l *score.Split) []Cell {
	c := meanCell(&l.Means[0])
	row := []Cell{String(string(l.Name)), String(l.Value), Count(l.Counts.Scored), c.Point(), c.Range()}
	for i := range l.Means[1:] {
		row = append(row, meanCell(&l.Means[i+1]).Point())
	}
	return row
}

// unanswerable says how the queries that nothing answers fared; they are in no mean.
func unanswerable(u *score.Unanswerable) string {
	text := fmt.Sprintf("unanswerable: %s, %d found nothing", plural.Count(u.Queries, "query", "queries"), u.Empty)
	if u.Separation != nil {
		text += fmt.Sprintf("; an answerable query has the higher top score with probability %.2f (0.5 is chance)", *u.Separation)
	}
	return text
}
