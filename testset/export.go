package testset

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"github.com/assay-eval/assay"
)

// Exported says what an export wrote, and what its form could not say.
type Exported struct {
	Form     Form            `json:"form"`
	Files    []string        `json:"files,omitempty"` // written files; none when it went to a stream
	Queries  int             `json:"queries"`
	Labels   int             `json:"labels"`
	Warnings []assay.Warning `json:"warnings,omitempty"`
}

// Export writes the set in a form that is one stream: FormJSON (an object a line), FormCSV or FormText. The first two
// hold every label that counts, with its grade, its rater and the text it is tied to, and what raters said of a query
// or its passages: imported again they make the same set, but for its history. An id that is not relevant stands in a
// field of its own, because whatever reads pairs takes "relevant_chunk_id" at its word.
//
// names finds ids for labels that are tied to text alone; it may be nil.
func (s *Set) Export(w io.Writer, form Form, names Namer) (*Exported, error) {
	e := newExporter(s, form, names)
	buf := bufio.NewWriter(w)
	var err error
	switch form {
	case FormJSON:
		err = e.pairs(func(p *Pair) error { return writeJSON(buf, p) })
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

// Pairs is Export in FormJSON, as values.
func (s *Set) Pairs(names Namer) ([]Pair, *Exported) {
	e := newExporter(s, FormJSON, names)
	out := []Pair{}
	_ = e.pairs(func(p *Pair) error { out = append(out, *p); return nil }) // keeping fails never
	e.finish()
	return out, e.report
}

// ExportDir writes the set into a folder, which is made when it is missing: FormBEIR (queries.jsonl,
// qrels/test.tsv), FormTREC (topics.tsv, qrels.txt) or FormAssay (a copy with its whole history). Each
// file is renamed into place when it is whole. Grades are given back on the scale they came in when every
// label came with one or has its like on it, as 0 and 1 where no label says more, else on assay's 0 to 3: one
// file is read with one map. Qrels know ids only; names finds them for labels that are tied to text, and a set none
// of whose labels has an id is refused.
func (s *Set) ExportDir(dir string, form Form, names Namer) (*Exported, error) {
	if form != FormBEIR && form != FormTREC && form != FormAssay {
		return nil, assay.WithHint(assay.Usagef("format %q is one stream, not a folder", form), "name a file to write it to")
	}
	if same, err := samePath(dir, s.dir); same || err != nil {
		return nil, errors.Join(err, assay.WithHint(assay.Usagef("%s is the test set itself", dir), "name another folder"))
	}
	e := newExporter(s, form, names)
	var files []exportFile
	switch form {
	case FormBEIR:
		files = []exportFile{{QueriesFile, e.beirQueries}, {filepath.Join("qrels", "test.tsv"), e.beirQrels}}
	case FormTREC:
		files = []exportFile{{topicsFile, e.trecTopics}, {qrelsFile, e.trecQrels}}
	default:
		files = []exportFile{{QueriesFile, e.ownQueries}, {LabelsFile, e.ownLabels}}
	}
	if err := e.check(); err != nil {
		return nil, err
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

// The files of an export in FormTREC.
const (
	topicsFile = "topics.tsv"
	qrelsFile  = "qrels.txt"
)

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
