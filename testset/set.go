package testset

import (
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"unique"

	"github.com/assay-eval/assay"
)

// Set is a test set: queries in the order of their first appearance and the history of their labels. It
// is safe for concurrent use.
type Set struct {
	dir  string                // "" for a set that lives in memory only
	warn []func(assay.Warning) // are told of torn lines

	mu      sync.Mutex
	queries []assay.Query
	place   map[string]int           // query id → index in queries
	events  map[string][]assay.Label // query id → label events in file order
	decided map[string]*decision     // what the events of a query come to; dropped when one is added
}

// New makes a test set in memory, with no folder behind it. The last query of an id wins.
func New(queries []assay.Query, labels []assay.Label) (*Set, error) {
	s := newSet("")
	if _, err := s.AddQueries(queries...); err != nil {
		return nil, err
	}
	return s, s.AddLabels(labels...)
}

func newSet(dir string) *Set {
	return &Set{dir: dir, place: map[string]int{}, events: map[string][]assay.Label{}, decided: map[string]*decision{}}
}

// Open reads the test set in dir. A folder that is missing or holds no query is a usage error with a hint,
// as are broken lines, which are all reported with file and line; a last line torn by a crash is left out,
// because its record was never finished, and warned of, since a person may have torn it.
func Open(dir string, warn ...func(assay.Warning)) (*Set, error) {
	s, err := OpenOrCreate(dir, warn...)
	if err != nil {
		return nil, err
	}
	if len(s.queries) > 0 {
		return s, nil
	}
	const hint = "write queries from the documents with `assay generate`, or bring your own with `assay import FILE`"
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, assay.WithHint(assay.Usagef("no test set: %s does not exist", dir), hint)
	}
	return nil, assay.WithHint(assay.Usagef("the test set %s holds no query", filepath.Join(dir, QueriesFile)), hint)
}

// OpenOrCreate reads the test set in dir, which may be empty or not exist yet: the first write makes it.
func OpenOrCreate(dir string, warn ...func(assay.Warning)) (*Set, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, assay.Usagef("the test set %s is a file, not a folder", dir)
	}
	s := newSet(dir)
	s.warn = warn
	if err := s.load(dir); err != nil {
		return nil, err
	}
	return s, nil
}

// Dir is the folder of the set; "" when it lives in memory only.
func (s *Set) Dir() string { return s.dir }

// Len is the number of queries.
func (s *Set) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.queries)
}

// Queries returns the queries in the order of their first appearance.
func (s *Set) Queries() []assay.Query {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.queries)
}

// All yields the queries in the order of their first appearance, without a copy of the list: nobody may
// change what they point to, and no method of the set may be called that adds to it meanwhile.
func (s *Set) All() iter.Seq[*assay.Query] {
	return func(yield func(*assay.Query) bool) {
		s.mu.Lock()
		queries := s.queries
		s.mu.Unlock()
		for i := range queries {
			if !yield(&queries[i]) {
				return
			}
		}
	}
}

// Query finds a query by id.
func (s *Set) Query(id string) (assay.Query, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, ok := s.place[id]
	if !ok {
		return assay.Query{}, false
	}
	return s.queries[i], true
}

// Labels returns the labels of a query that count, one per target, in a stable order; By and Who say whose
// label it is. A target whose text was called broken has none.
func (s *Set) Labels(query string) []assay.Label {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.decide(query).labels)
}

// Verdict returns what raters said of a query beside its grades.
func (s *Set) Verdict(query string) Verdict {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.decide(query).verdict
}

// Events returns the label events of a query in the order they were written, those that no longer count
// included.
func (s *Set) Events(query string) []assay.Label {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.events[query])
}

// Orphans counts the label events whose query is not in the set.
func (s *Set) Orphans() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for id, events := range s.events {
		if _, ok := s.place[id]; !ok {
			n += len(events)
		}
	}
	return n
}

func (s *Set) putQuery(q assay.Query) {
	if i, ok := s.place[q.ID]; ok {
		s.queries[i] = q
		return
	}
	s.place[q.ID] = len(s.queries)
	s.queries = append(s.queries, q)
}

func (s *Set) putLabel(l assay.Label) {
	if i, ok := s.place[l.Query]; ok {
		l.Query = s.queries[i].ID
	}
	// What many labels say alike is kept once.
	l.Event, l.By, l.Who = once(l.Event), once(l.By), once(l.Who)
	l.Target.Document, l.Target.Version = once(l.Target.Document), once(l.Target.Version)
	s.events[l.Query] = append(s.events[l.Query], l)
	delete(s.decided, l.Query)
}

// once is a string equal to text that is held once, however many hold it.
func once[T ~string](text T) T { return unique.Make(text).Value() }
