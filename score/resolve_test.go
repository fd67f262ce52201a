package score_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/corpus"
	"github.com/assay-eval/assay/score"
)

const manual = "# Backup\n\nNightly backups are kept for thirty days, then removed.\n\nOlder copies are in the vault. Retry later. Ask the vault team for them.\n"

// find is the span of a part of the manual.
func find(t *testing.T, part string) (start, end int) {
	t.Helper()
	start = strings.Index(manual, part)
	if start < 0 {
		t.Fatalf("%q is not in the manual", part)
	}
	return start, start + len(part)
}

// TestWays holds the order of contract §3: place, unique text, key with equal text, quote, key alone.
func TestWays(t *testing.T) {
	const quote = "Nightly backups are kept for thirty days"
	start, end := find(t, quote)
	doc := assay.Document{ID: "ops", Text: manual}
	anchored := assay.Target{Chunk: "ops#1", Document: "ops", Version: doc.Version(), Start: start, End: end, Quote: quote, Before: "# Backup\n\n", After: ", then removed.", TextHash: assay.HashText("chunk")}
	bare := assay.Target{Chunk: "ops#1"}
	hashed := assay.Target{Chunk: "ops#1", TextHash: assay.HashText("chunk")}
	short := assay.Target{Document: "ops", Quote: "Retry later.", Before: "in the vault. ", After: " Ask the vault"}
	whole := assay.Target{Document: "ops"}
	passages := texts{}
	text := func(id, body string) assay.RankedHit { return assay.RankedHit{ID: id, TextHash: passages.put(body)} }
	placed := func(h assay.RankedHit, document string, start, end int) assay.RankedHit {
		h.Document, h.Start, h.End = document, &start, &end
		return h
	}
	corpus := &index{documents: map[string]assay.Document{"ops": doc}, chunks: map[string]assay.Chunk{
		"ops#1": {ID: "ops#1", Document: "ops", Version: doc.Version(), Span: &assay.Span{Start: start, End: end + 15}, Text: manual[start : end+15]}}}
	for _, tc := range []struct {
		name   string
		target assay.Target
		hit    assay.RankedHit
		opts   score.Options
		want   string // way and grade
	}{
		{"place", anchored, at("x", "ops", start-5, end), score.Options{}, "place 3"},
		{"place, three quarters", anchored, at("x", "ops", start+10, end+40), score.Options{}, "place 3"},
		{"place, less than three quarters", anchored, at("x", "ops", start+11, end+40), score.Options{}, "place 1"},
		{"place, a quarter", anchored, at("x", "ops", start+30, end+40), score.Options{}, "place 1"},
		{"place, less than a quarter", anchored, at("x", "ops", start+31, end+40), score.Options{}, "unresolved"},
		{"place, touching", anchored, at("x", "ops", end, end+40), score.Options{}, "unresolved"},
		{"place of another document", anchored, at("x", "other", start, end), score.Options{}, "unresolved"},
		{"place decides against the same words elsewhere in the document", anchored, placed(text("x", "again: "+quote), "ops", end+1, end+60), score.Options{}, "unresolved"},
		{"place decides against the key", anchored, placed(text("ops#1", "moved"), "ops", end+1, end+60), score.Options{}, "unresolved"},
		{"unique place of the text", anchored, text("x", manual[:end]), score.Options{Places: corpus}, "text 3"},
		{"text comes before key", anchored, text("ops#1", manual[start:end+15]), score.Options{Places: corpus, Index: corpus}, "text 3"},
		{"key and text", hashed, text("ops#1", "chunk"), score.Options{}, "key_text 3"},
		{"key and the text that the index holds", anchored, text("ops#1", manual[start:end+15]), score.Options{Index: corpus}, "key_text 3"},
		{"key comes before quote", anchored, text("ops#1", "chunk"), score.Options{}, "key_text 3"},
		{"quote", anchored, text("x", "Ops. "+quote+", and so on"), score.Options{}, "quote 3"},
		{"quote in a text with other white space", anchored, text("x", strings.ReplaceAll(quote, " ", "\n  ")), score.Options{}, "quote 3"},
		{"quote in half", anchored, text("x", quote[:30]), score.Options{}, "unresolved"},
		{"key with another text", hashed, text("ops#1", "edited"), score.Options{}, "unresolved"},
		{"key with another text that has the quote", anchored, text("ops#1", "edited: "+quote), score.Options{}, "quote 3"},
		{"key alone, the store gives no text", hashed, assay.RankedHit{ID: "ops#1"}, score.Options{}, "key 3"},
		{"key alone, the label has no text", bare, text("ops#1", "anything"), score.Options{}, "key 3"},
		{"key alone of another chunk whose place is known", anchored, assay.RankedHit{ID: "ops#2"}, score.Options{Index: &index{chunks: map[string]assay.Chunk{
			"ops#2": {ID: "ops#2", Document: "ops", Span: &assay.Span{Start: 0, End: end}}}}}, "key 3"},
		{"short quote in its surroundings", short, text("x", "are in the vault. Retry later. Ask"), score.Options{}, "quote 3"},
		{"short quote alone", short, text("x", "Retry later."), score.Options{}, "quote 3"},
		{"short quote elsewhere", short, text("x", "Server busy. Retry later. Thanks."), score.Options{}, "unresolved"},
		{"short quote, second place", short, text("x", "Server busy. Retry later. Thanks. It is in the vault. Retry later. Then"), score.Options{}, "quote 3"},
		{"one word of unknown surroundings", assay.Target{Quote: "later"}, text("x", "Retry later."), score.Options{}, "unresolved"},
		{"one word that is the passage", assay.Target{Quote: "later"}, text("x", "later\n"), score.Options{}, "quote 3"},
		{"two words of unknown surroundings", assay.Target{Quote: "30 days"}, text("x", "keep 30 days"), score.Options{}, "quote 3"},
		{"whole document, any of its chunks", whole, at("ops#9", "ops", 0, 5), score.Options{}, "place 3"},
		{"whole document, no offsets", whole, assay.RankedHit{ID: "x", Document: "ops"}, score.Options{}, "place 3"},
		{"whole document as a point of the store", whole, assay.RankedHit{ID: "ops"}, score.Options{}, "key 3"},
		{"another document", whole, assay.RankedHit{ID: "x", Document: "other"}, score.Options{}, "unresolved"},
		{"twin", hashed, text("copy", "chunk"), score.Options{}, "class 3"},
		{"twin elsewhere in the document", anchored, placed(text("copy", "chunk"), "ops", end+1, end+60), score.Options{}, "class 3"},
		{"near-duplicate", hashed, text("copy", "Chunk!"), score.Options{Twins: newTwins}, "class 3"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set := newSet(t, []assay.Query{{ID: "q", Text: "?"}}, label("q", 3, tc.target))
			e := score.Explain(set, assay.Result{Query: "q", Hits: []assay.RankedHit{tc.hit}}, passages, tc.opts)
			got := e.Hits[0].Way.String()
			if e.Hits[0].Judged {
				got += fmt.Sprint(" ", e.Hits[0].Grade)
			}
			if got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
			if missed := len(e.Missed) == 1; missed == strings.HasSuffix(tc.want, "3") {
				t.Errorf("missed %v", e.Missed)
			}
			s := mustScore(t, set, passages, measures(t, "success@1"), tc.opts, assay.Result{Query: "q", Hits: []assay.RankedHit{tc.hit}})
			if found := value(t, s, "success@1") == 1; found != strings.HasSuffix(tc.want, "3") {
				t.Errorf("success@1 %v", found)
			}
		})
	}
}

func newTwins() assay.Twins { return new(corpus.Twins) }

// TestEditedDocument: a label made on an earlier version is found again where its text moved to (C14), and
// left out and said to be stale where its text is gone.
func TestEditedDocument(t *testing.T) {
	was := "# A\r\nx\r\n\r\n# B\r\nkeep 30 days\r\n"
	now := "# A\nx\n\n# B\nkeep 30 days\n"
	old := assay.Document{ID: "d", Text: was}
	target := assay.Target{Document: "d", Version: old.Version(), Start: 15, End: 27, Quote: was[15:27], Before: was[:15], After: was[27:]}
	set := newSet(t, []assay.Query{{ID: "q", Text: "?"}}, label("q", 3, target))
	result := assay.Result{Query: "q", Hits: []assay.RankedHit{at("d#11-23", "d", 11, 23)}}
	ms := measures(t, "recall@1", "span_recall")
	s := mustScore(t, set, nil, ms, score.Options{Index: &index{documents: map[string]assay.Document{"d": {ID: "d", Text: now}}}}, result)
	if r, sr := value(t, s, "recall@1"), value(t, s, "span_recall"); r != 1 || sr != 1 {
		t.Errorf("moved: recall@1 %v, span_recall %v, want 1 and 1", r, sr)
	}
	s = mustScore(t, set, nil, ms, score.Options{Index: &index{documents: map[string]assay.Document{"d": {ID: "d", Text: "# A\nkeep nothing"}}}}, result)
	if _, ok := hasWarning(s, "stale_labels"); !ok || s.Counts.NoGold != 1 || s.Counts.Scored != 0 {
		t.Errorf("gone: counts %+v, warnings %v", s.Counts, s.Warnings)
	}
}
