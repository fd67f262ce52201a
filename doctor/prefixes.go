package doctor

import (
	"context"
	"fmt"
	"strings"
)

var prefixes = Check{
	Name:   "prefix",
	Asks:   "does a model that was trained with task prefixes get them, on the right sides, and what are they worth on this data?",
	Effect: "questions and passages are taken for the same kind of text: similar wording wins over right answers",
	Of:     "embedding models",
	run: func(ctx context.Context, x *exam) error {
		return x.models(ctx, Embeds, x.prefix)
	},
}

func (x *exam) prefix(ctx context.Context, m *Model) Finding {
	if m.Trained == nil {
		return healthy("%s is not known to need any", m.Served)
	}
	wrong := m.wrongPrefix()
	if wrong == "" {
		if f, ok := x.blank(ctx, m); ok {
			return f
		}
		return healthy("%s has those it was trained with", m.Served)
	}
	f := Finding{Status: Warning, Cause: wrong, Fix: x.mendPrefix(ctx, m)}
	f.Found = fmt.Sprintf("%s was trained with query_prefix %q and document_prefix %q, and has %q and %q", m.Served, m.Trained.query(), m.Trained.Document, m.Query, m.Document)
	if m.Trained.Optional {
		f.Found += "; it does nearly as well without"
	}
	s := x.uses(m)
	if s == nil {
		f.Found += "; not measured: no system with it can list its chunks"
		return f
	}
	p, err := x.pairs(ctx, s)
	if err != nil {
		f.Found += "; not measured: " + firstLine(err)
		return f
	}
	as, err := x.rank(ctx, m, p, m.Query, m.Document)
	if err == nil {
		var with ranked
		if with, err = x.rank(ctx, m, p, m.Trained.query(), m.Trained.Document); err == nil {
			f.measured(p, as, with)
			if with.mrr > as.mrr && !m.Trained.Optional {
				f.Status = Fault
			}
			return f
		}
	}
	f.Found += "; not measured: " + firstLine(err)
	return f
}

// measured puts what the prefixes are worth into the finding.
func (f *Finding) measured(p *pairing, as, with ranked) {
	f.Figures = map[string]float64{"pairs": float64(len(p.pairs)), "passages": float64(len(p.passages())),
		"mrr": as.mrr, "mrr_with_prefixes": with.mrr, "margin": as.margin, "margin_with_prefixes": with.margin}
	f.Found += fmt.Sprintf("; on %s the mean reciprocal rank is %.3f, and %.3f with them (margin of the cosine %+.3f, %+.3f)",
		p.what(), as.mrr, with.mrr, as.margin, with.margin)
	if with.mrr <= as.mrr {
		f.Effect = "none that these pairs show: they may be too easy, or the name does not say what the model is"
	}
}

// wrongPrefix says what is wrong with the prefixes of a model: "missing", "swapped", "other" or "".
func (m *Model) wrongPrefix() string {
	t := m.Trained
	query, document := fitsPrefix(m.Query, t.Query), fitsPrefix(m.Document, t.Document)
	switch {
	case query && document:
		return ""
	case t.Document != "" && fitsPrefix(m.Query, t.Document) && fitsPrefix(m.Document, t.Query):
		return "swapped"
	case !query && m.Query == "", !document && m.Document == "":
		return "missing"
	}
	return "other"
}

// fitsPrefix compares a configured prefix with that of the training, in which {task} stands for any text.
// Blanks at the ends do not matter to most tokenizers, which blank finds out.
func fitsPrefix(have, trained string) bool {
	have, trained = strings.TrimSpace(have), strings.TrimSpace(trained)
	before, after, task := strings.Cut(trained, taskMark)
	if !task {
		return have == trained
	}
	return len(have) > len(before)+len(after) && strings.HasPrefix(have, before) && strings.HasSuffix(have, after)
}

// mendPrefix is the line to write, and whether the index must be made again, which its vectors tell.
func (x *exam) mendPrefix(ctx context.Context, m *Model) string {
	t := m.Trained
	var lines []string
	if !fitsPrefix(m.Query, t.Query) {
		lines = append(lines, fmt.Sprintf("query_prefix: %q", t.query()))
	}
	if !fitsPrefix(m.Document, t.Document) {
		lines = append(lines, fmt.Sprintf("document_prefix: %q", t.Document))
	}
	fix := fmt.Sprintf("%s (in models.%s)", strings.Join(lines, ", "), m.Name)
	for _, s := range x.setup.Systems {
		if s.Embed != m || s.Embedded || x.down[s.subject()] || fitsPrefix(m.Document, t.Document) {
			continue
		}
		c, err := x.compareStored(ctx, s)
		switch {
		case err != nil:
		case len(c.off) == 0:
			fix += fmt.Sprintf(", and embed the chunks of %s again with it: they were embedded without", s.named())
		case c.made != nil && fitsPrefix(c.made.prefix, t.Document):
			fix += fmt.Sprintf("; %s is already embedded like that", s.named())
		}
	}
	return fix
}
