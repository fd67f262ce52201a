package cli

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/internal/term"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/testset"
)

type reportOptions struct {
	*app
	system string
	worst  int
	by     []string
}

func newReport(a *app) *cobra.Command {
	o := &reportOptions{app: a}
	cmd := &cobra.Command{
		Use:   "report [RUN]",
		Short: "One run explained: measures, latencies, the worst queries",
		Long: `Scores a run with the labels as they are now, says where that differs from what was
recorded, and shows the queries it did worst on with what came back instead. RUN is an
id, a unique beginning of one, a name, last (the default) or last~1.`,
		Example: "assay report last --system docs_v3\nassay report --by filter,selectivity,leakage",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), append(args, "last")[0])
		},
	}
	cmd.Flags().StringVar(&o.system, "system", "", "only runs of this `system`")
	cmd.Flags().StringSliceVar(&o.by, "by", nil, "split the means by these `facets`: filter, selectivity, style, language, topic, length, leakage, origin, tag, or all")
	cmd.Flags().IntVar(&o.worst, "worst", 10, "how many of the worst queries to show")
	return cmd
}

type reportDocument struct {
	Schema   string       `json:"schema"`
	Run      runView      `json:"run"`
	Recorded []difference `json:"differs_from_recorded,omitempty"`
	Worst    []worstQuery `json:"worst"`
}

// difference is a recorded number that no longer holds.
type difference struct {
	Measure  string  `json:"measure"`
	Recorded float64 `json:"recorded"`
	Now      float64 `json:"now"`
}

// worstQuery is a query with its score and what came back at the top.
type worstQuery struct {
	Query string            `json:"query"`
	Text  string            `json:"text"`
	Value float64           `json:"value"`
	First int               `json:"first_relevant_rank,omitempty"` // absent when none was found
	Gold  []string          `json:"gold"`
	Hits  []assay.RankedHit `json:"hits"`

	top string // text of the first hit
}

func (o *reportOptions) run(ctx context.Context, ref string) error {
	if o.worst < 0 {
		return assay.Usagef("--worst %d: it must be at least 0", o.worst)
	}
	facets, err := facetsOf(o.by)
	if err != nil {
		return err
	}
	p, err := o.open()
	if err != nil {
		return err
	}
	defer p.Close()
	run, err := p.Runs().Find(ref, o.system)
	if err != nil {
		return err
	}
	set, err := p.Testset()
	if err != nil {
		return err
	}
	scored, err := p.Score(ctx, run, set)
	if err != nil {
		return err
	}
	doc := reportDocument{Schema: "assay/report/v1", Run: newRunView(&run.Info, scored), Recorded: changed(p, run, scored)}
	if len(o.by) > 0 {
		if err := doc.Run.split(&run.Info, set, scored, facets); err != nil {
			return err
		}
	}
	if doc.Worst, err = worst(run, set, scored, o.worst); err != nil {
		return err
	}
	if o.json {
		return o.writeJSON(doc)
	}
	return o.print(doc, scored)
}

// changed lists the recorded means that today's labels no longer give.
func changed(p *project.Project, run *ledger.Run, s *score.Scored) []difference {
	var last *ledger.Record
	for r, err := range p.History().All() {
		if err == nil && r.Run == run.Info.ID {
			last = &r
		}
	}
	if last == nil {
		return nil
	}
	var out []difference
	for _, m := range s.Means {
		if was, ok := last.Metrics[m.Measure]; ok && m.Scored > 0 && math.Abs(was-m.Value) > 1e-9 {
			out = append(out, difference{m.Measure, was, m.Value})
		}
	}
	return out
}

// worst finds the queries with the lowest value of the first measure, those without any relevant hit and
// then the ones that found it latest first.
func worst(run *ledger.Run, set *testset.Set, s *score.Scored, n int) ([]worstQuery, error) {
	queries := slices.DeleteFunc(slices.Clone(s.Queries), func(q score.Query) bool { return !q.Status.Scored() || math.IsNaN(q.Values[0]) })
	slices.SortStableFunc(queries, func(a, b score.Query) int {
		late := func(q score.Query) int {
			if q.First == 0 {
				return math.MaxInt
			}
			return q.First
		}
		return cmp.Or(cmp.Compare(a.Values[0], b.Values[0]), cmp.Compare(late(b), late(a)), cmp.Compare(a.ID, b.ID))
	})
	queries = queries[:min(n, len(queries))]
	place := map[string]int{}
	out := make([]worstQuery, len(queries))
	for i, q := range queries {
		query, _ := set.Query(q.ID)
		place[q.ID] = i
		out[i] = worstQuery{Query: q.ID, Text: query.Text, Value: q.Values[0], First: q.First, Gold: goldNames(set, q.ID), Hits: []assay.RankedHit{}}
	}
	texts := run.Texts()
	for res, err := range run.Results() {
		if err != nil {
			return nil, err
		}
		if i, ok := place[res.Query]; ok && len(res.Hits) > 0 {
			out[i].Hits = res.Hits
			out[i].top, _ = texts.Text(res.Hits[0].TextHash)
		}
	}
	return out, texts.Err()
}

// goldNames are short names of what is relevant to a query.
func goldNames(set *testset.Set, query string) []string {
	out := []string{}
	for _, l := range set.Labels(query) {
		if l.Grade < assay.RelevantGrade {
			continue
		}
		t := l.Target
		switch {
		case t.Quote != "":
			out = append(out, fmt.Sprintf("%s: %q", cmp.Or(t.Document, t.Chunk), term.Shorten(t.Quote, 80)))
		default:
			out = append(out, cmp.Or(t.Chunk, t.Document))
		}
	}
	return out
}

func (o *reportOptions) print(doc reportDocument, s *score.Scored) error {
	if err := doc.Run.write(o.app); err != nil {
		return err
	}
	for _, d := range doc.Recorded {
		o.notef("%s was recorded as %.4f and is %.4f with today's labels; `assay rescore` records it anew", d.Measure, d.Recorded, d.Now)
	}
	if len(doc.Worst) == 0 || s.Means[0].Scored == 0 {
		return nil
	}
	if err := o.printf("worst by %s\n", s.Means[0].Measure); err != nil {
		return err
	}
	t := &term.Table{Header: []string{"value", "first", "query", "wanted", "got at rank 1"}, Right: []bool{true, true}}
	for _, w := range doc.Worst {
		first, top, gold := "-", "nothing", "-"
		if w.First > 0 {
			first = fmt.Sprint(w.First)
		}
		if len(w.Hits) > 0 {
			top = w.Hits[0].ID + " " + term.Shorten(w.top, 60)
		}
		if len(w.Gold) > 0 {
			gold = term.Shorten(w.Gold[0], 60)
		}
		t.Add(fmt.Sprintf("%.4f", w.Value), first, term.Shorten(w.Text, 50), gold, term.Shorten(top, 60))
	}
	return t.Write(o.streams)
}
