package score

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
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
	short, unindexed, disordered, unknown, sparse tally
	stale, broken, duplicates, otherText, shared  int
	rawMatched, hits                              int
}

func (s *scorer) tally() *tallies {
	t := &tallies{}
	for i := range s.queries {
		q := &s.queries[i]
		f := &q.facts
		t.unknown.count(!f.known, q.ID)
		t.stale += f.stale
		t.broken += f.broken
		if !q.Status.Scored() {
			continue
		}
		t.short.count(f.short, q.ID)
		t.unindexed.count(f.unindexed != "", fmt.Sprintf("query %s, %q", q.ID, f.unindexed))
		t.disordered.count(f.disordered, q.ID)
		t.sparse.count(f.sparse, q.ID)
		t.duplicates += f.duplicates
		t.otherText += f.otherText
		t.shared += f.shared
		t.rawMatched += f.rawMatched
		t.hits += q.Hits
	}
	return t
}

// warnings lists every doubt about the numbers, the gravest first.
func (s *scorer) warnings(out *Scored) []assay.Warning {
	var d doubts
	t, c := s.tally(), &out.Counts
	d.add(c.Scored == 0, "nothing_scored", "no query was scored: %d failed, %d have no label, %d have nothing relevant", c.Failed, c.Unlabelled, c.NoGold)
	d.add(c.Failed > 0, "failed_queries", "%d of %d queries failed (%s): they have no score and are in no mean", c.Failed, c.Queries, kinds(out.Failures))
	d.add(t.hits > 0 && out.Resolved.Matched() == 0 && t.rawMatched == 0, "id_mismatch",
		"no retrieved id matches any label id, nor does any text: retrieved %s; labels name %s", s.hitIDs, s.labelIDs)
	s.mismatches(&d, t, c)
	s.incomplete(&d, t, out)
	s.limits(&d, t, out)
	s.statistics(&d, out)
	return d
}

// mismatches are doubts that rankings and labels are about the same corpus.
func (s *scorer) mismatches(d *doubts, t *tallies, c *Counts) {
	d.add(t.unindexed.n > 0, "gold_not_indexed", "gold of %d queries is not in the index, so that no ranking can find it (first: %s)", t.unindexed.n, t.unindexed.first)
	d.add(t.otherText > 0, "text_changed", "%d hits have the key of a label but another text: the index or the labels are stale", t.otherText)
	d.add(t.stale > 0, "stale_labels", "%d labels were left out: their text is no longer in the document, or in several places", t.stale)
	d.add(t.broken > 0, "broken_text", "%d labels were left out: raters called their text garbled", t.broken)
	d.add(t.unknown.n > 0, "unknown_queries", "%d results are of queries that are not in the test set any more (first: %s)", t.unknown.n, t.unknown.first)
	left := 0
	for _, q := range s.set.Queries() {
		if _, ok := s.place[q.ID]; !ok && len(s.set.Labels(q.ID)) > 0 {
			left++
		}
	}
	d.add(left > 0, "not_run", "%d labelled queries of the test set were not run", left)
	d.add(c.BadQuery > 0, "bad_queries", "%d queries were not scored: raters called them unclear or not a real question", c.BadQuery)
	d.add(c.NoGold > 0, "no_gold", "%d labelled queries were not scored: nothing is relevant to them", c.NoGold)
	d.add(c.Unlabelled > 0, "unlabelled", "%d queries have no label: they were run and not scored", c.Unlabelled)
}

// incomplete are doubts about the rankings and the labels on them.
func (s *scorer) incomplete(d *doubts, t *tallies, out *Scored) {
	d.add(out.Counts.EmptyResults > 0, "empty_results", "%d queries retrieved nothing and score 0", out.Counts.EmptyResults)
	d.add(t.short.n > 0, "short_lists", "%d queries got fewer than the %d hits asked for (first: %s)", t.short.n, s.opts.K, t.short.first)
	d.add(t.disordered.n > 0, "order_contradicts_scores", "the hits of %d queries are not in the order of their scores: the order given was scored (first: %s)", t.disordered.n, t.disordered.first)
	d.add(t.duplicates > 0, "duplicate_ids", "%d hits repeat an id of the same list and were taken out", t.duplicates)
	for _, n := range out.Notes {
		d.add(true, n.Code, "systems reported %s %d times", strings.ReplaceAll(n.Code, "_", " "), n.Count)
	}
	d.add(out.Judged.Queries > 0 && out.Judged.Value < 1, "unjudged", "%.1f %% of the top %d hits have no label and count as not relevant: scores are lower bounds",
		100*(1-out.Judged.Value), out.Judged.Depth)
	d.add(t.shared > 0, "shared_hits", "%d gold items were found in one hit together with another: a rank earns one gain, so item measures count low; span_recall counts text", t.shared)
	named := s.sparseSensitive()
	d.add(2*t.sparse.n > out.Counts.Scored && named != "", "sparse_labels",
		"%d of %d queries have one labelled passage: %s take every other good answer for wrong; read recall and mrr first", t.sparse.n, out.Counts.Scored, named)
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
func (s *scorer) limits(d *doubts, t *tallies, out *Scored) {
	for _, name := range s.names {
		k, err := strconv.Atoi(name[strings.LastIndexByte(name, '@')+1:])
		d.add(err == nil && s.opts.K > 0 && k > s.opts.K, "cutoff_beyond_k", "%s looks at %d ranks, the system was asked for %d", name, k, s.opts.K)
	}
	for _, m := range out.Means {
		d.add(m.Ceiling != nil && m.Scored > 0 && strings.HasPrefix(m.Measure, "recall"), "recall_ceiling",
			"%s cannot exceed %.4f here: queries have more relevant passages than ranks that are looked at", m.Measure, deref(m.Ceiling))
	}
	for i, m := range out.Means {
		if i >= len(out.Raw) || m.Scored == 0 {
			continue
		}
		n := 0
		for j := range s.queries {
			q := &s.queries[j]
			if q.Status.Scored() && q.Values[i] != q.Raw[i] && !(q.Values[i] != q.Values[i] && q.Raw[i] != q.Raw[i]) {
				n++
			}
		}
		d.add(n > 0, "raw_differs", "%s is %.4f by text and %.4f by plain chunk ids; they differ on %d queries", m.Measure, m.Value, out.Raw[i].Value, n)
	}
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
