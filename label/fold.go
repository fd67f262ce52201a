package label

import (
	"cmp"
	"slices"

	"github.com/assay-eval/assay"
)

// fold makes the passages of a query into questions. The near-duplicates of a passage that is shown share its question, so
// that the label on it counts for each of them; what is only a near-duplicate of one of those is a question of its own.
//
// Which of several is shown must not tell who found it. Passages with a label come first, since a question that is answered
// is not asked again; then those that are tied to a place in a document, since a label there survives re-chunking; then the
// hash of the text decides.
func (p *Pooler) fold(query string) (open, judged []Item) {
	found := p.queries[query].found
	order := make([]ranked, len(found))
	for i := range found {
		order[i] = rank(&found[i])
	}
	slices.SortFunc(order, func(a, b ranked) int { return a.compare(&b) })
	var twins assay.Twins
	if p.opts.Twins != nil {
		twins = p.opts.Twins()
	}
	equal := map[string]int{}
	var items []Item
	var decided []bool
	for _, r := range order {
		n, ok := equal[r.hash]
		if !ok && twins != nil {
			n, ok = twins.Of(r.found.Text)
		}
		if ok {
			items[n].Twins = append(items[n].Twins, r.found.Passage)
			continue
		}
		equal[r.hash] = len(items)
		if twins != nil {
			twins.Add(r.found.Text)
		}
		items = append(items, Item{ID: ItemID(query, r.found.Text), Query: query, Passage: r.found.Passage})
		decided = append(decided, r.found.Judged)
	}
	for i, it := range items {
		if decided[i] {
			judged = append(judged, it)
		} else {
			open = append(open, it)
		}
	}
	return open, judged
}

// ranked is a passage with what decides whether it is shown.
type ranked struct {
	found *Found
	hash  string
	class int
}

func rank(f *Found) ranked {
	r := ranked{found: f, hash: assay.HashText(f.Text)}
	if !f.Target.Anchored() {
		r.class = 1
	}
	switch {
	case !f.Judged:
		r.class += 4
	case f.Twin:
		r.class += 2
	}
	return r
}

func (r *ranked) compare(o *ranked) int {
	a, b := &r.found.Target, &o.found.Target
	return cmp.Or(cmp.Compare(r.class, o.class), cmp.Compare(r.hash, o.hash),
		cmp.Compare(a.Document, b.Document), cmp.Compare(a.Start, b.Start), cmp.Compare(a.Chunk, b.Chunk))
}
