package compare

import (
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// Run compares every further side with the first.
//
// The error ends a command with exit code 6 when the sides are not over the same queries and Options.Intersection does not
// allow that, or when they have none in common.
func Run(in Input) (*Result, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	m := match(in.Sides)
	if err := m.allowed(in.Intersection); err != nil {
		return nil, err
	}
	out := &Result{Schema: Schema, Matching: m.info, Settings: in.settings(), Pairs: []Pair{}, in: &in, matched: m}
	for s := range in.Sides {
		out.Sides = append(out.Sides, in.Sides[s].SideInfo)
	}
	for side := 1; side < len(in.Sides); side++ {
		p, err := in.pair(m, side)
		if err != nil {
			return nil, err
		}
		out.Pairs = append(out.Pairs, *p)
	}
	out.Settings.Family = correct(out.Pairs, 1-out.Settings.Confidence)
	out.Caveats = in.caveats(m, out.Pairs)
	warnings := doubts(out.Pairs, m)
	for _, w := range in.ofScores() {
		warnings.add(w.Code, "%s", w.Text)
	}
	out.Warnings = warnings
	return out, nil
}

// pair compares one side with the first, p-values not yet corrected.
func (in *Input) pair(m *matched, side int) (p *Pair, err error) {
	a, b := &in.Sides[0].SideInfo, &in.Sides[side].SideInfo
	p = &Pair{A: a.Name, B: b.Name}
	p.Changes, p.Known = diff(a, b)
	for i := range m.ids {
		if d := m.rows[0][i].Digest; d != [16]byte{} && d == m.rows[side][i].Digest {
			p.SameRankings++
		}
	}
	if len(m.ids) == 0 {
		for _, meas := range in.Measures {
			p.Measures = append(p.Measures, in.untested(meas, &columns{}))
		}
		return p, nil
	}
	if p.Measures, err = in.measured(m, side); err != nil {
		return nil, err
	}
	if p.Strata, p.SmallStrata, err = in.strata(m, side); err != nil {
		return nil, err
	}
	if p.Latency, err = in.latency(m, side); err != nil {
		return nil, err
	}
	p.Moves, err = in.moves(m, side)
	return p, err
}

func (in *Input) caveats(m *matched, pairs []Pair) []assay.Warning {
	var c caveats
	for i := range pairs {
		c.ofPair(&in.Sides[0].SideInfo, &in.Sides[i+1].SideInfo, &pairs[i])
	}
	for s := range in.Sides {
		c.ofSide(&in.Sides[s].SideInfo)
	}
	c.ofMatching(&m.info)
	return c
}

// doubts are the warnings of the statistics, each once, and what is known of their tests at this size
// (docs/statistics.md has the measured error rates).
func doubts(pairs []Pair, m *matched) caveats {
	var c caveats
	if len(m.ids) == 0 {
		c.add("nothing_compared", "no query has a score on every side: %d failed somewhere, %d are not to be scored", m.info.Failed, m.info.Unjudged)
	}
	for i := range pairs {
		for j := range pairs[i].Measures {
			t := pairs[i].Measures[j].Test
			if t == nil {
				continue
			}
			for _, w := range t.Warnings {
				text := w.Message
				switch w.Kind {
				case stats.WarnAllTies, stats.WarnDegenerate, stats.WarnFewDiffer: // of one measure, the others are of the queries
					text = pairs[i].Measures[j].Measure + ": " + text
				}
				c.add(string(w.Kind), "%s", text)
			}
			if n := pairs[i].Measures[j].NEff; n < stats.FewQueries && oneSided(t) {
				c.add("one_sided", "%s: with %.0f queries and most of the differences on one side, a test of a mean errs more often than its level says (docs/statistics.md)",
					pairs[i].Measures[j].Measure, n)
			}
		}
	}
	return c
}

// ofScores are the doubts about the scores of the sides: those that all have once, those of some with their names.
func (in *Input) ofScores() []assay.Warning {
	var out []assay.Warning
	who := map[assay.Warning][]string{}
	for s := range in.Sides {
		for _, w := range in.Sides[s].Warnings {
			if who[w] == nil {
				out = append(out, w)
			}
			who[w] = append(who[w], in.Sides[s].Name)
		}
	}
	for i, w := range out {
		if len(who[w]) < len(in.Sides) {
			out[i].Text = strings.Join(who[w], " and ") + ": " + w.Text
		}
	}
	return out
}

// oneSided reports that a test at small n may say more than it knows: nearly all queries that differ moved one way while the
// mean stayed near, or moved the other way.
func oneSided(t *Test) bool {
	few, many := min(t.Wins, t.Losses), max(t.Wins, t.Losses)
	return many >= 10 && 5*few <= many
}
