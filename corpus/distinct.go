package corpus

// distinct tells texts that are near duplicates of one seen before. Unlike Classes it decides about each
// text by those before it alone, so that more texts change nothing about the first.
type distinct struct {
	texts map[string]bool
	sets  [][]uint64
	index *bandIndex
}

func newDistinct() *distinct { return &distinct{texts: map[string]bool{}, index: newBandIndex(0)} }

// add reports whether text says something that no text added before it does, and then remembers it.
func (d *distinct) add(text string) bool {
	if d.texts[text] {
		return false
	}
	set := shingles(text)
	sketch := sign(set)
	if len(set) > 0 { // without words, only equal texts are duplicates
		for _, i := range d.index.lookup(&sketch, mostCandidates) {
			if jaccard(set, d.sets[i]) >= NearDuplicate {
				return false
			}
		}
		d.index.shared = append(d.index.shared, 0)
		d.index.add(&sketch, len(d.sets))
		d.sets = append(d.sets, set)
	}
	d.texts[text] = true
	return true
}
