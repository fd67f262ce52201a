package connector

import (
	"strconv"

	"github.com/assay-eval/assay"
)

// HasKey are the conditions under which a record has one of these keys in a metadata field, to be tried in
// turn until one finds something: a key that reads as a number may be stored as text or as a number, and a
// store takes one type at a time.
func HasKey(field string, keys []string) []*assay.Filter {
	texts, numbers := make([]any, len(keys)), make([]any, 0, len(keys))
	for i, k := range keys {
		texts[i] = k
		if n, err := strconv.ParseInt(k, 10, 64); err == nil {
			numbers = append(numbers, n)
		}
	}
	out := []*assay.Filter{{Field: field, In: texts}}
	if len(numbers) > 0 {
		out = append(out, &assay.Filter{Field: field, In: numbers})
	}
	return out
}

// Ordered puts the chunks that a store gave, in an order of its own, into the order of the keys asked for.
// What was not asked for is left out.
func Ordered(chunks []assay.Chunk, keys []string) []assay.Chunk {
	place := make(map[string]int, len(chunks))
	for i := range chunks {
		if _, again := place[chunks[i].ID]; !again { // of records that share a key, the first
			place[chunks[i].ID] = i
		}
	}
	out := make([]assay.Chunk, 0, len(keys))
	for _, k := range keys {
		if i, ok := place[k]; ok {
			out = append(out, chunks[i])
		}
	}
	return out
}
