package score

import (
	"cmp"
	"maps"
	"slices"

	"github.com/assay-eval/assay"
)

// twins tells which texts say the same as what the labels of one query judge. A class is named by the hash of the
// labelled text that represents it: every label in it is a near-duplicate of that one, so that chains of small changes do
// not join what differs, and every hit in it is a near-duplicate of one of its labels.
type twins struct {
	classes map[string]string // by hash of a text, as far as it was looked at; "" for one that is nobody's twin
	texts   assay.Twins       // of the labels; nil where none is known or nobody compares
	hashes  []string          // of those texts
}

// newTwins puts labels into classes. Those whose text nobody knows are alone with the ones of equal hash.
func newTwins(members []member, k *knowledge, quoted func(hash string) (string, bool)) *twins {
	t := &twins{classes: make(map[string]string, len(members))}
	texts := map[string]string{} // by hash
	for i := range members {
		m := &members[i]
		m.class = m.hash
		if k.Twins != nil && texts[m.hash] == "" {
			if text, ok := k.judged(m, quoted); ok {
				m.class = cmp.Or(m.hash, assay.HashText(text))
				texts[m.class] = text
			}
		}
		if m.class != "" {
			t.classes[m.class] = m.class
		}
	}
	t.compare(texts, k)
	for i := range members {
		members[i].class = t.classes[members[i].class]
	}
	return t
}

// compare joins near-duplicates among the labels' texts, by hash, and keeps them for the hits.
func (t *twins) compare(texts map[string]string, k *knowledge) {
	if len(texts) == 0 {
		return
	}
	maps.Copy(t.classes, Fold(texts, k.Twins))
	t.hashes, t.texts = slices.Sorted(maps.Keys(texts)), k.Twins()
	for _, hash := range t.hashes {
		t.texts.Add(texts[hash])
	}
}

// Fold puts texts, given by hash, into classes of near-duplicates: each belongs to the nearest text that represents a class,
// or else represents one itself. Texts are taken by hash, so that their order is their own. It returns the hash of the
// representative of each.
func Fold(texts map[string]string, twins func() assay.Twins) map[string]string {
	out := make(map[string]string, len(texts))
	var representatives assay.Twins
	var first []string // their hashes
	for _, hash := range slices.Sorted(maps.Keys(texts)) {
		out[hash] = hash
		if len(texts) == 1 {
			break // there is nothing to compare it with
		}
		if representatives == nil {
			representatives = twins()
		}
		if n, ok := representatives.Of(texts[hash]); ok {
			out[hash] = first[n]
			continue
		}
		representatives.Add(texts[hash])
		first = append(first, hash)
	}
	return out
}

// class names the class of a text, given by hash; "" when no label judges one like it.
func (t *twins) class(hash string, k *knowledge) string {
	if class, ok := t.classes[hash]; ok || hash == "" {
		return class
	}
	class := ""
	if t.texts != nil {
		if text, ok := k.text(hash); ok && text != "" {
			if n, ok := t.texts.Of(text); ok {
				class = t.classes[t.hashes[n]]
			}
		}
	}
	t.classes[hash] = class
	return class
}
