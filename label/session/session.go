package session

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/assay-eval/assay"
)

// Store is where label events are kept; *testset.Set is one.
type Store interface {
	// Events returns the events of a query in the order they were written.
	Events(query string) []assay.Label
	// AddLabels appends events; they are on disk when it returns.
	AddLabels(labels ...assay.Label) error
}

// Session is a pool of items and what people said of them. It is safe for concurrent use.
type Session struct {
	opts  Options
	store Store

	mu     sync.Mutex
	items  []*item // in the order of handing out
	byID   map[string]*item
	byKey  map[string][]*item // by query and key of a target
	raters map[string]*rater
	last   time.Time // of the events that were made here
	done   int       // items that are closed
	split  int       // items that are disputed
}

// item is an Item with what people said of it.
type item struct {
	Item
	id     string
	place  int                // in the order of handing out
	luck   float64            // decides which items are asked again
	second bool               // two people are wanted
	judge  *assay.Grade       // what the LLM judge said last
	words  map[string]*answer // what stands, by rater
	holder string             // the rater it is in front of; "" is nobody

	// What follows from the words, kept because pools are large.
	closed   bool // as many people judged it as should
	disputed bool // people said different things, and nobody settled it
}

// answer is one standing word of a rater.
type answer struct {
	label assay.Label
	item  *item
}

// rater is one person's way through the pool.
type rater struct {
	name     string
	answers  []*answer         // what stands, oldest first
	first    map[*item]*answer // the answer before a repeat
	repeated map[*item]bool
	passed   int                       // items before this place are nothing for the rater any more
	events   int                       // all events, those taken back included
	bad      map[string]map[*item]bool // queries this rater called bad, with the items it was said on
	settled  []*answer                 // adjudications made in this session, oldest first
	current  *task
}

// task is an item in front of a rater.
type task struct {
	item   *item
	repeat bool
	asked  bool // back in front of the rater because they took their answer back
}

// New makes a session of the items, and replays what the store holds on them. Items must have a query with id, a target and
// a text; two items on one query and passage are an error.
func New(items []Item, store Store, o Options) (*Session, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &Session{opts: o, store: store, byID: map[string]*item{}, byKey: map[string][]*item{}, raters: map[string]*rater{}}
	queries := map[string]bool{}
	for _, it := range items {
		if it.Query.ID == "" || len(it.Targets) == 0 {
			return nil, fmt.Errorf("an item to judge without query or passage")
		}
		x := &item{Item: it, id: it.id(o.Seed), words: map[string]*answer{}}
		x.second, x.luck = x.draw(o.Seed, "second") < o.Second, x.draw(o.Seed, "repeat")
		if s.byID[x.id] != nil {
			return nil, fmt.Errorf("the passage %q of query %q is there twice", it.Targets[0].Chunk, it.Query.ID)
		}
		s.items = append(s.items, x)
		s.byID[x.id] = x
		s.enter(x)
		queries[it.Query.ID] = true
	}
	s.sort()
	for i, x := range s.items {
		x.place = i
		s.weigh(x)
	}
	s.replay(queries)
	return s, nil
}

// enter makes an item findable by all its targets.
func (s *Session) enter(x *item) {
	for i := range x.Targets {
		t := &x.Targets[i]
		keys := []string{x.Query.ID + "\x00" + key(t)}
		if t.Chunk != "" && t.Anchored() {
			keys = append(keys, x.Query.ID+"\x00"+chunkKey(t))
		}
		for _, k := range keys {
			if !slices.Contains(s.byKey[k], x) {
				s.byKey[k] = append(s.byKey[k], x)
			}
		}
	}
}

// sort puts queries, and the passages of a query, in seeded order: a query is read once, and nothing about a passage follows
// from its place.
func (s *Session) sort() {
	type place struct {
		turn  int
		query float64
		item  float64
	}
	first := map[string]int{}
	for _, x := range s.items {
		if turn, ok := first[x.Query.ID]; !ok || x.Turn < turn {
			first[x.Query.ID] = x.Turn
		}
	}
	places := make(map[*item]place, len(s.items))
	for _, x := range s.items {
		q := Item{Query: x.Query, Targets: []assay.Target{{}}}
		places[x] = place{first[x.Query.ID], q.draw(s.opts.Seed, "query"), x.draw(s.opts.Seed, "item")}
	}
	slices.SortFunc(s.items, func(a, b *item) int {
		p, q := places[a], places[b]
		return cmp.Or(cmp.Compare(p.turn, q.turn), cmp.Compare(p.query, q.query), cmp.Compare(a.Query.ID, b.Query.ID),
			cmp.Compare(a.Turn, b.Turn), cmp.Compare(p.item, q.item))
	})
}

// find is the item that an event is about, or nil: by the place or the chunk it names.
func (s *Session) find(l *assay.Label) *item {
	for _, k := range []string{key(&l.Target), chunkKey(&l.Target)} {
		if found := s.byKey[l.Query+"\x00"+k]; len(found) == 1 {
			return found[0]
		}
	}
	return nil
}

// rater finds or makes the state of a person.
func (s *Session) rater(who string) *rater {
	r := s.raters[who]
	if r == nil {
		r = &rater{name: who, first: map[*item]*answer{}, repeated: map[*item]bool{}, bad: map[string]map[*item]bool{}}
		s.raters[who] = r
	}
	return r
}
