package corpus

import "slices"

// Twins holds a few texts, such as those that one query's labels judge, and finds the one that another is a near
// duplicate of. Where Classes looks at a whole corpus and approximates, Twins is exact, and decides about two texts by
// these two alone: the answer does not depend on what else is there. The zero value holds nothing.
type Twins struct {
	equal map[string]int // text to the first of its kind
	sizes []int          // of the sets of shingles
	most  int            // the largest of them
	posts postings

	shared []int // by text, all 0 between calls
}

// Len is how many texts were added.
func (t *Twins) Len() int { return len(t.sizes) }

// Add adds a text; its number is how many were added before it.
func (t *Twins) Add(text string) {
	n := len(t.sizes)
	if t.equal == nil {
		t.equal = map[string]int{}
	}
	if _, again := t.equal[text]; !again {
		t.equal[text] = n
	}
	set := shingles(text)
	t.posts.add(set, n)
	t.sizes, t.shared, t.most = append(t.sizes, len(set)), append(t.shared, 0), max(t.most, len(set))
}

// Of is the number of the text that another equals or, else, is most similar to; the first on a tie. It is false when
// all are below NearDuplicate. Texts without words are near duplicates of none.
func (t *Twins) Of(text string) (number int, ok bool) {
	if n, ok := t.equal[text]; ok {
		return n, true
	}
	found, missed, ok := t.known(text)
	if !ok {
		return 0, false
	}
	for _, s := range found {
		for at := t.posts.first(s); at >= 0; at = t.posts.list[at].next {
			t.shared[t.posts.list[at].text]++
		}
	}
	most := 0.0
	for n, both := range t.shared {
		t.shared[n] = 0
		if both == 0 {
			continue
		}
		if sim := float64(both) / float64(t.sizes[n]+len(found)+missed-both); sim >= NearDuplicate && sim > most {
			number, most = n, sim
		}
	}
	return number, most > 0
}

// known cuts a text into those shingles that some text here has, each once, and a count of the others. Whatever is a near
// duplicate of a set of n shingles has at most n·(1−J)/J that are not in it; reading ends, with false, when there are more.
func (t *Twins) known(text string) (found []uint64, missed int, ok bool) {
	bound := float64(t.most) * (1 - NearDuplicate) / NearDuplicate
	most := int(bound + 1e-9)
	var others []uint64
	full := most + 1 // so many are looked at closer: some may be there twice
	for s := range eachShingle(text) {
		if t.posts.first(s) >= 0 {
			found = append(found, s)
			continue
		}
		if others = append(others, s); len(others) < full {
			continue
		}
		slices.Sort(others)
		if others = slices.Compact(others); len(others) > most {
			return nil, 0, false
		}
		full = 2*most + 2
	}
	slices.Sort(others)
	slices.Sort(found)
	others, found = slices.Compact(others), slices.Compact(found)
	return found, len(others), len(others) <= most && len(found) > 0
}

// postings finds the texts that have a shingle: a hash table with open addressing, since the shingles are hashes already and
// a table is filled for every query.
type postings struct {
	table []int32 // to the newest entry of a shingle plus 1; 0 is free
	list  []textPost
	keys  int
}

type textPost struct {
	shingle    uint64
	text, next int32 // next is an earlier text with the shingle, −1 at the end
}

// first is the newest entry of a shingle, −1 when no text has it.
func (p *postings) first(shingle uint64) int32 {
	if len(p.table) == 0 {
		return -1
	}
	return p.table[p.slot(shingle)] - 1
}

// slot is where a shingle is or would be; some slot is always free.
func (p *postings) slot(shingle uint64) uint64 {
	mask := uint64(len(p.table) - 1)
	at := shingle & mask
	for p.table[at] != 0 && p.list[p.table[at]-1].shingle != shingle {
		at = (at + 1) & mask
	}
	return at
}

func (p *postings) add(set []uint64, text int) {
	p.grow(p.keys + len(set))
	p.list = slices.Grow(p.list, len(set))
	for _, s := range set {
		at := p.slot(s)
		if p.table[at] == 0 {
			p.keys++
		}
		p.list = append(p.list, textPost{s, int32(text), p.table[at] - 1})
		p.table[at] = int32(len(p.list))
	}
}

// grow keeps the table at most half full.
func (p *postings) grow(keys int) {
	size := max(16, len(p.table))
	for size < 2*keys {
		size *= 2
	}
	if size == len(p.table) {
		return
	}
	p.table = make([]int32, size)
	for i := range p.list { // later entries take the slot from earlier ones of their shingle
		p.table[p.slot(p.list[i].shingle)] = int32(i + 1)
	}
}
