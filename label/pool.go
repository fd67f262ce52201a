package label

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
)

// Passage is a text that is judged, and what a label on it is tied to.
type Passage struct {
	Target assay.Target
	Title  string
	Text   string
}

// Anchor anchors words of the passage, with the context that the passage's own target knows of its document. The place
// counts from the passage's start.
func (p *Passage) Anchor(span assay.Span) (assay.Anchor, error) {
	t := &p.Target
	if t.Quote != p.Text {
		return anchor.At(p.Text, span)
	}
	return anchor.Within(t.Before, p.Text, t.After, span)
}

// Item is one question to a rater: does this passage answer this query? It says nothing of who found the passage, at which
// rank, or what anybody thinks of it, so that whole items may be shown.
type Item struct {
	ID      string // stable: a hash of the query's id and the passage's text
	Query   string // id of the query
	Passage Passage
	Twins   []Passage // near-duplicates of the passage, for which its label counts too
}

// Source is one ranking of all queries that a pool was made from.
type Source struct {
	Name    string `json:"name"`
	Queries int    `json:"queries"` // with hits
	Hits    int    `json:"hits"`    // within the depth of the pool
	// Judged is judged@depth: the mean over the queries of the share of hits that have a label. It means nothing without
	// queries.
	Judged float64 `json:"judged"`
	// NoText counts hits that cannot be judged, because the store gives no text.
	NoText int `json:"no_text,omitempty"`
}

// Pool is what has to be judged so that rankings can be compared: the union of their tops, near-duplicates folded, without
// what is judged already.
type Pool struct {
	Depth   int
	Seed    uint64
	Items   []Item // to be judged, in an order that depends on the seed and the items alone: query by query
	Judged  []Item // pooled, but judged already; in the same order
	Sources []Source
}

// Size is the number of items, those judged included.
func (p *Pool) Size() int { return len(p.Items) + len(p.Judged) }

// PoolOptions say how a pool is made.
type PoolOptions struct {
	Depth int    // hits of a ranking that enter it
	Seed  uint64 // of the order
	// Twins makes what tells near-duplicates among the passages of a query; nil makes only equal texts one.
	Twins func() assay.Twins
}

// Found is a hit in the pool's view.
type Found struct {
	Passage
	Judged bool // a label decides about it already
	Twin   bool // one on a near-duplicate of it
}

// Pooler gathers rankings into a pool.
type Pooler struct {
	opts    PoolOptions
	queries map[string]*pooled
	sources map[string]*Source
	order   []string // of sources
}

// pooled is what was found for one query: every passage once, by what it is tied to.
type pooled struct {
	found []Found
	place map[assay.Target]int
}

// NewPooler starts an empty pool.
func NewPooler(opts PoolOptions) *Pooler {
	return &Pooler{opts: opts, queries: map[string]*pooled{}, sources: map[string]*Source{}}
}

// Add adds the ranking of one query, best first, by the source of a name; what lies below the depth is left aside. Where one
// of a class of near-duplicates is judged, all are.
func (p *Pooler) Add(source, query string, hits []Found) {
	s := p.sources[source]
	if s == nil {
		s = &Source{Name: source}
		p.sources[source] = s
		p.order = append(p.order, source)
	}
	hits = hits[:min(len(hits), p.opts.Depth)]
	if len(hits) == 0 {
		return
	}
	judged := 0
	for i := range hits {
		h := &hits[i]
		if h.Judged {
			judged++
		}
		if h.Text == "" {
			s.NoText++
			continue
		}
		p.query(query).add(h)
	}
	s.Hits += len(hits)
	s.Queries++
	s.Judged += (float64(judged)/float64(len(hits)) - s.Judged) / float64(s.Queries)
}

func (p *Pooler) query(id string) *pooled {
	q := p.queries[id]
	if q == nil {
		q = &pooled{place: map[assay.Target]int{}}
		p.queries[id] = q
	}
	return q
}

func (q *pooled) add(h *Found) {
	i, again := q.place[h.Target]
	if !again {
		q.place[h.Target] = len(q.found)
		q.found = append(q.found, *h)
		return
	}
	f := &q.found[i]
	f.Twin = (f.Twin || !f.Judged) && (h.Twin || !h.Judged)
	f.Judged = f.Judged || h.Judged
}

// Pool is what was gathered so far.
func (p *Pooler) Pool() *Pool {
	out := &Pool{Depth: p.opts.Depth, Seed: p.opts.Seed}
	for _, id := range slices.Sorted(maps.Keys(p.queries)) {
		items, judged := p.fold(id)
		out.Items, out.Judged = append(out.Items, items...), append(out.Judged, judged...)
	}
	Shuffle(out.Items, p.opts.Seed)
	Shuffle(out.Judged, p.opts.Seed)
	for _, name := range p.order {
		out.Sources = append(out.Sources, *p.sources[name])
	}
	return out
}

// ItemID names the question whether a text answers a query: 16 hex digits of a hash of both.
func ItemID(query, text string) string { return hashOf(0, query, text)[:16] }

// Shuffle puts items into an order that is drawn by seed: queries in random order, the items of each together and in
// random order too. The place of an item relative to another does not change when further ones join.
func Shuffle(items []Item, seed uint64) {
	queries := map[string]string{}
	keys := make(map[string]string, len(items))
	for i := range items {
		it := &items[i]
		if queries[it.Query] == "" {
			queries[it.Query] = hashOf(seed, it.Query)
		}
		keys[it.ID] = hashOf(seed, it.Query, it.ID)
	}
	slices.SortStableFunc(items, func(a, b Item) int {
		return cmp.Or(cmp.Compare(queries[a.Query], queries[b.Query]), cmp.Compare(keys[a.ID], keys[b.ID]))
	})
}

// Draw is a number in [0,1) that depends on the seed and on fields, such as a purpose and the id of an item, and on nothing
// else: it stays when items are added or the program starts again.
func Draw(seed uint64, fields ...string) float64 {
	sum := digest(seed, fields)
	return float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53)
}

func hashOf(seed uint64, fields ...string) string {
	sum := digest(seed, fields)
	return hex.EncodeToString(sum[:])
}

// digest is a hash of a seed and of fields, each after its length, which keeps them apart whatever they hold.
func digest(seed uint64, fields []string) (sum [sha256.Size]byte) {
	h := sha256.New()
	number := func(n uint64) { h.Write(binary.LittleEndian.AppendUint64(nil, n)) }
	number(seed)
	for _, f := range fields {
		number(uint64(len(f)))
		h.Write([]byte(f))
	}
	h.Sum(sum[:0])
	return sum
}
