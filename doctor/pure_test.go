package doctor

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		in   []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{3, 1}, 2}, {[]float64{9, 1, 2}, 2}} {
		if got := median(c.in); got != c.want {
			t.Errorf("median = %v, want %v", got, c.want)
		}
	}
}

// Both ends of any text can be exchanged: the result differs, is valid, and holds no more words.
func TestOtherEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := `([a-z]{1,9}|[xz一-龥]{1,6}|not|so)`
		text := rapid.StringMatching(word+`( `+word+`){0,8}`).Draw(t, "text")
		for name, other := range map[string]string{"end": otherEnd(text), "start": otherStart(text)} {
			if other == text || !utf8.ValidString(other) || len(strings.Fields(other)) > len(strings.Fields(text)) {
				t.Fatalf("%s of %q became %q", name, text, other)
			}
		}
	})
}

func TestCutPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z 一-龥\n]{1,40}`).Draw(t, "text")
		cuts := cutPoints(text)
		if cuts[0] != 0 || cuts[len(cuts)-1] != len(text) {
			t.Fatalf("%q is cut at %v", text, cuts)
		}
		for i := 1; i < len(cuts); i++ {
			if cuts[i] <= cuts[i-1] || !utf8.ValidString(text[:cuts[i]]) {
				t.Fatalf("%q is cut at %v", text, cuts)
			}
		}
	})
}

func TestFirstSentence(t *testing.T) {
	for in, want := range map[string][2]string{
		"One. Two. Three.":             {"One.", "Two. Three."},
		"Who? Me. You.":                {"Who?", "Me. You."},
		"A heading\nand text. More.":   {"A heading", "and text. More."},
		"备份保留三十天。然后删除。":                {"备份保留三十天。", "然后删除。"},
		"only one sentence":            {"only one sentence", ""},
		"  padded. And the rest of it": {"padded.", "And the rest of it"},
	} {
		if head, rest := firstSentence(in); head != want[0] || rest != want[1] {
			t.Errorf("%q: %q, %q", in, head, rest)
		}
	}
}

func TestFitsPrefix(t *testing.T) {
	for _, c := range []struct {
		have, trained string
		want          bool
	}{
		{"search_query: ", "search_query: ", true},
		{"search_query:", "search_query: ", true},
		{"", "search_query: ", false},
		{"", "", true},
		{"query: ", "", false},
		{"Instruct: Find the paragraph\nQuery: ", "Instruct: {task}\nQuery: ", true},
		{"Instruct: \nQuery: ", "Instruct: {task}\nQuery: ", false},
		{"Query: ", "Instruct: {task}\nQuery: ", false},
	} {
		if got := fitsPrefix(c.have, c.trained); got != c.want {
			t.Errorf("fitsPrefix(%q, %q) = %v", c.have, c.trained, got)
		}
	}
}

func TestStartsProbe(t *testing.T) {
	for raw, want := range map[string]bool{
		"{\n  \"stone\" \n : \"basalt-335\",\n \"wei": true,
		`{"weight":417,"stone":"zin`:                  true,
		"":                                            false, "Spring is mild": false, `{"stone":"granite`: false, `{"stone":"zinc-417","weight":417} and`: false,
	} {
		if got := startsProbe(raw); got != want {
			t.Errorf("startsProbe(%q) = %v", raw, got)
		}
	}
}
