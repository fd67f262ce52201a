package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/internal/term"
)

type queryDetail struct {
	Schema  string        `json:"schema"`
	Query   assay.Query   `json:"query"`
	Passage string        `json:"passage,omitempty"` // text of the chunk it was written from, as it is now
	Labels  []assay.Label `json:"labels"`            // that count
}

// show prints one query with all that is known of it.
func (o *queriesOptions) show(ctx context.Context, id string) error {
	p, err := o.open()
	if err != nil {
		return err
	}
	defer p.Close()
	set, err := p.Testset()
	if err != nil {
		return err
	}
	q, err := findQuery(set, id)
	if err != nil {
		return err
	}
	doc := queryDetail{Schema: "assay/query-detail/v1", Query: q, Labels: append([]assay.Label{}, set.Labels(q.ID)...)}
	if doc.Passage, err = o.passage(ctx, p, &q); err != nil {
		return err
	}
	if o.json {
		return o.writeJSON(doc)
	}
	return o.printf("%s", detail(&doc))
}

// passage is the text of the chunk that a query was written from; "" when there is none, or none any more.
func (o *queriesOptions) passage(ctx context.Context, p *project.Project, q *assay.Query) (string, error) {
	if q.Origin == nil || q.Origin.Chunk == "" {
		return "", nil
	}
	lookup, err := p.Lookup(ctx, o.against)
	if err != nil || lookup == nil {
		return "", err
	}
	chunk, _ := lookup.Lookup(q.Origin.Chunk)
	return chunk.Text, nil
}

// detail renders a query for people. Nothing of it is trusted: control characters are shown as marks.
func detail(d *queryDetail) string {
	var b strings.Builder
	q := &d.Query
	line := func(name, format string, args ...any) {
		if text := fmt.Sprintf(format, args...); text != "" {
			fmt.Fprintf(&b, "%-9s %s\n", name, term.Printable(text))
		}
	}
	line("id", "%s", q.ID)
	line("query", "%s", q.Text)
	line("filter", "%s", q.Filter.String())
	line("tags", "%s", strings.Join(q.Tags, ", "))
	if g := q.Origin; g != nil {
		line("origin", "%s", strings.Join(strings.Fields(strings.Join([]string{origin(q), g.Model, g.Language, g.Topic, g.Source}, " ")), " "))
		line("source", "%s", cmp.Or(g.Chunk, g.Document))
		line("passed", "%s", strings.Join(g.Passed, ", "))
	}
	if l := q.Leakage; l != nil {
		line("leakage", "%s of its content words are in the source; %d in a row", percent(l.ContentCoverage), l.LongestSharedNgram)
	}
	for _, l := range d.Labels {
		t := l.Target
		line("label", "grade %d by %s: %s", l.Grade, strings.Join(strings.Fields(string(l.By)+" "+l.Who), " "), cmp.Or(t.Chunk, t.Document, "a quote"))
	}
	if q.Evidence != nil {
		line("evidence", "%s", q.Evidence.Quote)
	}
	if d.Passage != "" {
		b.WriteString("passage\n")
		for text := range strings.Lines(d.Passage) {
			fmt.Fprintf(&b, "  %s\n", term.Printable(strings.TrimRight(text, "\r\n")))
		}
	}
	return b.String()
}
