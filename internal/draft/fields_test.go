package draft

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/discover"
)

// sample makes chunks of the metadata that an ingest script or a framework writes.
func sample(n int, of func(i int) map[string]any) []assay.Chunk {
	var out []assay.Chunk
	for i := range n {
		out = append(out, assay.Chunk{ID: fmt.Sprint(i), Metadata: of(i)})
	}
	return out
}

func sentence(i int) string {
	return fmt.Sprintf("Sentence number %d says something of more than forty bytes.", i)
}

func TestGuess(t *testing.T) {
	wide := strings.Repeat("größer ", 10)
	for name, c := range map[string]struct {
		kind   string
		chunks []assay.Chunk
		want   Fields
	}{
		"a script": {discover.Qdrant, sample(9, func(i int) map[string]any {
			return map[string]any{"chunk_id": fmt.Sprint("c", i), "text": sentence(i), "path": fmt.Sprintf("d%d.md", i/3), "start": int64(100 * i), "end": int64(100*i + len(sentence(i)))}
		}), Fields{Key: "chunk_id", Text: "text", Document: "path", Start: "start", End: "end"}},
		"LangChain": {discover.Qdrant, sample(9, func(i int) map[string]any {
			return map[string]any{"page_content": sentence(i), "metadata": map[string]any{"source": "x.md", "page": int64(i), "start_index": int64(i)}}
		}), Fields{Text: "page_content", Document: "metadata.source"}},
		"Haystack": {discover.Qdrant, sample(9, func(i int) map[string]any {
			return map[string]any{"content": sentence(i), "meta": map[string]any{"file_path": "x", "title": "T"}, "id": fmt.Sprint("h", i)}
		}), Fields{Key: "id", Text: "content", Document: "meta.file_path", Title: "meta.title"}},
		"no name that is known": {discover.Qdrant, sample(9, func(i int) map[string]any {
			return map[string]any{"inhalt": sentence(i) + sentence(i), "sprache": "de"}
		}), Fields{Text: "inhalt"}},
		"keys that repeat are no keys": {discover.Qdrant, sample(9, func(i int) map[string]any {
			return map[string]any{"chunk_id": int64(i % 3), "text": sentence(i)}
		}), Fields{Text: "text"}},
		"places in characters": {discover.Qdrant, sample(9, func(i int) map[string]any {
			return map[string]any{"text": wide, "source": "a", "start": int64(0), "end": int64(len([]rune(wide)))}
		}), Fields{Text: "text", Document: "source"}},
		"places in bytes": {discover.Qdrant, sample(9, func(i int) map[string]any {
			return map[string]any{"text": wide, "source": "a", "start": int64(5), "end": int64(5 + len(wide))}
		}), Fields{Text: "text", Document: "source", Start: "start", End: "end"}},
		"no text at all": {discover.Qdrant, sample(9, func(i int) map[string]any { return map[string]any{"n": int64(i)} }), Fields{}},
		"no metadata":    {discover.Chroma, []assay.Chunk{{ID: "a", Text: "its own text"}}, Fields{ownText: true}},
	} {
		got := guess(&Store{Kind: c.kind}, c.chunks, nil)
		if d := cmp.Diff(c.want, got, cmp.AllowUnexported(Fields{}), cmpopts.IgnoreFields(Fields{}, "notes")); d != "" {
			t.Errorf("%s:\n%s%v", name, d, got.notes)
		}
	}
}

// Nothing that is not known is passed over in silence.
func TestGuessSaysWhatItIsSureOf(t *testing.T) {
	statuses := func(f Fields) map[string]Status {
		out := map[string]Status{}
		for _, n := range f.notes {
			out[n.What] = n.Status
		}
		return out
	}
	ascii := sample(9, func(i int) map[string]any {
		return map[string]any{"text": sentence(i), "source": "a", "start": int64(0), "end": int64(len(sentence(i)))}
	})
	got := statuses(guess(&Store{Kind: discover.Qdrant}, ascii, nil))
	if d := cmp.Diff(map[string]Status{"text": Guessed, "key": Found, "document": Guessed, "place": Guessed}, got); d != "" {
		t.Error(d)
	}
	got = statuses(guess(&Store{Kind: discover.Qdrant}, sample(3, func(int) map[string]any { return nil }), nil))
	if d := cmp.Diff(map[string]Status{"text": Unknown, "key": Found, "document": Unknown}, got); d != "" {
		t.Error(d)
	}
}
