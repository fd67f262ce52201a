package testset

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
)

// Exported says what an export wrote, and what its form could not say.
type Exported struct {
	Form     Form            `json:"form"`
	Files    []string        `json:"files,omitempty"` // written files; none when it went to a stream
	Queries  int             `json:"queries"`
	Labels   int             `json:"labels"`
	Warnings []assay.Warning `json:"warnings,omitempty"`
}

// Export writes the set in a form that is one stream: FormJSON (an object a line), FormCSV or FormText.
// The first two hold relevant ids only, because whatever reads such a file takes an id in it for
// relevant; the judgments they leave out are counted in a warning.
func (s *Set) Export(w io.Writer, form Form) (*Exported, error) {
	e := &exporter{set: s, report: &Exported{Form: form}}
	e.collect()
	buf := bufio.NewWriter(w)
	var err error
	switch form {
	case FormJSON:
		err = e.pairs(func(p Pair) error { return writeJSON(buf, p) })
	case FormCSV:
		err = e.csv(buf)
	case FormText:
		err = e.text(buf)
	default:
		return nil, assay.WithHint(assay.Usagef("format %q is several files", form), "name a folder to write it to")
	}
	e.finish()
	return e.report, errors.Join(err, buf.Flush())
}

// ExportDir writes the set into a folder, which is made when it is missing: FormBEIR (queries.jsonl,
// qrels/test.tsv), FormTREC (topics.tsv, qrels.txt) or FormAssay (a copy with its whole history). Each
// file is renamed into place when it is whole. Grades are given back on the scale they came in when every
// label came with one or has its like on it, as 0 and 1 where no label says more, else on assay's 0 to 3: one
// file is read with one map.
func (s *Set) ExportDir(dir string, form Form) (*Exported, error) {
	e := &exporter{set: s, report: &Exported{Form: form}}
	var files []exportFile
	switch form {
	case FormBEIR:
		e.collect()
		files = []exportFile{{QueriesFile, e.beirQueries}, {filepath.Join("qrels", "test.tsv"), e.beirQrels}}
	case FormTREC:
		e.collect()
		if err := e.checkTREC(); err != nil {
			return nil, err
		}
		files = []exportFile{{"topics.tsv", e.trecTopics}, {"qrels.txt", e.trecQrels}}
	case FormAssay:
		files = []exportFile{{QueriesFile, e.ownQueries}, {LabelsFile, e.ownLabels}}
		if same, err := samePath(dir, s.dir); same || err != nil {
			return nil, errors.Join(err, assay.Usagef("%s is the test set itself", dir))
		}
	default:
		return nil, assay.WithHint(assay.Usagef("format %q is one stream, not a folder", form), "name a file to write it to")
	}
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		if err := writeFile(path, f.write); err != nil {
			return e.report, err
		}
		e.report.Files = append(e.report.Files, path)
	}
	e.finish()
	return e.report, nil
}

type exportFile struct {
	name  string
	write func(*bufio.Writer) error
}

// writeFile writes a file that is seen whole or not at all.
func writeFile(path string, write func(*bufio.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	defer func() { _ = f.Cleanup() }() // after the replacement there is nothing to clean up
	buf := bufio.NewWriter(f)
	if err := errors.Join(write(buf), buf.Flush()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return f.CloseAtomicallyReplace()
}

func samePath(a, b string) (bool, error) {
	if b == "" {
		return false, nil
	}
	x, err := filepath.Abs(a)
	if err != nil {
		return false, err
	}
	y, err := filepath.Abs(b)
	return x == y, err
}

// exporter holds what counts of a set while it is written.
type exporter struct {
	set     *Set
	report  *Exported
	queries []assay.Query
	labels  [][]exportLabel // by query
	given   bool            // every label knows the grade it was imported with, or scale says which one is its like
	scale   map[assay.Grade]float64
	binary  bool // every label says relevant or not, and no more

	bad, nameless, irrelevant, filtered, foreign, own, turned int
}

// exportLabel is a label reduced to what foreign forms can say.
type exportLabel struct {
	id    string
	grade assay.Grade
	given *float64
}

// binary reports whether a label says what a plain 0 or 1 says on import.
func (l *exportLabel) binary() bool {
	switch l.grade {
	case 0:
		return l.given == nil || *l.given == 0
	case assay.MaxGrade:
		return l.given == nil || *l.given == 1
	}
	return false
}

// collect takes the queries that are not bad and the labels whose target has an id.
func (e *exporter) collect() {
	all := 0
	e.binary = true
	for _, q := range e.set.Queries() {
		if e.set.Verdict(q.ID).BadQuery {
			e.bad++
			continue
		}
		var labels []exportLabel
		for _, l := range e.set.Labels(q.ID) {
			id := l.Target.Chunk
			if WholeDocument(&l.Target) {
				id = l.Target.Document
			}
			if id == "" {
				e.nameless++
				continue
			}
			all++
			if l.Given != nil {
				e.foreign++
			}
			label := exportLabel{id, l.Grade, l.Given}
			e.binary = e.binary && label.binary()
			labels = append(labels, label)
		}
		if q.Filter != nil && e.report.Form != FormJSON {
			e.filtered++
		}
		e.queries = append(e.queries, q)
		e.labels = append(e.labels, labels)
	}
	e.scale, e.given = e.inverse(all)
}

// inverse is the grade of the foreign scale for each of assay's, where the labels that came on a scale agree on one and
// every other label finds its grade there. ok is false where one file could not hold them all.
func (e *exporter) inverse(all int) (scale map[assay.Grade]float64, ok bool) {
	if e.foreign == 0 || e.foreign < all && e.binary {
		return nil, false
	}
	scale = map[assay.Grade]float64{}
	agree := true
	for _, labels := range e.labels {
		for _, l := range labels {
			if l.given == nil {
				continue
			}
			if other, known := scale[l.grade]; known && other != *l.given {
				agree = false
			}
			scale[l.grade] = *l.given
		}
	}
	if e.foreign == all {
		return scale, true // nothing has to be turned around
	}
	back := map[float64]assay.Grade{}
	for grade, given := range scale {
		if other, known := back[given]; known && other != grade {
			return nil, false
		}
		back[given] = grade
	}
	if _, known := back[0]; !known {
		if _, known := scale[0]; !known {
			scale[0] = 0 // as a map says that says nothing of it
		}
	}
	for _, labels := range e.labels {
		for _, l := range labels {
			if _, known := scale[l.grade]; !known || !agree {
				return nil, false
			}
		}
	}
	return scale, true
}

// grade renders a grade of qrels on the scale of the export: that which the labels came on, else 0 and 1
// where that says all, else assay's own.
func (e *exporter) grade(l exportLabel) string {
	switch {
	case e.given && l.given != nil:
		return formatGrade(*l.given)
	case e.given:
		e.turned++
		return formatGrade(e.scale[l.grade])
	case e.binary:
		return fmt.Sprint(min(l.grade, 1))
	}
	e.own++
	return fmt.Sprint(l.grade)
}

// mapping is the argument of --map that reads the export's scale.
func (e *exporter) mapping() string {
	var parts []string
	for _, g := range slices.Sorted(maps.Keys(e.scale)) {
		if given := formatGrade(e.scale[g]); given != "0" || g != 0 {
			parts = append(parts, fmt.Sprintf("%s=%d", given, g))
		}
	}
	return strings.Join(parts, ",")
}

func (e *exporter) finish() {
	add := func(n int, noun, code, format string) {
		if n > 0 {
			e.report.Warnings = append(e.report.Warnings, assay.Warning{Code: code, Text: fmt.Sprintf(format, plural.Count(n, noun))})
		}
	}
	add(e.bad, "query", "bad_queries", "left out: %s that raters called bad")
	add(e.nameless, "label", "no_id", "left out: %s tied to text without a chunk id")
	add(e.filtered, "query", "filters", "%s written without the filter, which this form cannot hold: that asks for something else")
	if qrels := e.report.Form == FormBEIR || e.report.Form == FormTREC; qrels && !e.given && !e.binary {
		add(e.foreign, "label", "mixed_scales", "%s came in on another scale, others did not: all grades are written as 0 to 3")
	}
	add(e.turned, "label", "given_scale", "%s of assay's own written on the scale of the others: `assay import` takes all back with --map "+e.mapping())
	add(e.own, "label", "own_scale", "%s written with a grade of assay's own, 0 to 3: `assay import` takes that back with --map same")
	add(e.irrelevant, "judgment", "not_relevant", "left out: %s below relevant; beir and trec keep them")
	e.report.Queries = max(e.report.Queries, len(e.queries))
}
