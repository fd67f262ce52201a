package score

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
	"github.com/assay-eval/assay/testset"
)

// member is one label of a gold item, prepared for matching.
type member struct {
	target assay.Target
	grade  assay.Grade
	by     assay.Rater
	hash   string // of the labelled chunk's text; "" when unknown
	class  string // of that text; "" when unknown
	item   int    // index of its item
	label  int    // index of its label

	wholeDocument bool // judges a document as a whole
	wholeChunk    bool // judges all of its chunk's text rather than a quote from it
}

// item is a class of equivalent labels: the unit that measures count.
type item struct {
	grade assay.Grade
	by    assay.Rater
}

// gold is what the labels of one query ask for.
type gold struct {
	members []member
	items   []item
	stale   int // labels whose text is no longer where they point, nor anywhere else

	byChunk, byDocument, byClass map[string][]int // members
	quotes                       []int            // members with a quote
	twins                        *twins
	raw                          map[string]assay.Grade
	rawDocuments                 bool // some raw ids are those of documents
}

// newGold builds the items of a query of a set from its effective labels.
func newGold(set *testset.Set, query string, labels []assay.Label, k *knowledge) *gold {
	g := &gold{raw: map[string]assay.Grade{}}
	for i := range labels {
		l := &labels[i]
		g.addRaw(l)
		m := member{label: i, target: l.Target, grade: l.Grade, by: l.By, hash: l.Target.TextHash, wholeDocument: testset.WholeDocument(&l.Target)}
		if !k.refresh(&m.target) {
			g.stale++
			continue
		}
		if m.hash == "" && m.target.Chunk != "" {
			m.hash = k.hashOf(m.target.Chunk)
		}
		m.wholeChunk = m.target.Quote == "" || m.hash != "" && assay.HashText(m.target.Quote) == m.hash
		g.members = append(g.members, m)
	}
	g.override()
	g.twins = newTwins(g.members, k, func(hash string) (string, bool) { return set.Passage(query, hash) })
	g.group()
	g.index()
	return g
}

// addRaw notes the plain id a label stands for, as a script that knows nothing of text would read it.
func (g *gold) addRaw(l *assay.Label) {
	id := l.Target.Chunk
	if testset.WholeDocument(&l.Target) {
		id, g.rawDocuments = l.Target.Document, true
	}
	if id == "" {
		return
	}
	if old, ok := g.raw[id]; !ok || l.Grade > old {
		g.raw[id] = l.Grade
	}
}

// override lets a label of more authority decide over the text inside it: a person who called a whole
// chunk irrelevant meant the sentence in it too, from which a model had written the query.
func (g *gold) override() {
	grades := make([]assay.Grade, len(g.members))
	for j := range g.members {
		m := &g.members[j]
		grades[j] = m.grade
		best := testset.Authority(m.by)
		for i := range g.members {
			o := &g.members[i]
			if a := testset.Authority(o.by); a > best && o.holds(m) {
				best, grades[j] = a, o.grade
			}
		}
	}
	for j := range g.members {
		g.members[j].grade = grades[j]
	}
}

// sameText reports whether spans of both members count in one version of one document.
func (m *member) sameText(o *member) bool {
	return m.target.Anchored() && o.target.Anchored() && m.target.Document == o.target.Document && m.target.Version == o.target.Version
}

// holds reports whether o's text lies inside m's.
func (m *member) holds(o *member) bool {
	return m.sameText(o) && m.target.Span().Contains(o.target.Span())
}

// group joins equivalent members to items. Equal or near-duplicate texts are one item whatever their
// grades. Relevant labels that lie in one another, or in one chunk, are one too: any hit that has the
// larger has the smaller, and nobody should have to find it twice.
func (g *gold) group() {
	parent := make([]int, len(g.members))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i := range g.members {
		for j := range i {
			if g.members[i].equivalent(&g.members[j]) {
				a, b := find(i), find(j)
				parent[max(a, b)] = min(a, b)
			}
		}
	}
	number := map[int]int{}
	for i := range g.members {
		m := &g.members[i]
		root := find(i)
		n, ok := number[root]
		if !ok {
			n = len(g.items)
			number[root] = n
			g.items = append(g.items, item{m.grade, m.by})
		}
		m.item = n
		// The word of most authority is the item's; of equal authority, the higher grade, since some
		// wording of the text was found to answer.
		it := &g.items[n]
		if a, b := testset.Authority(m.by), testset.Authority(it.by); a > b || a == b && m.grade > it.grade {
			it.grade, it.by = m.grade, m.by
		}
	}
}

func (m *member) equivalent(o *member) bool {
	relevant := m.grade >= assay.RelevantGrade && o.grade >= assay.RelevantGrade
	switch {
	case m.class != "" && m.class == o.class && (relevant || m.speaksFor(o)):
		return true
	case !relevant:
		return false
	case m.target.Chunk != "" && m.target.Chunk == o.target.Chunk:
		return true
	case !m.sameText(o):
		return false
	}
	a, b := m.target.Span(), o.target.Span()
	return anchor.CreditFor(a, b) == anchor.Full || anchor.CreditFor(b, a) == anchor.Full
}

// speaksFor reports whether one label, on all of its text, may decide for another on equal text: the
// grade of a single sentence says nothing about the rest of the chunk.
func (m *member) speaksFor(o *member) bool {
	a, b := testset.Authority(m.by), testset.Authority(o.by)
	return (a < b || m.wholeChunk) && (b < a || o.wholeChunk)
}

// index prepares the look-up of members by what a hit may bring.
func (g *gold) index() {
	g.byChunk, g.byDocument, g.byClass = map[string][]int{}, map[string][]int{}, map[string][]int{}
	for i := range g.members {
		m := &g.members[i]
		if m.target.Chunk != "" {
			g.byChunk[m.target.Chunk] = append(g.byChunk[m.target.Chunk], i)
		}
		if m.target.Document != "" {
			g.byDocument[m.target.Document] = append(g.byDocument[m.target.Document], i)
		}
		if m.class != "" {
			g.byClass[m.class] = append(g.byClass[m.class], i)
		}
		if m.target.Quote != "" {
			g.quotes = append(g.quotes, i)
		}
	}
}

// grades lists the grade of every item, for measure.Topic.Gold.
func (g *gold) grades() []float64 {
	out := make([]float64, len(g.items))
	for i := range g.items {
		out[i] = float64(g.items[i].grade)
	}
	return out
}

// relevant counts the items that are relevant.
func (g *gold) relevant() int {
	n := 0
	for i := range g.items {
		if g.items[i].grade >= assay.RelevantGrade {
			n++
		}
	}
	return n
}

// rawGrades lists the grades of the plain ids, in a stable order.
func (g *gold) rawGrades() []float64 {
	out := make([]float64, 0, len(g.raw))
	for _, grade := range g.raw {
		out = append(out, float64(grade))
	}
	slices.Sort(out)
	return out
}
