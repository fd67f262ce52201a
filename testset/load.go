package testset

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonl"
)

// The files of a test set.
const (
	QueriesFile = "queries.jsonl"
	LabelsFile  = "labels.jsonl"
	RejectsFile = "rejects.jsonl" // written by generate: refused items with their reason
)

// maxProblems bounds how many bad lines one error lists.
const maxProblems = 10

// labelLine tells a grade of 0 from a grade that is not there.
type labelLine struct {
	assay.Label
	Grade *assay.Grade `json:"grade"`
}

func (l *labelLine) label() (assay.Label, error) {
	label := l.Label
	if l.Grade != nil {
		label.Grade = *l.Grade
	} else if label.Event == assay.EventGrade {
		return label, fmt.Errorf("a grade event without \"grade\"")
	}
	return label, checkLabel(&label)
}

// load reads both files of dir into s. All bad lines are reported at once.
func (s *Set) load(dir string) error {
	var bad problems
	for rec, err := range jsonl.ReadEdited[assay.Query](filepath.Join(dir, QueriesFile)) {
		q := rec.Value
		if err == nil && !utf8.Valid(rec.Line.Bytes) {
			err = errors.New("not valid UTF-8")
		}
		if err == nil {
			if q.ID == "" {
				q.ID = QueryID(q.Text, q.Filter)
			}
			err = checkQuery(&q)
		}
		if err != nil {
			s.refuse(&bad, rec.Line, err)
			continue
		}
		s.putQuery(q)
	}
	var last time.Time
	for rec, err := range jsonl.ReadEdited[labelLine](filepath.Join(dir, LabelsFile)) {
		var label assay.Label
		if err == nil {
			label, err = rec.Value.label()
		}
		if err != nil {
			s.refuse(&bad, rec.Line, err)
			continue
		}
		// A line written by hand may have no time: it happened after the line above it.
		if label.Time.IsZero() {
			label.Time = last
		}
		last = label.Time
		s.putLabel(label)
	}
	return bad.err()
}

// refuse notes a line that cannot be read. One that is torn is left out and warned of.
func (s *Set) refuse(bad *problems, line jsonl.Line, err error) {
	if errors.Is(err, jsonl.ErrTorn) {
		s.tell(jsonl.LeftOut(err))
		return
	}
	bad.add(line, err)
}

func (s *Set) tell(w assay.Warning) {
	for _, f := range s.warn {
		f(w)
	}
}

// problems collects bad lines.
type problems struct {
	errs  []error
	total int
}

func (p *problems) add(line jsonl.Line, err error) {
	p.total++
	if len(p.errs) >= maxProblems {
		return
	}
	var placed *assay.Error
	if !errors.As(err, &placed) && line.Number > 0 {
		err = assay.Errorf(assay.KindMalformed, "", line.Where(), "%w", err)
	}
	p.errs = append(p.errs, err)
}

func (p *problems) err() error {
	if p.total == 0 {
		return nil
	}
	if more := p.total - len(p.errs); more > 0 {
		p.errs = append(p.errs, fmt.Errorf("and %d more lines", more))
	}
	return assay.Classify(errors.Join(p.errs...), assay.ErrUsage)
}
