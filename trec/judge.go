package trec

import "math"

// Judge turns blocks into graded rankings. It holds the buffers of one goroutine.
type Judge struct {
	// Depth cuts every ranking after sorting; 0 means no cut.
	Depth int
	// JudgedOnly drops the documents without a usable grade and closes the ranks.
	JudgedOnly bool
	// Collapse keeps a document that was returned twice at its better rank and closes the ranks;
	// otherwise it is an error, as it is in trec_eval.
	Collapse bool

	seen   seenSet
	grades []float64
}

// NotJudged is the grade of a document without a judgment: below every grade, as in package measure.
var NotJudged = math.Inf(-1)

// Rank sorts the block and returns the grade at each rank, best first, NotJudged where there is none,
// and how many repeated documents were dropped. The slice is overwritten by the next call. The block's
// Hits are left sorted, collapsed and cut, one per grade unless JudgedOnly.
func (k *Judge) Rank(b *Block, j *Judgments) (grades []float64, repeated int, err error) {
	b.Sort()
	if k.Depth > 0 && !k.Collapse {
		b.Hits = b.Hits[:min(k.Depth, len(b.Hits))]
	}
	k.seen.reset(len(b.Hits))
	if cap(k.grades) < len(b.Hits) {
		k.grades = make([]float64, len(b.Hits))
	}
	grades = k.grades[:len(b.Hits)]
	suspicious := false
	for i, hit := range b.Hits {
		h := hashAt(b.data, int(hit.start), int(hit.len))
		if k.seen.add(h) {
			suspicious = true
		}
		grades[i] = NotJudged
		if grade, judged := j.grade(b.Doc(hit), h); judged {
			grades[i] = grade
		}
	}
	if suspicious {
		if grades, repeated, err = k.unique(b, grades); err != nil {
			return nil, 0, err
		}
	}
	if k.Depth > 0 && len(grades) > k.Depth {
		b.Hits, grades = b.Hits[:k.Depth], grades[:k.Depth]
	}
	if k.JudgedOnly {
		kept := grades[:0]
		for _, g := range grades {
			if g >= 0 {
				kept = append(kept, g)
			}
		}
		grades = kept
	}
	return grades, repeated, nil
}

// unique compares the ids themselves once two hashes were equal.
func (k *Judge) unique(b *Block, grades []float64) (kept []float64, repeated int, err error) {
	first := make(map[string]Hit, len(b.Hits))
	hits := b.Hits[:0]
	kept = grades[:0]
	for i, hit := range b.Hits {
		doc := b.Doc(hit)
		if other, ok := first[string(doc)]; ok {
			if !k.Collapse {
				return nil, 0, b.repeated(other, hit)
			}
			repeated++
			continue
		}
		first[string(doc)] = hit
		hits, kept = append(hits, hit), append(kept, grades[i])
	}
	b.Hits = hits
	return kept, repeated, nil
}
