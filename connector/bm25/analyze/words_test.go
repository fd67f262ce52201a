package analyze

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	snowballporter "github.com/blevesearch/snowballstem/porter"
	"pgregory.net/rapid"
)

// FuzzWords: words are parts of the text in order, the shortcut for ASCII agrees with the full rules, and
// no analyzer fails or returns a broken term on any text.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"", "a", "O'Neil's 3.14 a_b", "a\u0301b c\u200d.d", "_'_ 1,a a.1", "日本 API가", "\xff\xfe", "ｶﾞ", "a:\u0301b", "\r\n \u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want []string
		full := analyzers["standard"].Words(text)
		text = full.text
		for i := 0; i < len(text); {
			end, class := full.unicodeSegment(i)
			for ; class == segmentWord && end-i > MaxWord; i += len(want[len(want)-1]) {
				piece := Words{text: text, pos: i, long: end}
				want = append(want, piece.piece())
			}
			if class == segmentWord {
				want = append(want, text[i:end])
			}
			i = end
		}
		var got []string
		words := analyzers["standard"].Words(text)
		for w, ok := words.Next(); ok; w, ok = words.Next() {
			got = append(got, w)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q: words %q, by the full rules alone %q", text, got, want)
		}
		for name, a := range analyzers {
			pos := 0
			words := a.Words(text)
			for w, ok := words.Next(); ok; w, ok = words.Next() {
				at := strings.Index(words.text[pos:], w)
				if w == "" || at < 0 || len(w) > MaxWord && !a.bigrams {
					t.Fatalf("%s: %q is no word of %q after %d", name, w, words.text, pos)
				}
				pos += at
				if !a.bigrams {
					pos += len(w)
				}
				if term := a.Term(nil, w); !utf8.Valid(term) {
					t.Fatalf("%s: %q gives the broken term %q", name, w, term)
				}
			}
		}
	})
}

// TestPorterAgainstSnowball compares with an independent implementation, the Snowball program of the
// paper's algorithm, on words made of the suffixes that matter. It lacks two of the later departures.
func TestPorterAgainstSnowball(t *testing.T) {
	parts := strings.Fields(`a e i o u y b c d f g l m n r s t v w x z sses ies ss eed ed ing at bl iz ational tional
		enci anci izer abli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti
		biliti icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent sion tion
		ou ism ate iti ous ive ize`)
	rapid.Check(t, func(t *rapid.T) {
		word := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 1, 6).Draw(t, "parts"), "")
		if len(word) < 3 {
			t.Skip("left alone by the later form")
		}
		env := snowballstem.NewEnv(word)
		snowballporter.Stem(env)
		want := env.Current()
		got := string(porter([]byte(word)))
		if got != want && !strings.Contains(word, "bl") && !strings.Contains(word, "log") {
			t.Fatalf("%s: got %s, want %s", word, got, want)
		}
	})
}
