package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/term"
)

type searchOptions struct {
	*app
	k      int
	filter string
}

func newSearch(a *app) *cobra.Command {
	o := &searchOptions{app: a}
	cmd := &cobra.Command{
		Use:     "search SYSTEM TEXT",
		Short:   "One query through one system: hits with text and timings",
		Long:    "Sends one query to a system of the configuration and prints what came back, to see that it is wired up right before anything is measured.",
		Example: `assay search docs_v3 "how long are backups kept"`,
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("k") && (o.k < 1 || o.k > config.MaxK) {
				return assay.Usagef("-k %d: a list has from 1 to %d hits", o.k, config.MaxK)
			}
			return o.run(cmd.Context(), args[0], args[1])
		},
	}
	cmd.Flags().IntVarP(&o.k, "k", "k", 0, "length of the list; the system's own when not given")
	cmd.Flags().StringVar(&o.filter, "filter", "", "neutral `filter`; see assay help filters")
	return cmd
}

type searchDocument struct {
	Schema  string        `json:"schema"`
	System  string        `json:"system"`
	Query   string        `json:"query"`
	Hits    []assay.Hit   `json:"hits"`
	Timings assay.Timings `json:"timings_ms"`
	Notes   []assay.Note  `json:"notes,omitempty"`
}

func (o *searchOptions) run(ctx context.Context, system, text string) error {
	filter, err := parseFilter(o.filter)
	if err != nil {
		return err
	}
	if strings.TrimSpace(text) == "" {
		return assay.Usagef("the query has no text")
	}
	p, err := o.open()
	if err != nil {
		return err
	}
	defer p.Close()
	if _, err := chooseSystems(p, []string{system}); err != nil {
		return err
	}
	// A scope of its own, so that the time of the embedding is measured and not that of the cache.
	s, err := p.System(ctx, system, fmt.Sprintf("search %d", time.Now().UnixNano()))
	if err != nil {
		return err
	}
	resp, err := s.Search(ctx, assay.Request{Text: text, Filter: filter, K: o.k})
	if err != nil {
		return err
	}
	if o.json {
		hits := resp.Hits
		if hits == nil {
			hits = []assay.Hit{}
		}
		return o.writeJSON(searchDocument{"assay/search/v1", system, text, hits, resp.Timings, resp.Notes})
	}
	return o.print(resp)
}

func (o *searchOptions) print(resp assay.Response) error {
	width := 72
	if o.streams.Width > 0 {
		width = max(20, o.streams.Width-48)
	}
	t := &term.Table{Header: []string{"rank", "score", "id", "text"}, Right: []bool{true, true}}
	for i, h := range resp.Hits {
		t.Add(i+1, fmt.Sprintf("%.4f", h.Score), h.ID, term.Shorten(h.Text, width))
	}
	if len(resp.Hits) == 0 {
		o.notef("nothing was found")
	} else if err := t.Write(o.streams); err != nil {
		return err
	}
	line := ""
	for _, s := range resp.Timings.Stages() {
		if s.Time > 0 {
			line += fmt.Sprintf("  %s %s ms", s.Name, millis(assay.Millis(s.Time)))
		}
	}
	o.notef("%s%s", plural(len(resp.Hits), "hit", "hits"), line)
	for _, n := range resp.Notes {
		o.notef("note: %s (%d)", n.Code, n.Count)
	}
	return nil
}
