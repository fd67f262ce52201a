package cli

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/internal/term"
	"github.com/assay-eval/assay/label"
	"github.com/assay-eval/assay/stats"
)

func (d *agreeDocument) write(a *app) error {
	if err := d.writeRaters(a); err != nil {
		return err
	}
	pairs := append(d.shown(), d.Self...)
	if len(pairs) == 0 {
		a.notef("no two raters graded the same passage, so there is nothing to compare; `assay label` lets people grade, `assay judge` a model")
	}
	if len(pairs) > 0 {
		if err := writePairs(a, pairs); err != nil {
			return err
		}
	}
	if d.People != nil {
		if err := a.printf("\nalpha of all people\t%s\t%s\n", d.People.Short(), plural(d.People.Items, "item", "items")); err != nil {
			return err
		}
	}
	for i := range pairs {
		if err := writeConfusion(a, &pairs[i]); err != nil {
			return err
		}
	}
	for i := range d.Cards {
		d.Cards[i].note(a)
	}
	if err := writePowered(a, d.Powered); err != nil {
		return err
	}
	a.warn(d.Warnings)
	return writeNext(a, d.Next)
}

func (d *agreeDocument) writeRaters(a *app) error {
	t := &term.Table{Header: []string{"rater", "kind", "items", "0", "1", "2", "3", "mean"}, Right: []bool{2: true, 3: true, 4: true, 5: true, 6: true, 7: true}}
	for _, r := range d.Raters {
		t.Add(r.String(), r.By, r.Items, r.Grades[0], r.Grades[1], r.Grades[2], r.Grades[3], fmt.Sprintf("%.2f", r.Mean))
	}
	return t.Write(a.streams)
}

// shown are the pairs without those of the one person there is, who is the same as people.
func (d *agreeDocument) shown() []label.Pair {
	people := 0
	for _, r := range d.Raters {
		if r.By == assay.ByHuman {
			people++
		}
	}
	return slices.DeleteFunc(slices.Clone(d.Pairs), func(p label.Pair) bool {
		return people == 1 && p.A.By == assay.ByHuman && p.A != label.People && p.B.By == assay.ByJudge
	})
}

func writePairs(a *app, pairs []label.Pair) error {
	t := &term.Table{Header: []string{"raters", "items", "kappa", "quadratic", "relevant or not", "alpha"}, Right: []bool{1: true, 2: true, 3: true, 4: true, 5: true}}
	weighted := false
	for _, p := range pairs {
		t.Add(pairName(&p), p.Items, p.Kappa.Short(), p.Quadratic.Short(), p.Binary.Short(), p.Alpha.Short())
		weighted = weighted || p.Weighted
	}
	if err := a.printf("\n"); err != nil {
		return err
	}
	if err := t.Write(a.streams); err != nil {
		return err
	}
	a.notef("intervals are at 95 %%, over queries; kappa is Cohen's, alpha Krippendorff's for ordered grades")
	for _, p := range pairs {
		for _, w := range p.Binary.Warnings {
			a.notef("%s: %s", term.Printable(pairName(&p)), w.Message)
		}
	}
	if weighted {
		a.notef("against a judge, items are weighted so that its grades have their share among all that it graded")
	}
	return nil
}

func pairName(p *label.Pair) string {
	if p.A == p.B {
		return p.A.String() + ", asked again"
	}
	return p.A.String() + " – " + p.B.String()
}

// writeConfusion prints how often A (rows) and B (columns) gave which grades.
func writeConfusion(a *app, p *label.Pair) error {
	t := &term.Table{Header: []string{pairName(p), "0", "1", "2", "3"}, Right: []bool{1: true, 2: true, 3: true, 4: true}}
	for g, row := range p.Confusion {
		t.Add(g, row[0], row[1], row[2], row[3])
	}
	if err := a.printf("\n"); err != nil {
		return err
	}
	return t.Write(a.streams)
}

// note says in words what a card holds.
func (c *cardView) note(a *app) {
	if c.Human == nil {
		return
	}
	name := term.Printable(c.Judge)
	called, both := c.Human.Positives()
	a.notef("judge %s: mean grade %.2f where people gave %.2f; of %d it calls relevant people call %d so", name, c.Human.MeanB, c.Human.MeanA, called, both)
	if g := c.Gullibility; g != nil {
		a.notef("judge %s: fooled by planted query words in %d of %d, by a planted instruction in %d of %d", name, g.Words.K, g.Words.N, g.Instruction.K, g.Instruction.N)
	}
	if o := c.Order; o != nil {
		a.notef("judge %s: preference flipped with the order in %d of %d pairs", name, o.Flipped.K, o.Flipped.N)
	}
}

// writePowered prints the means side by side.
func writePowered(a *app, rows []project.Powered) error {
	if len(rows) == 0 {
		return nil
	}
	t := &term.Table{Header: []string{"system", "measure", "people", "n", "judge", "n", "both", "correlation", "worth n people"},
		Right: []bool{2: true, 3: true, 4: true, 5: true, 6: true, 7: true, 8: true}}
	few := 0
	said := map[string]bool{}
	for _, r := range rows {
		people, both, rho, worth, judged := "-", "-", "-", "-", "-"
		if r.Judged != nil {
			judged = mean(r.Judged.Mean, r.Judged.Interval)
		}
		if p := r.PPI; p != nil {
			people, both = mean(p.HumanOnly.Mean, p.HumanOnly.Interval), mean(p.Mean, p.Interval)
			worth = fmt.Sprintf("%.0f", p.NEff)
			if p.Rho != nil {
				rho = fmt.Sprintf("%.2f", *p.Rho)
			}
			for _, w := range p.Warnings {
				if text := r.System + " " + r.Measure + ": " + w.Message; !said[text] {
					said[text] = true
					defer a.notef("%s", text)
				}
			}
		} else {
			few++
		}
		t.Add(r.System, r.Measure, people, r.Humans, judged, r.ByJudge, both, rho, worth)
	}
	if few == len(rows) && !slices.ContainsFunc(rows, func(r project.Powered) bool { return r.Judged != nil }) {
		a.notef("neither people nor a judge have judged the top hits of any query: there are no means to put side by side")
		return nil
	}
	if err := a.printf("\n"); err != nil {
		return err
	}
	if err := t.Write(a.streams); err != nil {
		return err
	}
	if few > 0 {
		a.notef("people have judged the top hits of fewer than 3 queries in %d of %d rows: nothing can be combined there", few, len(rows))
	}
	return nil
}

func mean(value float64, i stats.Interval) string {
	return fmt.Sprintf("%.4f [%.4f, %.4f]", value, i.Lo, i.Hi)
}

func writeNext(a *app, next []project.Proposal) error {
	if len(next) == 0 {
		return nil
	}
	t := &term.Table{Header: []string{"query", "text", "passage"}}
	for _, n := range next {
		place := cmp.Or(n.Target.Document, n.Target.Chunk)
		if n.Target.Anchored() {
			place += "#" + n.Target.Span().String()
		}
		t.Add(n.Query, term.Shorten(n.Text, 60), place)
	}
	if err := a.printf("\n"); err != nil {
		return err
	}
	return t.Write(a.streams)
}
