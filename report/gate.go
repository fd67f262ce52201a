package report

import (
	"fmt"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/plural"
)

// What a verdict shows of lost queries: it goes into the comment of a pull request, which has an end.
const (
	shownLost     = 5
	shownLostHits = 5
)

// Gate is the report of a verdict: short enough for a comment under a pull request.
func Gate(v *gate.Verdict) *Model {
	m := &Model{
		Title: "assay gate: " + v.Candidate.System, Kind: "gate", Summary: gateSummary(v), Document: v, Main: "rules",
		Verdict: &Verdict{Tone: toneOf(v.Outcome, v.Policy), Label: string(v.Outcome), Text: v.Reason, Hint: v.Hint},
		Made: fmt.Sprintf("Intervals of %.0f %%; under %d independent queries nothing passes; %d sign flips, %d draws, seed %d; exit code %d.",
			100*v.Settings.Confidence, v.Settings.MinQueries, v.Settings.Flips, v.Settings.Draws, v.Settings.Seed, v.ExitCode),
	}
	m.Facts = append(m.Facts, sideFact(&v.Candidate))
	if v.Baseline != nil {
		m.Facts = append(m.Facts, sideFact(v.Baseline))
	}
	m.Add(Section{ID: "first", Title: "Before the numbers", Blocks: warningsOf(v.Caveats)})
	m.Add(Section{ID: "rules", Title: "Rules", Blocks: append([]Block{rulesTable(v)}, warningsOf(v.Warnings)...)})
	m.Add(Section{ID: "numbers", Title: "Numbers", Detail: true, Blocks: []Block{numbersTable(v)}})
	if v.Outcome == gate.Regression {
		m.Add(gateChanges(v))
		m.Add(lost(v))
	}
	return m
}

// gateSummary counts what was compared.
func gateSummary(v *gate.Verdict) string {
	if v.Baseline == nil {
		return ""
	}
	s := fmt.Sprintf("%s against %s, %s compared", v.Candidate.Name, v.Baseline.Name, plural.Count(v.Compared, "query"))
	if v.LeftOut > 0 {
		s += fmt.Sprintf(", %d left out", v.LeftOut)
	}
	return s + "."
}

// toneOf is how a person should take an outcome.
func toneOf(o gate.Outcome, p gate.Policy) Tone {
	switch {
	case o == gate.Pass:
		return Good
	case o == gate.Inconclusive && p != gate.Strict:
		return Caution
	}
	return Bad
}

// rulesTable has a row for each rule, in words.
func rulesTable(v *gate.Verdict) *Table {
	t := &Table{ID: "rules", Columns: Columns("rule", "outcome", "what was found")}
	for i := range v.Rules {
		r := &v.Rules[i]
		t.Add(Code(r.Rule), String(string(r.Outcome)).Toned(toneOf(r.Outcome, v.Policy)), String(r.Reason))
	}
	return t
}

// numbersTable is the same in numbers.
func numbersTable(v *gate.Verdict) *Table {
	t := &Table{ID: "numbers", Detail: true, Caption: "The numbers behind the rules", Columns: Columns("rule", "baseline", "candidate", "held against the limit", "p", "n", "detectable", "queries needed")}
	for i := range v.Rules {
		r := &v.Rules[i]
		value := func(x *float64) Cell {
			switch {
			case x == nil:
				return Unknown
			case r.Unit == "":
				return Score(*x, nil)
			}
			return Millis(*x, nil)
		}
		found := Unknown
		if r.Estimate != nil {
			switch r.Unit {
			case "":
				found = Score(*r.Estimate, r.Interval)
			case "%":
				found = DeltaShare(*r.Estimate, r.Interval)
			default:
				found = Millis(*r.Estimate, r.Interval)
			}
		}
		p, needed := Unknown, Unknown
		if r.PHolm != nil {
			p = P(*r.PHolm)
		}
		if r.Needed != nil {
			needed = Count(*r.Needed)
		}
		t.Add(Code(r.Rule), value(r.Baseline), value(r.Candidate), found, p, Count(r.N), scoreOf(r.MDD), needed)
	}
	return t
}

func gateChanges(v *gate.Verdict) Section {
	if v.Baseline == nil || len(v.Changes) == 0 {
		return Section{}
	}
	t := &Table{ID: "changes", Caption: "What changed since the baseline", Columns: Columns("key", "baseline", "candidate"), Total: len(v.Changes)}
	for _, c := range v.Changes[:min(shownChanges, len(v.Changes))] {
		t.Add(Code(c.Key), String(shorten(c.From)), String(shorten(c.To)))
	}
	return Section{ID: "changes", Title: "What changed", Blocks: []Block{t}}
}

// lost are the queries that lost most, in short.
func lost(v *gate.Verdict) Section {
	if v.Baseline == nil || len(v.Moves) == 0 {
		return Section{}
	}
	blocks := movesOf(v.Moves[:min(shownLost, len(v.Moves))], v.Baseline.Name, v.Candidate.Name, v.Headline)
	for _, b := range blocks {
		q := b.(*Query)
		for i := range q.Rankings {
			r := &q.Rankings[i]
			cut := max(0, len(r.Hits)-shownLostHits)
			r.Omitted += cut
			r.Hits = r.Hits[:len(r.Hits)-cut]
		}
	}
	return Section{ID: "lost", Title: "Queries that lost most", Detail: true, Blocks: blocks}
}
