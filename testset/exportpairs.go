package testset

import (
	"strings"
	"time"

	"github.com/assay-eval/assay"
)

// Pair is a query with one label, or with none. ID is written only where it cannot be derived from the text.
type Pair struct {
	ID    string `json:"id,omitempty"`
	Query string `json:"query"`
	// Chunk is the id of what answers the query, graded 2 or 3; Judged that of anything else that was judged, which a
	// reader of pairs must not take for an answer.
	Chunk  string       `json:"relevant_chunk_id,omitempty"`
	Judged string       `json:"judged_chunk_id,omitempty"`
	Grade  *assay.Grade `json:"grade,omitempty"` // on the scale that Scale names
	Scale  string       `json:"scale,omitempty"` // "assay": 0 to 3, relevant from 2
	Given  *float64     `json:"given,omitempty"` // the grade as it was imported, on a scale of its own
	// Event is what raters said that is no grade: bad_query of the query, broken_text of the passage.
	Event assay.Event `json:"event,omitempty"`
	By    assay.Rater `json:"by,omitempty"`
	Who   string      `json:"who,omitempty"`
	Time  *time.Time  `json:"time,omitempty"`
	Note  string      `json:"note,omitempty"`
	// Target is what was judged, where it is more than an id.
	Target *assay.Target `json:"target,omitempty"`

	Filter *assay.Filter `json:"filter,omitempty"`
	Tags   []string      `json:"tags,omitempty"`
	Weight float64       `json:"weight,omitempty"`
	Origin *assay.Origin `json:"origin,omitempty"` // how the query came to be, and the document it was written from
}

// ownScale is the value of Pair.Scale, by which import knows a row that assay wrote.
const ownScale = "assay"

// pairs yields the rows of every query: its votes, its labels, and one without either where there are none.
func (e *exporter) pairs(write func(*Pair) error) error {
	for i := range e.queries {
		x := &e.queries[i]
		rows := append(x.verdicts[:len(x.verdicts):len(x.verdicts)], x.labels...)
		e.report.Labels += len(x.labels)
		for j := range rows {
			p := x.pair()
			p.label(&rows[j], x.bad)
			if err := write(p); err != nil {
				return err
			}
		}
		if len(rows) == 0 {
			if err := write(x.pair()); err != nil {
				return err
			}
		}
	}
	return nil
}

// pair is the query with no label yet.
func (x *exportQuery) pair() *Pair {
	p := &Pair{Query: x.Text, Filter: x.Filter, Tags: x.Tags, Weight: x.Weight, Origin: exportOrigin(&x.Query)}
	if x.ID != QueryID(x.Text, x.Filter) {
		p.ID = x.ID
	}
	return p
}

// exportOrigin is how a query came to be with the document behind it, or nil where there is no more to say than that it
// was imported.
func exportOrigin(q *assay.Query) *assay.Origin {
	var o assay.Origin
	if q.Origin != nil {
		o = *q.Origin
	}
	o.Source, o.Document = "", q.SourceDocument()
	if (o.Method == "" || o.Method == importMethod) && o.Document == "" {
		return nil
	}
	o.Method = or(o.Method, importMethod)
	return &o
}

// importMethod is the Origin.Method of an imported query.
const importMethod = "import"

func (p *Pair) label(l *exportLabel, bad bool) {
	p.Scale, p.By, p.Who, p.Note = ownScale, l.By, l.Who, l.Note
	if !l.Time.IsZero() {
		t := l.Time.UTC()
		p.Time = &t
	}
	if l.Event == assay.EventGrade {
		p.Grade, p.Given = &l.Grade, l.Given
	} else {
		p.Event = l.Event
	}
	if p.Judged = l.id; !bad && l.Event == assay.EventGrade && l.Grade >= assay.RelevantGrade {
		p.Chunk, p.Judged = l.id, ""
	}
	if l.Target != (assay.Target{}) && l.Target != (assay.Target{Chunk: l.id}) {
		p.Target = &l.Target
	}
}

// oneLine folds line breaks and tabs to blanks, for forms with a query a line.
func oneLine(s string) string {
	if !strings.ContainsFunc(s, breaks) {
		return strings.TrimSpace(s)
	}
	var out []string
	for _, part := range strings.FieldsFunc(s, breaks) {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return strings.Join(out, " ")
}

// breaks reports a character that ends a line or a field of it.
func breaks(r rune) bool { return r >= '\t' && r <= '\r' }
