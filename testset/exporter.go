package testset

import (
	"slices"

	"github.com/assay-eval/assay"
)

// Namer finds the id under which the corpus or index at hand holds what a label judges: the chunk itself, the chunk
// with most of its text, or the document.
type Namer interface {
	// IDOf is "" where nothing at hand holds the target. part says that the chunk named holds less than three quarters
	// of it.
	IDOf(t *assay.Target) (id string, part bool)
}

// exporter holds what counts of a set while it is written.
type exporter struct {
	set     *Set
	names   Namer
	report  *Exported
	queries []exportQuery
	scale   gradeScale
	lost    losses
}

// exportQuery is a query with what is exported of its raters.
type exportQuery struct {
	assay.Query
	bad    bool
	labels []exportLabel
	// verdicts are the votes that made the query bad and passages broken; no grade.
	verdicts []exportLabel
}

// exportLabel is a label with the id that foreign forms know it by.
type exportLabel struct {
	*assay.Label
	id   string
	part bool // id holds a part of it only
}

func newExporter(s *Set, form Form, names Namer) *exporter {
	e := &exporter{set: s, names: names, report: &Exported{Form: form}}
	if form != FormAssay {
		e.collect()
	}
	return e
}

// rich reports whether the form holds more of a label than its id and grade.
func (e *exporter) rich() bool { return e.report.Form == FormJSON || e.report.Form == FormCSV }

// qrels reports whether the form knows labels as ids with grades.
func (e *exporter) qrelsOnly() bool { return e.report.Form == FormBEIR || e.report.Form == FormTREC }

// collect takes the queries and labels that the form can hold, and counts what it cannot.
func (e *exporter) collect() {
	for _, q := range e.set.Queries() {
		verdict := e.set.Verdict(q.ID)
		x := exportQuery{Query: q, bad: verdict.BadQuery}
		if x.bad && !e.rich() {
			e.lost.bad++
			continue
		}
		labels := e.set.Labels(q.ID)
		for i := range labels {
			x.labels = append(x.labels, e.named(&labels[i]))
		}
		switch {
		case e.rich():
			e.addVerdicts(&x, &verdict)
		case e.qrelsOnly():
			e.lost.broken += len(verdict.Broken)
			x.labels = e.withIDs(x.labels)
		default:
			e.lost.labels += len(x.labels)
			x.labels = nil
		}
		e.lost.ofQuery(e, &x, len(e.set.Events(q.ID))-len(labels)-len(x.verdicts))
		e.queries = append(e.queries, x)
	}
	if e.qrelsOnly() {
		e.scale = commonScale(e.queries)
	}
	e.report.Queries = len(e.queries)
}

// named finds the id of a label: what the corpus at hand calls it, else what it was judged under.
func (e *exporter) named(l *assay.Label) exportLabel {
	out := exportLabel{Label: l, id: l.Target.Chunk}
	if WholeDocument(&l.Target) {
		out.id = l.Target.Document
	}
	if e.names == nil || e.report.Form == FormText {
		return out
	}
	if id, part := e.names.IDOf(&l.Target); id != "" {
		out.id, out.part = id, part
	} else if out.id != "" {
		e.lost.unknown++
	}
	return out
}

// addVerdicts adds the votes by which a query is bad and passages are broken. Grades that were outvoted are no labels, so
// that on import the votes win again.
func (e *exporter) addVerdicts(x *exportQuery, verdict *Verdict) {
	if !x.bad && len(verdict.Broken) == 0 {
		return
	}
	broken := map[string]bool{}
	for i := range verdict.Broken {
		broken[targetKey(&verdict.Broken[i])] = true
	}
	voices := e.set.Voices(x.ID)
	for i := range voices {
		l := &voices[i]
		switch {
		case l.Event == assay.EventBadQuery && x.bad:
			// One vote on the query as a whole, whatever passage it was cast on.
			l.Target = assay.Target{}
			cast := func(o exportLabel) bool { return o.Event == l.Event && o.By == l.By && o.Who == l.Who }
			if !slices.ContainsFunc(x.verdicts, cast) {
				x.verdicts = append(x.verdicts, exportLabel{Label: l})
			}
		case l.Event == assay.EventBrokenText && broken[targetKey(&l.Target)]:
			x.verdicts = append(x.verdicts, e.named(l))
		}
	}
}

// withIDs takes the labels that have an id, one an id: passages that share a chunk are judged by the best of them.
func (e *exporter) withIDs(labels []exportLabel) []exportLabel {
	place := map[string]int{}
	var out []exportLabel
	for _, l := range labels {
		if l.id == "" {
			e.lost.nameless++
			continue
		}
		i, known := place[l.id]
		if !known {
			place[l.id] = len(out)
			out = append(out, l)
			continue
		}
		e.lost.shared++
		if l.Grade > out[i].Grade {
			out[i] = l
		}
	}
	for i := range out {
		if out[i].part {
			e.lost.part++
		}
	}
	return out
}
