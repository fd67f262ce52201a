package score

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/stats"
)

// doubts collects warnings.
type doubts []assay.Warning

func (d *doubts) add(when bool, code, format string, args ...any) {
	if when {
		*d = append(*d, assay.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
	}
}

// tally counts queries with something to say, and keeps the first.
type tally struct {
	n     int
	first string
}

func (t *tally) count(when bool, what string) {
	if !when {
		return
	}
	if t.n == 0 {
		t.first = what
	}
	t.n++
}

// tallies are the doubts that are counted query by query.
type tallies struct {
	short, unindexed, disordered, unknown, sparse                tally
	stale, broken, duplicates, otherText, shared, wide, relevant int
	rawMatched, hits                                             int
}

// warnings lists every doubt about the numbers, the gravest first.
func (s *scorer) warnings(out *Scored) []assay.Warning {
	var d doubts
	t, c := &s.sums.tallies, &out.Counts
	d.add(c.Scored == 0, "nothing_scored", "no query was scored: %d failed, %d without label, %d with nothing relevant", c.Failed, c.Unlabelled, c.NoGold)
	d.add(c.Failed > 0, "failed_queries", "%d of %s failed (%s): no score, and in no mean", c.Failed, plural.Count(c.Queries, "query"), kinds(out.Failures))
	d.add(t.hits > 0 && out.Resolved.Matched() == 0 && t.rawMatched == 0, "id_mismatch",
		"no retrieved id matches any label id, nor does any text: retrieved %s; labels name %s", s.hitIDs, s.labelIDs)
	s.judges(&d, out)
	s.mismatches(&d, t, c)
	s.incomplete(&d, t, out)
	s.limits(&d, out)
	s.statistics(&d, out)
	return d
}

// mismatches are doubts that rankings and labels are about the same corpus.
func (s *scorer) mismatches(d *doubts, t *tallies, c *Counts) {
	d.add(t.unindexed.n > 0, "gold_not_indexed", "%s with gold that is not in the index, where no ranking can find it (first: %s)",
		plural.Count(t.unindexed.n, "query"), t.unindexed.first)
	d.add(t.otherText > 0, "text_changed", "%s had the key of a label but another text: the index or the labels are stale", plural.Count(t.otherText, "hit"))
	d.add(t.wide > 0, "wide_labels", "%.1f %% of the relevant passages (%d of %d) are wider than this index cuts: no single chunk covers three quarters of them, so no ranking "+
		"finds them and recall falls whatever the system does; measure span_recall@k, which joins chunks, or label narrower evidence",
		100*float64(t.wide)/float64(max(1, t.relevant)), t.wide, t.relevant)
	d.add(t.stale > 0, "stale_labels", "%s left out: the text is no longer in the document, or in several places", plural.Count(t.stale, "label"))
	d.add(t.broken > 0, "broken_text", "%s left out: raters called the text garbled", plural.Count(t.broken, "label"))
	d.add(t.unknown.n > 0, "unknown_queries", "%s not in the test set any more (first: %s)", plural.Count(t.unknown.n, "result of a query", "results of queries"), t.unknown.first)
	left := 0
	for q := range s.set.All() {
		if s.opts.Selected != nil && !s.opts.Selected(q) {
			continue
		}
		if _, ok := s.place[q.ID]; !ok && len(s.set.Labels(q.ID)) > 0 {
			left++
		}
	}
	d.add(left > 0, "not_run", "%s of the test set not run", plural.Count(left, "labelled query"))
	d.add(c.BadQuery > 0, "bad_queries", "%s not scored: called unclear or no real question by raters", plural.Count(c.BadQuery, "query"))
	d.add(c.NoGold > 0, "no_gold", "%s not scored: no label says relevant", plural.Count(c.NoGold, "labelled query"))
	d.add(c.Unlabelled > 0, "unlabelled", "%s without label: run, not scored", plural.Count(c.Unlabelled, "query"))
}

// incomplete are doubts about the rankings and the labels on them.
func (s *scorer) incomplete(d *doubts, t *tallies, out *Scored) {
	d.add(out.Counts.EmptyResults > 0, "empty_results", "%s retrieved nothing and scored 0", plural.Count(out.Counts.EmptyResults, "query"))
	d.add(t.short.n > 0, "short_lists", "%s got fewer than the %d hits asked for (first: %s)", plural.Count(t.short.n, "query"), s.opts.K, t.short.first)
	d.add(t.disordered.n > 0, "order_contradicts_scores", "%s not in the order of the scores: the order given was scored (first: %s)",
		plural.Count(t.disordered.n, "ranking"), t.disordered.first)
	d.add(t.duplicates > 0, "duplicate_ids", "%s taken out that repeated an id of the same list", plural.Count(t.duplicates, "hit"))
	for _, n := range out.Notes {
		// That a program was started is no doubt about a number: the n of the latencies shows what was not timed.
		d.add(n.Code != assay.NoteProgramStarted, n.Code, "systems reported %s: %d", strings.ReplaceAll(n.Code, "_", " "), n.Count)
	}
	d.add(out.Judged.Queries > 0 && out.Judged.Value < 1, "unjudged", "%.1f %% of the %s have no label and count as not relevant: scores are lower bounds",
		100*(1-out.Judged.Value), top(out.Judged.Depth))
	d.add(t.shared > 0, "shared_hits", "%s found in one hit together with another: recall counts all of them, measures with gains by rank (ndcg, p, map) one",
		plural.Count(t.shared, "gold item"))
	named := s.sparseSensitive()
	d.add(2*t.sparse.n > out.Counts.Scored && named != "", "sparse_labels",
		"%d of %s with one labelled passage only, where %s take every other good answer for wrong: read recall and mrr first",
		t.sparse.n, plural.Count(out.Counts.Scored, "query"), named)
}

// sparseSensitive names the measures that suffer most where one passage a query is labelled.
func (s *scorer) sparseSensitive() string {
	var names []string
	for _, m := range s.measures.Measures() {
		switch m.Definition().Name {
		case "p", "ndcg", "dcg", "map", "f1", "rprec", "bpref", "err", "rbp", "set_p", "infap":
			names = append(names, m.Name())
		}
	}
	return strings.Join(names, ", ")
}

// limits are bounds on what the numbers can say.
func (s *scorer) limits(d *doubts, out *Scored) {
	var beyond []string
	for _, m := range s.measures.Measures() {
		if k, ok := measure.Depth(m); ok && s.opts.K > 0 && k > s.opts.K {
			beyond = append(beyond, m.Name())
		}
	}
	d.add(len(beyond) > 0, "cutoff_beyond_k", "%s: look below the %s that the system was asked for", strings.Join(beyond, ", "), plural.Count(s.opts.K, "hit"))
	for _, m := range out.Means {
		d.add(m.Ceiling != nil && m.Scored > 0 && strings.HasPrefix(m.Measure, "recall"), "recall_ceiling",
			"%s cannot exceed %.4f here: queries have more relevant passages than ranks that are looked at", m.Measure, deref(m.Ceiling))
	}
	s.rawDiffers(d, out)
}

// rawDiffers says once where plain ids give another number, with all the numbers.
func (s *scorer) rawDiffers(d *doubts, out *Scored) {
	var text string
	for i, m := range out.Means {
		if i >= len(out.Raw) || m.Scored == 0 {
			continue
		}
		n := s.sums.differs[i]
		switch {
		case n == 0:
		case text == "":
			text = fmt.Sprintf("%s is %.4f by text and %.4f by plain chunk ids; they differ on %s", m.Measure, m.Value, out.Raw[i].Value, plural.Count(n, "query"))
		default:
			text += fmt.Sprintf("; %s %.4f and %.4f", m.Measure, m.Value, out.Raw[i].Value)
		}
	}
	d.add(text != "", "raw_differs", "%s", text)
}

// statistics passes on what the intervals say of themselves, once each.
func (s *scorer) statistics(d *doubts, out *Scored) {
	said := map[string]bool{}
	for _, m := range out.Means {
		if m.Summary == nil {
			continue
		}
		for _, w := range m.Summary.Warnings {
			text := w.Message
			if w.Kind == stats.WarnDegenerate {
				text = m.Measure + ": " + text
			}
			d.add(!said[text], string(w.Kind), "%s", text)
			said[text] = true
		}
	}
}

// top names the first hits of lists.
func top(n int) string {
	if n == 1 {
		return "first hits"
	}
	return fmt.Sprintf("top %d hits", n)
}

func kinds(failures []Failures) string {
	var out []string
	for _, f := range failures {
		out = append(out, fmt.Sprintf("%d %s", f.Count, f.Kind))
	}
	return strings.Join(out, ", ")
}

func deref(f *float64) float64 {
	if f == nil {
		return 0
	}
	return *f
}
