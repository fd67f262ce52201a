package testset

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"syscall"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonl"
)

// AddQueries appends queries that are new or changed and returns how many that were. A query without id is
// given the derived one. All are written or none.
func (s *Set) AddQueries(queries ...assay.Query) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var fresh []any
	latest := map[string]*assay.Query{}
	for _, q := range queries {
		if q.ID == "" {
			q.ID = QueryID(q.Text, q.Filter)
		}
		if err := checkQuery(&q); err != nil {
			return 0, err
		}
		known := latest[q.ID]
		if i, ok := s.place[q.ID]; known == nil && ok {
			known = &s.queries[i]
		}
		if known != nil && sameQuery(*known, q) {
			continue
		}
		latest[q.ID] = &q
		fresh = append(fresh, q)
	}
	if err := s.write(QueriesFile, fresh); err != nil {
		return 0, err
	}
	for _, q := range fresh {
		s.putQuery(q.(assay.Query))
	}
	return len(fresh), nil
}

// sameQuery compares two versions of a query but for when and from which file they came.
func sameQuery(a, b assay.Query) bool {
	a.Created, b.Created = nil, nil
	if a.Origin != nil && b.Origin != nil {
		x, y := *a.Origin, *b.Origin
		x.Source, y.Source = "", ""
		a.Origin, b.Origin = &x, &y
	}
	return reflect.DeepEqual(a, b)
}

// AddLabels appends label events as they are; one without time happened now. All are written or none.
func (s *Set) AddLabels(labels ...assay.Label) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.appendLabels(labels)
}

// AddNewLabels appends those events that their rater has not written before on the same query and target,
// whatever came after, and returns how many that were: doing something twice adds nothing.
func (s *Set) AddNewLabels(labels ...assay.Label) (int, error) {
	return s.addMissing(labels, func(l *assay.Label) string {
		given := ""
		if l.Given != nil {
			given = formatGrade(*l.Given)
		}
		return fmt.Sprintf("%s\x00%s\x00%s\x00%s\x00%d\x00%s", targetKey(&l.Target), l.By, l.Who, l.Event, l.Grade, given)
	})
}

// addMissing appends the events whose identity is not in the history of their query yet.
func (s *Set) addMissing(labels []assay.Label, identity func(*assay.Label) string) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := map[string]map[string]bool{}
	var fresh []assay.Label
	for i := range labels {
		l := &labels[i]
		seen, ok := known[l.Query]
		if !ok {
			seen = map[string]bool{}
			for j := range s.events[l.Query] {
				seen[identity(&s.events[l.Query][j])] = true
			}
			known[l.Query] = seen
		}
		if id := identity(l); !seen[id] {
			seen[id] = true
			fresh = append(fresh, *l)
		}
	}
	return len(fresh), s.appendLabels(fresh)
}

// appendLabels checks and writes events; the caller holds the lock.
func (s *Set) appendLabels(labels []assay.Label) error {
	now := time.Now().UTC().Truncate(time.Millisecond)
	records := make([]any, len(labels))
	for i, l := range labels {
		if l.Time.IsZero() {
			l.Time = now
		}
		if err := checkLabel(&l); err != nil {
			return fmt.Errorf("label of query %q: %w", l.Query, err)
		}
		records[i] = l
	}
	if err := s.write(LabelsFile, records); err != nil {
		return err
	}
	for _, r := range records {
		s.putLabel(r.(assay.Label))
	}
	return nil
}

// write appends records to a file of the set, whole or not at all.
func (s *Set) write(name string, records []any) (err error) {
	if s.dir == "" || len(records) == 0 {
		return nil
	}
	path := filepath.Join(s.dir, name)
	defer func() { err = explainWrite(err, path) }()
	a, err := jsonl.Open(path)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, a.Close())
		for _, t := range a.Torn() {
			s.tell(t.Warning())
		}
	}()
	return a.AppendAll(records)
}

// explainWrite adds what to do about the two failures a user can mend.
func explainWrite(err error, path string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		return assay.WithHint(fmt.Errorf("cannot write the test set: %w", err), "make %s writable, or set `testset:` in the config to a folder that is", filepath.Dir(path))
	case errors.Is(err, syscall.ENOSPC):
		return assay.WithHint(fmt.Errorf("cannot write the test set: %w", err), "the disk is full; everything written before this command is whole")
	}
	return fmt.Errorf("cannot write the test set: %w", err)
}
