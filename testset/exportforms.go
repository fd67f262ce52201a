package testset

import (
	"bufio"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// text writes a query a line.
func (e *exporter) text(w *bufio.Writer) error {
	for i := range e.queries {
		if _, err := fmt.Fprintln(w, oneLine(e.queries[i].Text)); err != nil {
			return err
		}
	}
	return nil
}

// beirQuery is a line of BEIR's queries.jsonl. BEIR leaves the metadata to whoever writes the file.
type beirQuery struct {
	ID       string       `json:"_id"`
	Text     string       `json:"text"`
	Metadata beirMetadata `json:"metadata"`
}

// beirMetadata holds, under a name of its own, what a query is beside its text.
type beirMetadata struct {
	Assay *queryFields `json:"assay,omitempty"`
}

type queryFields struct {
	Tags   []string      `json:"tags,omitempty"`
	Filter *assay.Filter `json:"filter,omitempty"`
	Weight float64       `json:"weight,omitempty"`
	Origin *assay.Origin `json:"origin,omitempty"`
	// Unlabelled tells a query without labels from one of another split.
	Unlabelled bool `json:"unlabelled,omitempty"`
}

func (e *exporter) beirQueries(w *bufio.Writer) error {
	for i := range e.queries {
		x := &e.queries[i]
		line := beirQuery{ID: x.ID, Text: x.Text}
		own := queryFields{x.Tags, x.Filter, x.Weight, exportOrigin(&x.Query), len(x.labels) == 0}
		if len(own.Tags) > 0 || own.Filter != nil || own.Weight != 0 || own.Origin != nil || own.Unlabelled {
			line.Metadata.Assay = &own
		}
		if err := writeJSON(w, line); err != nil {
			return err
		}
	}
	return nil
}

func (e *exporter) beirQrels(w *bufio.Writer) error {
	fmt.Fprint(w, "query-id\tcorpus-id\tscore\n")
	return e.qrels(w, "%s\t%s\t%s\n")
}

func (e *exporter) trecTopics(w *bufio.Writer) error {
	for i := range e.queries {
		if _, err := fmt.Fprintf(w, "%s\t%s\n", e.queries[i].ID, oneLine(e.queries[i].Text)); err != nil {
			return err
		}
	}
	return nil
}

func (e *exporter) trecQrels(w *bufio.Writer) error { return e.qrels(w, "%s 0 %s %s\n") }

// qrels writes every judgment, relevant or not.
func (e *exporter) qrels(w *bufio.Writer, format string) error {
	for i := range e.queries {
		for j := range e.queries[i].labels {
			l := &e.queries[i].labels[j]
			e.report.Labels++
			if _, err := fmt.Fprintf(w, format, e.queries[i].ID, l.id, e.scale.grade(l)); err != nil {
				return err
			}
		}
	}
	return nil
}

// check refuses, before anything is written, ids that would fall apart at their blanks, and a set of which no label could
// be written.
func (e *exporter) check() error {
	blanks := map[Form]string{FormTREC: " \t\r\n\v\f", FormBEIR: "\t\r\n"}[e.report.Form]
	labels := 0
	for i := range e.queries {
		ids := []string{e.queries[i].ID}
		for _, l := range e.queries[i].labels {
			ids = append(ids, l.id)
		}
		labels += len(ids) - 1
		if at := slices.IndexFunc(ids, func(id string) bool { return strings.ContainsAny(id, blanks) }); at >= 0 {
			return assay.WithHint(assay.Usagef("id %q holds a blank, which ends a field in qrels", ids[at]),
				"json, csv and assay quote ids: assay export --form json > labels.jsonl")
		}
	}
	if labels == 0 && e.lost.nameless > 0 {
		return &NamelessError{e.report.Form, e.lost.nameless}
	}
	return nil
}

// NamelessError says that a form which knows labels by ids cannot hold a single one of the set.
type NamelessError struct {
	Form   Form
	Labels int
}

func (e *NamelessError) Error() string {
	if e.Labels == 1 {
		return fmt.Sprintf("%s knows labels by ids, and the only one here is tied to text that nothing at hand has an id for", e.Form)
	}
	return fmt.Sprintf("%s knows labels by ids, and all %d here are tied to text that nothing at hand has an id for", e.Form, e.Labels)
}

// Is makes it a usage error.
func (e *NamelessError) Is(target error) bool { return target == assay.ErrUsage }

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

func writeJSON(w *bufio.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
