package testset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// plan is what an import is about to write.
type plan struct {
	set     *Set
	opts    *ImportOptions
	ids     resolver
	queries []assay.Query
	place   map[string]int // query id → index in queries
	labels  []assay.Label
	heard   map[string]heard // what was said so far of each query and target, by whom
	said    map[string]map[string]bool
	orphans IDs // qrels without a query
	report  *Imported
}

// build turns what was parsed into queries and events.
func (p *plan) build(in *parsed) error {
	p.place, p.heard, p.said = map[string]int{}, map[string]heard{}, map[string]map[string]bool{}
	labelled := map[string]bool{}
	for i := range in.records {
		rec := &in.records[i]
		id, err := p.query(rec)
		if err != nil {
			return err
		}
		for _, j := range rec.labels {
			if err := p.label(id, j); err != nil {
				return err
			}
			labelled[id] = labelled[id] || j.event != assay.EventBadQuery
		}
	}
	for i := range in.qrels {
		q := &in.qrels[i]
		_, here := p.place[q.query]
		if _, there := p.set.Query(q.query); !here && !there {
			p.orphans.add(q.query)
			continue
		}
		if err := p.label(q.query, q.judged); err != nil {
			return err
		}
		labelled[q.query] = true
	}
	if p.report.Labels == 0 && p.orphans.Count > 0 {
		return assay.WithHint(assay.Usagef("no query of the qrels is known: qrels %s, queries %s", quoted(p.orphans.First), quoted(p.known())),
			"import the queries and their qrels together: assay import TOPICS QRELS")
	}
	r := p.report
	r.Queries = len(p.queries)
	for i := range p.queries {
		if !labelled[p.queries[i].ID] {
			r.Unlabelled++
		}
	}
	r.Known, r.Unknown = p.ids.known, p.ids.unknown
	if r.Checked && r.Unknown.Count > 0 {
		r.CorpusIDs = p.ids.samples()
	}
	return nil
}

// query adds the query of a record, once, and returns its id. An id that already names another text is
// refused: its labels would silently pass to the new question.
func (p *plan) query(rec *record) (string, error) {
	q := rec.query
	q.Text = strings.TrimSpace(q.Text)
	if q.ID == "" {
		q.ID = QueryID(q.Text, q.Filter)
	}
	if err := checkQuery(&q); err != nil {
		return "", assay.Classify(assay.Errorf(assay.KindMalformed, "", rec.where, "%w", err), assay.ErrUsage)
	}
	old, known := p.set.Query(q.ID)
	if i, ok := p.place[q.ID]; ok {
		old, known = p.queries[i], true
	}
	otherText := known && oneLine(old.Text) != oneLine(q.Text)
	otherFilter := known && old.Filter.String() != q.Filter.String() && !rec.bare
	if otherText || otherFilter {
		means := func(q *assay.Query) string {
			if otherText || q.Filter == nil {
				return fmt.Sprintf("%q", q.Text)
			}
			return fmt.Sprintf("%q under %s", q.Text, q.Filter)
		}
		return "", assay.WithHint(assay.Classify(assay.Errorf(assay.KindInvalid, "", rec.where, "query id %q already means %s, here it is %s", q.ID, means(&old), means(&q)), assay.ErrUsage),
			"import into another test set, or give the queries ids of their own")
	}
	if _, ok := p.place[q.ID]; ok {
		return q.ID, nil
	}
	if known {
		q = old // keep what has been said of it since
	} else {
		origin := assay.Origin{Method: importMethod}
		if q.Origin != nil {
			origin = *q.Origin
		}
		origin.Method, origin.Source = or(origin.Method, importMethod), rec.where
		q.Origin = &origin
	}
	for _, t := range append(slices.Clone(rec.query.Tags), p.opts.Tags...) {
		if !slices.Contains(q.Tags, t) {
			q.Tags = append(slices.Clip(q.Tags), t)
		}
	}
	p.place[q.ID] = len(p.queries)
	p.queries = append(p.queries, q)
	return q.ID, nil
}

// heard is what one line of the input said.
type heard struct {
	grade assay.Grade // -1 for a verdict
	says  string
	where string
}

// label makes an event of a judgment. One rater who grades a passage twice, differently, is refused: which of the two
// counts would be a matter of the order of lines.
func (p *plan) label(query string, j judged) error {
	l := assay.Label{Query: query, Event: assay.EventGrade, Grade: assay.MaxGrade, Given: j.given, Note: j.note, Time: j.time,
		By: p.opts.By, Who: or(or(p.opts.Who, j.who), "import")}
	if l.By == "" {
		l.By = assay.Rater(or(string(j.by), string(assay.ByHuman)))
	}
	if l.Time.IsZero() {
		l.Time = p.opts.Now
	}
	switch {
	case j.event != "":
		l.Event, l.Grade = j.event, 0
	case j.grade != nil:
		l.Grade = *j.grade
	case j.given != nil:
		l.Grade, _ = p.opts.Scale.grade(*j.given)
	}
	switch {
	case l.Event == assay.EventBadQuery: // said of the query as a whole
	case j.target != nil:
		l.Target = *j.target
		p.ids.see(j.target)
	default:
		l.Target = p.ids.target(j.id)
		if l.Grade < assay.RelevantGrade && l.Target.TextHash != "" {
			// Pools hold thousands of irrelevant passages: their key, place and hash are enough.
			l.Target.Quote = ""
		}
	}
	p.report.Labels++
	key := strings.Join([]string{query, targetKey(&l.Target), string(l.By), l.Who}, "\x00")
	now := heard{-1, string(l.Event), j.where}
	if l.Event == assay.EventGrade {
		now.grade, now.says = l.Grade, "grade "+saidGrade(&l)
	}
	before, twice := p.heard[key]
	if twice && (before.grade != now.grade || now.grade < 0 && before.says != now.says) {
		return assay.WithHint(assay.Classify(assay.Errorf(assay.KindInvalid, "", j.where, "query %q, %q: %s here, %s at %s", query, j.id, now.says, before.says, before.where), assay.ErrUsage),
			"keep one of the two lines, or import each rater's lines from a file of their own with --who NAME")
	}
	if !twice {
		p.heard[key] = now
	}
	if j.target != nil || j.event != "" {
		if p.counts(&l) {
			return nil
		}
	}
	p.labels = append(p.labels, l)
	return nil
}

// saidGrade is a grade as the input has it.
func saidGrade(l *assay.Label) string {
	if l.Given != nil {
		return formatGrade(*l.Given)
	}
	return fmt.Sprint(l.Grade)
}

// counts reports whether the set says already, by the same rater, what a label that assay exported says. Its target may
// be narrower than that of the event it goes back to.
func (p *plan) counts(l *assay.Label) bool {
	said := p.said[l.Query]
	if said == nil {
		said = map[string]bool{}
		for _, o := range p.set.Labels(l.Query) {
			said[verdictKey(&o)] = true
		}
		for _, o := range p.set.Voices(l.Query) {
			if o.Event != assay.EventGrade {
				said[verdictKey(&o)] = true
			}
		}
		p.said[l.Query] = said
	}
	return said[verdictKey(l)]
}

func verdictKey(l *assay.Label) string {
	target := ""
	if l.Event != assay.EventBadQuery {
		target = targetKey(&l.Target)
	}
	grade := ""
	if l.Event == assay.EventGrade {
		grade = fmt.Sprint(l.Grade, " ", saidGrade(l))
	}
	return strings.Join([]string{target, string(l.Event), grade, string(l.By), l.Who}, "\x00")
}

// bare reports whether a label is tied to nothing but a key.
func (p *plan) bare() bool {
	return slices.ContainsFunc(p.labels, func(l assay.Label) bool {
		return l.Target.Chunk != "" && l.Target.Quote == "" && !l.Target.Anchored()
	})
}

// irrelevant reports whether no label says that anything is relevant.
func (p *plan) irrelevant() bool {
	return !slices.ContainsFunc(p.labels, func(l assay.Label) bool { return l.Grade >= assay.RelevantGrade })
}

// known are the first query ids that labels could have named.
func (p *plan) known() []string {
	from := p.queries
	if len(from) == 0 {
		from = p.set.Queries()
	}
	var out []string
	for i := range min(len(from), shownIDs) {
		out = append(out, from[i].ID)
	}
	return out
}
