package testset

import (
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
)

// targetKey names what a target judges, so that two events about the same thing meet: its place in a
// version of a document; else its chunk key; else its quote; else the whole document. It is "" for a
// target that names nothing, which only a remark about the query as a whole may have.
func targetKey(t *assay.Target) string {
	switch {
	case t.Anchored():
		return strings.Join([]string{"place", t.Document, t.Version, strconv.Itoa(t.Start), strconv.Itoa(t.End)}, "\x00")
	case t.Chunk != "":
		return "chunk\x00" + t.Chunk
	case t.Quote != "":
		return "quote\x00" + t.Document + "\x00" + assay.HashText(t.Quote)
	case t.Document != "":
		return "document\x00" + t.Document
	}
	return ""
}

// WholeDocument reports whether a target judges a document as a whole, as qrels over documents do: any
// chunk of the document then is a hit.
func WholeDocument(t *assay.Target) bool {
	return t.Document != "" && t.Chunk == "" && t.Quote == "" && !t.Anchored()
}

// aliases finds the targets that are the same thing said with less: a bare chunk key whose chunk exactly
// one anchored target of the query names, or that turned out to be the id of a document. A label imported
// before the corpus was known so meets the same label imported after. Where several places claim the
// chunk, nothing is merged.
func aliases(events []assay.Label) map[string]string {
	places := map[string][]string{}
	for i := range events {
		t := &events[i].Target
		bare := t.Chunk
		if WholeDocument(t) {
			bare = t.Document
		} else if bare == "" || !t.Anchored() {
			continue
		}
		if key := targetKey(t); !slices.Contains(places[bare], key) {
			places[bare] = append(places[bare], key)
		}
	}
	out := map[string]string{}
	for chunk, keys := range places {
		if len(keys) == 1 {
			out["chunk\x00"+chunk] = keys[0]
		}
	}
	return out
}

// merge fills what t does not know from u, which is about the same thing.
func merge(t, u assay.Target) assay.Target {
	if WholeDocument(&t) {
		return t
	}
	if WholeDocument(&u) {
		return u
	}
	if !t.Anchored() && u.Anchored() {
		t.Document, t.Version, t.Start, t.End = u.Document, u.Version, u.Start, u.End
		t.Quote, t.Before, t.After = u.Quote, u.Before, u.After
	}
	if t.Quote == "" && t.Span() == u.Span() {
		t.Quote, t.Before, t.After = u.Quote, u.Before, u.After
	}
	if t.Chunk == "" {
		t.Chunk = u.Chunk
	}
	if t.TextHash == "" && t.Chunk == u.Chunk {
		t.TextHash = u.TextHash
	}
	return t
}

// narrow is t tied to the words in it that answer.
func narrow(t assay.Target, e *assay.Anchor) assay.Target {
	out := assay.Target{Chunk: t.Chunk, TextHash: t.TextHash, Quote: e.Quote, Before: e.Before, After: e.After}
	if e.Document != "" {
		out.Document, out.Version, out.Start, out.End = e.Document, e.Version, e.Start, e.End
	}
	return out
}
