package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/label"
)

type agreeOptions struct {
	*app
	next int
}

func newAgree(a *app) *cobra.Command {
	o := &agreeOptions{app: a}
	cmd := &cobra.Command{
		Use:   "agree [RUN...]",
		Short: "How far people and judges agree, and what that makes of the numbers",
		Long: `Compares every two raters over what both graded: Cohen's kappa, plain, quadratic and for
relevant or not, Krippendorff's alpha, and the confusion matrix, each with its interval.
What is found of a judge goes onto its card, testset/judge_cards.jsonl. Numbers that
rest on a judge without a card, or with a lower bound of kappa (relevant or not) under
judge.min_kappa, say so and pass no gate.

With some labels by people and many by a judge, the means of the runs named (default:
the newest of every system) are printed as people see them, as the judge sees them, and
by prediction-powered inference, which corrects the judge by what people said.

--next proposes what people should grade next; it does not say why, so that nobody is
led. ` + "`assay label`" + ` asks in that order.`,
		Example: "assay agree\nassay agree last last~1\nassay agree --next 20",
		Args:    cobra.ArbitraryArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	cmd.Flags().IntVar(&o.next, "next", 0, "propose `N` passages for people to grade next")
	return cmd
}

type agreeDocument struct {
	Schema string `json:"schema"`
	*label.Agreement
	Cards    []cardView         `json:"cards,omitempty"`
	Powered  []project.Powered  `json:"means,omitempty"`
	Next     []project.Proposal `json:"next,omitempty"`
	Warnings []assay.Warning    `json:"warnings,omitempty"`
}

// cardView is a judge's card with what follows from it.
type cardView struct {
	label.Card
	// Doubt is why numbers on its labels pass no gate; absent when they may.
	Doubt string `json:"doubt,omitempty"`
}

func (o *agreeOptions) run(ctx context.Context, runs []string) error {
	if o.next < 0 {
		return assay.Usagef("--next %d: it must be at least 0", o.next)
	}
	p, err := o.open()
	if err != nil {
		return err
	}
	defer p.Close()
	doc := &agreeDocument{Schema: "assay/agree/v1"}
	var cards label.Cards
	if doc.Agreement, cards, err = p.Agree(ctx); err != nil {
		return err
	}
	for _, name := range cards.Names() {
		doubt := cards.Doubt(name, p.Config.Judge.MinKappa)
		doc.Cards = append(doc.Cards, cardView{*cards[name], doubt})
		if doubt != "" {
			doc.Warnings = append(doc.Warnings, assay.Warning{Code: assay.WarnUncalibratedJudge, Text: fmt.Sprintf("numbers on labels of the judge %s pass no gate: %s", name, doubt)})
		}
	}
	if len(doc.Pairs) > 0 {
		if doc.Powered, err = powered(ctx, p, runs); err != nil {
			return err
		}
	}
	if o.next > 0 {
		if doc.Next, err = p.Next(ctx, o.next); err != nil {
			return err
		}
	}
	if o.json {
		return o.writeJSON(doc)
	}
	return doc.write(o.app)
}

// powered are the means by people and judges, none when there is no run yet and none was asked for.
func powered(ctx context.Context, p *project.Project, runs []string) ([]project.Powered, error) {
	if found, _ := p.Runs().List(); len(runs) == 0 && len(found) == 0 {
		return nil, nil
	}
	return p.Powered(ctx, runs)
}
