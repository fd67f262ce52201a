package tokens_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/llm/internal/tokens"
)

// The counts are those of two real tokenizers, special tokens left out: MiniLM's WordPiece and Gemma 3's
// SentencePiece, as llama.cpp's /tokenize gives them (2026-12-02).
func TestBoundsHoldRealCounts(t *testing.T) {
	for _, c := range []struct {
		text          string
		minilm, gemma int
	}{
		{"", 0, 0},
		{"hello world", 2, 2},
		{"Passage: Backups are kept for thirty days.\nQuestion:", 12, 14},
		{"备份保留三十天。备份保留三十天。", 16, 10},
		{"def f(x):\n    return [i**2 for i in range(x) if i % 3 == 0]\n", 27, 29},
		{"SELECT id, name FROM users WHERE created_at >= '2024-01-31' ORDER BY 2;", 24, 28},
		{"Wie lange werden Datensicherungen aufbewahrt? Dreißig Tage, sofern nichts anderes vereinbart wurde.", 39, 23},
		{"Сколько времени хранятся резервные копии?", 35, 12},
		{"https://example.com/docs/v1.2.3/index.html?lang=de&q=a%20b#top", 34, 32},
		{"👩\u200d🚒👍🏽 🎉", 2, 6},
		{"The retrieval-augmented generation pipeline returned 1,234.56 results in 0.0078 s (p95).", 26, 31},
		{"bm25 k1=0.9 b=0.4 e.g. U.S. don't", 25, 25},
	} {
		r := tokens.Of(c.text)
		if low, high := min(c.minilm, c.gemma), max(c.minilm, c.gemma); r.Low > low || r.High < high {
			t.Errorf("%q has %d and %d tokens, bounds %d to %d", c.text, c.minilm, c.gemma, r.Low, r.High)
		}
	}
}

func TestOf(t *testing.T) {
	for _, c := range []struct {
		text      string
		low, high int
	}{
		{strings.Repeat("retrieval ", 100), 90, 500},
		{"2024-01-31", 0, 10},
		{"备份保留三十天。", 1, 16},
		{"👩‍🚒", 0, 10},
		{"über", 0, 2},
		{"a    b", 1, 3},
		{"a\n\n\tb", 1, 5},
		{"\xff\xfe", 0, 2},
	} {
		if got := tokens.Of(c.text); got.Low != c.low || got.High != c.high {
			t.Errorf("%q: %+v, want %d to %d", c.text, got, c.low, c.high)
		}
	}
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		ra, whole := tokens.Of(a), tokens.Of(a+" "+b)
		if ra.Low > ra.High {
			t.Fatalf("%q: low %d above high %d", a, ra.Low, ra.High)
		}
		if whole.Low < ra.Low || whole.High < ra.High {
			t.Fatalf("more text has fewer tokens: %+v, then %+v", ra, whole)
		}
	})
}
