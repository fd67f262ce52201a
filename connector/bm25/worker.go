package bm25

import (
	"math"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/bm25/analyze"
)

// worker counts the terms of its share of the chunks, with a dictionary of its own.
type worker struct {
	analyzer *analyze.Analyzer
	text     func(*assay.Chunk) string
	words    analyze.Words
	buf      []byte

	terms   map[string]uint32 // term to number
	surface map[string]uint32 // word as written to its term's number, or dropped
	counts  []uint32          // by term number, zero between chunks
	touched []uint32          // the terms of the current chunk

	chunks  []counted
	entries []entry
}

// counted is a chunk whose terms are entries[start:end].
type counted struct {
	index      int // in the stream
	start, end int
	length     uint32 // terms, repeats counted
}

type entry struct{ term, count uint32 }

const (
	dropped = math.MaxUint32

	// maxSurface bounds the memory of words already seen; real text repeats itself long before.
	maxSurface = 1 << 20
)

func newWorker(a *analyze.Analyzer, text func(*assay.Chunk) string) *worker {
	return &worker{analyzer: a, text: text, words: a.Words(""), terms: map[string]uint32{}, surface: map[string]uint32{}}
}

func (w *worker) add(index int, c *assay.Chunk) error {
	doc := counted{index: index, start: len(w.entries)}
	w.words.Reset(w.text(c))
	for word, ok := w.words.Next(); ok; word, ok = w.words.Next() {
		t, seen := w.surface[word]
		if !seen {
			t = w.learn(word)
		}
		if t == dropped {
			continue
		}
		if w.counts[t] == 0 {
			w.touched = append(w.touched, t)
		}
		w.counts[t]++
		if doc.length++; doc.length == math.MaxUint32 {
			return assay.Errorf(assay.KindInvalid, op, c.ID, "the chunk has too many words to count")
		}
	}
	for _, t := range w.touched {
		w.entries = append(w.entries, entry{t, w.counts[t]})
		w.counts[t] = 0
	}
	w.touched = w.touched[:0]
	doc.end = len(w.entries)
	w.chunks = append(w.chunks, doc)
	return nil
}

// learn finds the term of a word not seen before.
func (w *worker) learn(word string) uint32 {
	if len(w.surface) >= maxSurface {
		clear(w.surface)
	}
	t := uint32(dropped)
	if w.buf = w.analyzer.Term(w.buf[:0], word); len(w.buf) > 0 {
		var ok bool
		if t, ok = w.terms[string(w.buf)]; !ok {
			t = uint32(len(w.terms))
			w.terms[string(w.buf)] = t
			w.counts = append(w.counts, 0)
		}
	}
	w.surface[strings.Clone(word)] = t
	return t
}
