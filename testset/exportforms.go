package testset

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// Pair is an exported query with one relevant id. ID is written only where it cannot be derived from the
// text, grades only where they say more than "relevant".
type Pair struct {
	ID     string        `json:"id,omitempty"`
	Query  string        `json:"query"`
	Chunk  string        `json:"relevant_chunk_id,omitempty"`
	Grade  *assay.Grade  `json:"grade,omitempty"`
	Given  *float64      `json:"given,omitempty"`
	Filter *assay.Filter `json:"filter,omitempty"`
	Tags   []string      `json:"tags,omitempty"`
}

// rows yields the relevant pairs of every query; a query without any is one row without an id.
func (e *exporter) rows(write func(q *assay.Query, l *exportLabel) error) error {
	for i := range e.queries {
		n := 0
		for j := range e.labels[i] {
			l := &e.labels[i][j]
			if l.grade < assay.RelevantGrade {
				e.irrelevant++
				continue
			}
			n++
			e.report.Labels++
			if err := write(&e.queries[i], l); err != nil {
				return err
			}
		}
		if n == 0 {
			if err := write(&e.queries[i], nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// Pairs is Export in FormJSON, as values.
func (s *Set) Pairs() ([]Pair, *Exported) {
	e := &exporter{set: s, report: &Exported{Form: FormJSON}}
	e.collect()
	out := []Pair{}
	_ = e.pairs(func(p Pair) error { out = append(out, p); return nil }) // keeping fails never
	e.finish()
	return out, e.report
}

// pairs yields the rows of FormJSON.
func (e *exporter) pairs(write func(Pair) error) error {
	return e.rows(func(q *assay.Query, l *exportLabel) error {
		p := Pair{Query: q.Text, Filter: q.Filter, Tags: q.Tags}
		if q.ID != QueryID(q.Text, q.Filter) {
			p.ID = q.ID
		}
		if l != nil {
			p.Chunk, p.Given = l.id, l.given
			if e.graded(l) {
				p.Grade = &l.grade
			}
		}
		return write(p)
	})
}

// graded reports whether a relevant pair needs its grade beside it: a pair alone is imported as fully relevant.
func (e *exporter) graded(l *exportLabel) bool {
	if l.given == nil && l.grade != assay.MaxGrade {
		e.own++
	}
	return l.given != nil || l.grade != assay.MaxGrade
}

func (e *exporter) csv(w *bufio.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"id", "query", "relevant_chunk_id", "grade", "given"}); err != nil {
		return err
	}
	err := e.rows(func(q *assay.Query, l *exportLabel) error {
		row := []string{q.ID, q.Text, "", "", ""}
		if l != nil {
			row[2] = l.id
			if e.graded(l) {
				row[3] = fmt.Sprint(l.grade)
			}
			if l.given != nil {
				row[4] = formatGrade(*l.given)
			}
		}
		return out.Write(row)
	})
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	return err
}

func (e *exporter) text(w *bufio.Writer) error {
	for i := range e.queries {
		if _, err := fmt.Fprintln(w, oneLine(e.queries[i].Text)); err != nil {
			return err
		}
	}
	return nil
}

func (e *exporter) beirQueries(w *bufio.Writer) error {
	for i := range e.queries {
		err := writeJSON(w, struct {
			ID       string   `json:"_id"`
			Text     string   `json:"text"`
			Metadata struct{} `json:"metadata"`
		}{ID: e.queries[i].ID, Text: e.queries[i].Text})
		if err != nil {
			return err
		}
	}
	return nil
}

func (e *exporter) beirQrels(w *bufio.Writer) error {
	fmt.Fprint(w, "query-id\tcorpus-id\tscore\n")
	return e.qrels(w, "%s\t%s\t%s\n", "\t\r\n")
}

func (e *exporter) trecTopics(w *bufio.Writer) error {
	for i := range e.queries {
		if _, err := fmt.Fprintf(w, "%s\t%s\n", e.queries[i].ID, oneLine(e.queries[i].Text)); err != nil {
			return err
		}
	}
	return nil
}

func (e *exporter) trecQrels(w *bufio.Writer) error {
	return e.qrels(w, "%s 0 %s %s\n", " \t\r\n\v\f")
}

// checkTREC refuses ids that would fall apart at their blanks, before anything is written.
func (e *exporter) checkTREC() error { return e.checkIDs(" \t\r\n\v\f") }

// qrels writes every judgment, relevant or not.
func (e *exporter) qrels(w *bufio.Writer, format, blanks string) error {
	if err := e.checkIDs(blanks); err != nil {
		return err
	}
	for i := range e.queries {
		for _, l := range e.labels[i] {
			e.report.Labels++
			if _, err := fmt.Fprintf(w, format, e.queries[i].ID, l.id, e.grade(l)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *exporter) checkIDs(blanks string) error {
	for i := range e.queries {
		ids := []string{e.queries[i].ID}
		for _, l := range e.labels[i] {
			ids = append(ids, l.id)
		}
		if at := slices.IndexFunc(ids, func(id string) bool { return strings.ContainsAny(id, blanks) }); at >= 0 {
			return assay.WithHint(assay.Usagef("id %q holds a blank, which ends a field in qrels", ids[at]), "export as json, csv or assay, which quote ids")
		}
	}
	return nil
}

func (e *exporter) ownQueries(w *bufio.Writer) error {
	for _, q := range e.set.Queries() {
		e.report.Queries++
		if err := writeJSON(w, q); err != nil {
			return err
		}
	}
	return nil
}

func (e *exporter) ownLabels(w *bufio.Writer) error {
	for _, q := range e.set.Queries() {
		for _, l := range e.set.Events(q.ID) {
			e.report.Labels++
			if err := writeJSON(w, l); err != nil {
				return err
			}
		}
	}
	return nil
}

// oneLine folds line breaks and tabs to spaces, for forms with a query a line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func writeJSON(w *bufio.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
