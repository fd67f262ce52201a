package testset

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
)

// losses counts what a form cannot hold.
type losses struct {
	bad, broken, labels, nameless int // left out
	shared, part, unknown         int // labels of one chunk folded into one; whose chunk holds a part of them; with an id that is not here

	filters, tags, weights, documents, folded int // queries written without them, or on one line

	judges, synthetic int // labels written without saying that no person gave them
	events, odds      int // judgments that do not decide; probabilities of judges
	notes             int // queries with evidence, leakage or a time
}

// ofQuery counts what the form cannot hold of a query and its labels. undecided are the events that the labels and votes
// do not rest on.
func (n *losses) ofQuery(e *exporter, x *exportQuery, undecided int) {
	form := e.report.Form
	count := func(counter *int, lost bool) {
		if lost {
			*counter++
		}
	}
	if form == FormTREC || form == FormText {
		count(&n.filters, x.Filter != nil)
		count(&n.tags, len(x.Tags) > 0)
		count(&n.weights, x.Weight != 0)
		count(&n.documents, x.SourceDocument() != "")
		count(&n.folded, oneLine(x.Text) != strings.TrimSpace(x.Text))
	}
	if form == FormText {
		return // a query a line: that it holds no more needs no word
	}
	for _, l := range x.labels {
		count(&n.odds, len(l.P) > 0)
		if e.qrelsOnly() {
			count(&n.judges, l.By == assay.ByJudge)
			count(&n.synthetic, l.By == assay.BySynthetic)
		}
	}
	n.events += max(0, undecided)
	count(&n.notes, x.Evidence != nil || x.Leakage != nil)
}

// finish turns the counts into warnings.
func (e *exporter) finish() {
	n, s := &e.lost, &e.scale
	add := func(n int, noun, code, format string) {
		if n > 0 {
			e.report.Warnings = append(e.report.Warnings, assay.Warning{Code: code, Text: fmt.Sprintf(format, plural.Count(n, noun))})
		}
	}
	add(n.bad, "query", "bad_queries", "left out: %s that raters called bad; json, csv and assay keep them")
	add(n.broken, "passage", "broken_text", "left out: that raters called %s garbled; json, csv and assay keep it")
	add(n.labels, "label", "labels", "left out: %s; text is a query a line, every other form keeps them")
	add(n.nameless, "label", "no_id", "left out: %s tied to text that nothing at hand has an id for; json, csv and assay keep them")
	add(n.shared, "label", "shared_ids", "folded: %s whose chunk has another label of the query, the higher grade stands; json, csv and assay keep both")
	add(n.unknown, "label", "unknown_ids", "%s written with an id that is not in the corpus, or stands for another text by now")
	add(n.part, "label", "parted", "%s on text that no chunk holds three quarters of: the one that holds most of it is named")
	add(n.filters, "query", "filters", "%s written without the filter, which this form cannot hold: that asks for something else")
	e.lostOfQueries()
	add(n.folded, "query", "one_line", "%s of several lines written on one")
	e.lostOfRaters()
	if e.qrelsOnly() && !s.given && !s.binary {
		add(s.foreign, "label", "mixed_scales", "%s came in on another scale, others did not: all grades are written as 0 to 3")
	}
	add(s.turned, "label", "given_scale", "%s of assay's own written on the scale of the others: `assay import` takes all back with --map "+s.mapping())
	if s.turned == 0 && s.silent() {
		add(s.foreign, "label", "given_scale", "%s written on the scale they came on: `assay import` takes them back with --map "+s.mapping())
	}
	add(s.own, "label", "own_scale", "%s written with a grade of assay's own, 0 to 3: `assay import` takes that back with --map same")
	e.onlyOwn()
}

// counted lists what there is of several things.
func counted(parts ...string) string {
	var out []string
	for _, p := range parts {
		if !strings.HasPrefix(p, "0 ") {
			out = append(out, p)
		}
	}
	return strings.Join(out, ", ")
}

func (e *exporter) warn(code, format string, args ...any) {
	e.report.Warnings = append(e.report.Warnings, assay.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
}

// lostOfQueries says which fields of queries the form has no place for.
func (e *exporter) lostOfQueries() {
	n := &e.lost
	if lost := counted(plural.Count(n.tags, "query's tags", "queries' tags"), plural.Count(n.weights, "query's weight", "queries' weights")); lost != "" {
		e.warn("query_fields", "left out: %s; json, csv, beir and assay keep them", lost)
	}
	if n.documents > 0 {
		e.warn("source_documents", "left out: the document that %s written from, without which intervals of a copy are too narrow; json, csv, beir and assay keep it",
			plural.Count(n.documents, "query was", "queries were"))
	}
}

// lostOfRaters says that labels of no person are about to look like a person's.
func (e *exporter) lostOfRaters() {
	n := &e.lost
	if lost := counted(plural.Count(n.judges, "label of a judge", "labels of a judge"), plural.Count(n.synthetic, "synthetic label")); lost != "" {
		e.warn("raters", "written without their rater: %s; `assay import` takes them for a person's unless told with --by, json, csv and assay keep it", lost)
	}
}

// onlyOwn says what no form but assay's own holds.
func (e *exporter) onlyOwn() {
	n := &e.lost
	lost := counted(plural.Count(n.events, "judgment that does not decide", "judgments that do not decide"),
		plural.Count(n.odds, "judgment's probabilities", "judgments' probabilities"),
		plural.Count(n.notes, "query's evidence and leakage", "queries' evidence and leakage"))
	if lost != "" {
		e.warn("history", "left out: %s; `assay export --form assay --out DIR` keeps them", lost)
	}
}
