package session

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/label"
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
	items  []*item            // in the order of handing out
	byKey  map[string][]*item // by query and key of a target
	raters map[string]*rater
	last   time.Time // of the events that were made here
	done   int       // items that are closed
	split  int       // items that are disputed
}

// item is an Item with what people said of it.
type item struct {
	Item
	place  int                // in the order of handing out
	luck   float64            // decides which items are asked again
	second bool               // two people are wanted
	judge  *assay.Grade       // what the LLM judge said last
	words  map[string]*answer // what stands, by rater
	holder *rater             // whom it is in front of; nil is nobody

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
	name    string
	answers []*answer                 // what stands, oldest first
	first   map[*item]*answer         // the answer before a repeat, by what was repeated
	passed  int                       // items before this place are nothing for the rater any more
	events  int                       // all events, those taken back included
	bad     map[string]map[*item]bool // queries this rater called bad, with the items it was said on
	settled []*answer                 // adjudications made in this session, oldest first
	current *task
	heard   time.Time // when they last said anything
}

// task is an item in front of a rater.
type task struct {
	item   *item
	repeat bool
	gold   bool // its grade is known
	asked  bool // back in front of the rater because they took their answer back
}

// New makes a session of the items, and replays what the store holds on them. Items must have an id, a query and a text; an id
// that is there twice is an error.
func New(items []Item, store Store, o Options) (*Session, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	s := &Session{opts: o, store: store, byKey: map[string][]*item{}, raters: map[string]*rater{}}
	ids, queries := map[string]bool{}, map[string]bool{}
	for _, it := range items {
		if it.ID == "" || it.Query == "" || it.Passage.Text == "" {
			return nil, fmt.Errorf("an item to judge without id, query or passage")
		}
		if ids[it.ID] {
			return nil, fmt.Errorf("the passage %q of query %q is there twice", it.Passage.Target.Chunk, it.Query)
		}
		x := &item{Item: it, words: map[string]*answer{}}
		x.second, x.luck = label.Draw(o.Seed, "second", it.ID) < o.Second, label.Draw(o.Seed, "repeat", it.ID)
		s.items = append(s.items, x)
		s.enter(x)
		ids[it.ID], queries[it.Query] = true, true
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
	s.enterAs(x, &x.Passage.Target)
	for i := range x.Twins {
		s.enterAs(x, &x.Twins[i].Target)
	}
}

func (s *Session) enterAs(x *item, t *assay.Target) {
	keys := []string{x.Query + "\x00" + key(t)}
	if t.Chunk != "" && t.Anchored() {
		keys = append(keys, x.Query+"\x00"+chunkKey(t))
	}
	for _, k := range keys {
		if !slices.Contains(s.byKey[k], x) {
			s.byKey[k] = append(s.byKey[k], x)
		}
	}
}

// sort puts the items into the order of label.Shuffle, those whose turn it is first: a query is read once, and nothing about a
// passage follows from its place.
func (s *Session) sort() {
	shuffled := make([]label.Item, len(s.items))
	for i, x := range s.items {
		shuffled[i] = x.Item.Item
	}
	label.Shuffle(shuffled, s.opts.Seed)
	rank, queryRank := map[string]int{}, map[string]int{}
	for i := range shuffled {
		it := &shuffled[i]
		if rank[it.ID] = i; i == 0 || it.Query != shuffled[i-1].Query {
			queryRank[it.Query] = i
		}
	}
	turn := map[string]int{}
	for _, x := range s.items {
		if t, ok := turn[x.Query]; !ok || x.Turn < t {
			turn[x.Query] = x.Turn
		}
	}
	slices.SortFunc(s.items, func(a, b *item) int {
		return cmp.Or(cmp.Compare(turn[a.Query], turn[b.Query]), cmp.Compare(queryRank[a.Query], queryRank[b.Query]),
			cmp.Compare(a.Turn, b.Turn), cmp.Compare(rank[a.ID], rank[b.ID]))
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
		r = &rater{name: who, first: map[*item]*answer{}, bad: map[string]map[*item]bool{}}
		s.raters[who] = r
	}
	return r
}
