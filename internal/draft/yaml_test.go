package draft

import (
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/discover"
	"github.com/assay-eval/assay/stats"
)

// Names come from servers and folders: whatever they are, YAML reads them back, and none leaves its place.
func TestScalarsComeBack(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, text, comment string) {
		p := &page{}
		p.key(0, "k", text, comment)
		p.item(0, text)
		doc, list, _ := strings.Cut(p.String(), "\n- ")
		var got map[string]any
		if err := yaml.Unmarshal([]byte(doc), &got); err != nil || len(got) != 1 || got["k"] != text {
			t.Fatalf("%q %q: %v, %v, from\n%s", text, comment, got, err, doc)
		}
		var items []any
		if err := yaml.Unmarshal([]byte("- "+list), &items); err != nil || len(items) != 1 || items[0] != text {
			t.Fatalf("%q: %v, %v, from\n%s", text, items, err, list)
		}
	}
	for _, s := range []string{"docs", "http://127.0.0.1:6333", "llama3.1:8b", "no", "Null", "1e3", "a: b", "a #b", "- a", "{x}", "*a", "&a", "!x", "%x", "@x", "~", "",
		" ", "a\nb: c", "\t", "\"", "'", "größe", "x:", "0x1f", "1_000", "12:30", "recall@10 drop < 0.09", "a\u2028b", "a\u0085b", "\u007f"} {
		check(t, s, s)
	}
	rapid.Check(t, func(r *rapid.T) { check(r, rapid.String().Draw(r, "text"), rapid.String().Draw(r, "comment")) })
}

// The margin is never below what can be seen with the queries there are.
func TestMarginIsDetectable(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(0, 5000).Draw(r, "queries")
		d := &Draft{}
		d.margin(n)
		m := d.Margin
		if m.Drop < m.Detectable || m.Drop > m.Detectable+0.01 || m.Supposed != (n < fewest) || m.Queries < fewest {
			r.Fatalf("%+v", m)
		}
		if p := stats.Power(m.Drop, stats.DiscordanceSD(m.Discordant, 0), m.Queries, 0.05); p < 0.8 {
			r.Fatalf("a loss of %v is found with %d queries in %.3f of all cases", m.Drop, m.Queries, p)
		}
	})
	d := &Draft{}
	d.margin(0)
	// By hand: (1.960 + 0.842)·√0.2/√200 = 0.0886, and a little more by Student's t: 0.09.
	if d.Margin.Drop != 0.09 || d.Margin.Queries != 200 {
		t.Errorf("%+v", d.Margin)
	}
}

// A key is written as the name of its variable.
func TestSecretsAreNames(t *testing.T) {
	s := &discover.Server{Kind: discover.Qdrant, URL: "http://q:6333", KeyEnv: "QDRANT_API_KEY"}
	d := &Draft{Store: &Store{Kind: s.Kind, URL: s.URL, Collection: discover.Collection{Name: "docs", Count: 3, Dimension: 8}, server: s},
		Embedder: &Embedder{Provider: discover.OpenAI, Model: "m", URL: "https://a/v1", Check: Unchecked, Why: "x\ny: z", server: &discover.Server{KeyEnv: "OPENAI_API_KEY"}}}
	text := d.YAML()
	for _, want := range []string{"api_key: {env: QDRANT_API_KEY}", "api_key: {env: OPENAI_API_KEY}", "GUESS, by its dimension alone: x y: z."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
