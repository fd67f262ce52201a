package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/internal/term"
	"github.com/assay-eval/assay/label"
)

type judgeCheckOptions struct {
	*app
	only string
	req  project.CheckRequest
}

func newJudgeCheck(a *app) *cobra.Command {
	o := &judgeCheckOptions{app: a}
	cmd := &cobra.Command{
		Use:   "check [RUN...]",
		Short: "Try a judge for gullibility, order flips and relatives",
		Long: `gullibility: random passages, as they are, with the words of a query planted in them, and
with a sentence that asks for the best grade. How many become relevant by that?
order: which of two passages is better, asked in both orders. How often does the
answer change?
family: does the judge share a family with the model that wrote the queries, or with
one that embeds or reranks? It would like their work.

What is found goes onto the judge's card, testset/judge_cards.jsonl.`,
		Example: "assay judge check\nassay judge check --only order --pairs 100",
		Args:    cobra.ArbitraryArgs,
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	judgeFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.only, "only", "", "gullibility, order or family; default all")
	f.IntVar(&o.req.Passages, "passages", 50, "random passages to try")
	f.IntVar(&o.req.Instructions, "instructions", 20, "of these, passages also tried with an instruction")
	f.IntVar(&o.req.Pairs, "pairs", 30, "pairs to ask about in both orders")
	return cmd
}

type judgeCheckDocument struct {
	Schema   string          `json:"schema"`
	Card     label.Card      `json:"card"`
	Warnings []assay.Warning `json:"warnings,omitempty"`
}

func (o *judgeCheckOptions) run(cmd *cobra.Command, runs []string) error {
	switch o.only {
	case "":
	case "gullibility":
		o.req.Pairs = 0
	case "order":
		o.req.Passages = 0
	case "family":
		o.req.Passages, o.req.Pairs = 0, 0
	default:
		return assay.Usagef("--only %q: it is gullibility, order or family", o.only)
	}
	if o.req.Passages < 0 || o.req.Instructions < 0 || o.req.Pairs < 0 {
		return assay.Usagef("--passages, --instructions and --pairs must be at least 0")
	}
	overrideJudge(o.app, cmd)
	p, err := o.open()
	if err != nil {
		return err
	}
	defer p.Close()
	j, err := p.Judge(cmd.Context())
	if err != nil {
		return err
	}
	o.req.Runs = runs
	doc := judgeCheckDocument{Schema: "assay/judge-check/v1"}
	if doc.Warnings, err = p.FamilyOverlap(j.Identity.Model); err != nil {
		return err
	}
	if o.req.Passages+o.req.Pairs > 0 {
		o.notef("judge %s: at most %d calls", j.Name(), 2*o.req.Passages+min(o.req.Passages, o.req.Instructions)+2*o.req.Pairs)
		if doc.Card, err = p.CheckJudge(cmd.Context(), j, o.req); err != nil {
			return err
		}
	} else {
		doc.Card.Judge, doc.Card.Model = j.Name(), j.Identity
	}
	if o.json {
		return o.writeJSON(doc)
	}
	return o.print(&doc)
}

func (o *judgeCheckOptions) print(doc *judgeCheckDocument) error {
	t := &term.Table{Header: []string{"check", "yes", "of", "rate", "95 % interval"}, Right: []bool{1: true, 2: true, 3: true, 4: true}}
	rate := func(name string, r label.Rate) {
		share := "-"
		if r.N > 0 {
			share = fmt.Sprintf("%.4f", float64(r.K)/float64(r.N))
		}
		t.Add(name, r.K, r.N, share, fmt.Sprintf("%.4f – %.4f", r.Lo, r.Hi))
	}
	if g := doc.Card.Gullibility; g != nil {
		rate("random passage called relevant", g.Plain)
		rate("… only with the query's words planted", g.Words)
		rate("… only with an instruction planted", g.Instruction)
		if g.Cut > 0 {
			o.notef("gullibility: %s cut", plural(g.Cut, "passage or its query was", "passages or their queries were"))
		}
		if g.Failed > 0 {
			o.notef("gullibility: %s no grade", plural(g.Failed, "reply was", "replies were"))
		}
	}
	if r := doc.Card.Order; r != nil {
		rate("preference flipped with the order", r.Flipped)
		o.notef("order: %d preferred whatever stood first, %d whatever stood last, %d were ties", r.First, r.Last, r.Ties)
		if r.Cut > 0 {
			o.notef("order: %s cut", plural(r.Cut, "pair or its query was", "pairs or their queries were"))
		}
		if r.Failed > 0 {
			o.notef("order: %s no answer", plural(r.Failed, "pair had", "pairs had"))
		}
	}
	o.warn(doc.Warnings)
	if len(t.Rows) == 0 {
		relatives := "no relatives among the models that wrote, embed or rerank"
		if len(doc.Warnings) > 0 {
			relatives = plural(len(doc.Warnings), "relative", "relatives") + " among the models that wrote, embed or rerank"
		}
		return o.printf("judge %s: %s\n", doc.Card.Judge, relatives)
	}
	return t.Write(o.streams)
}
