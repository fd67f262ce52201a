package reply

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
)

func TestSplitThinking(t *testing.T) {
	for text, want := range map[string][2]string{
		"Paris":                             {"Paris", ""},
		"<think>a</think>Paris":             {"Paris", "a"},
		"\n<think>\na\n</think>\n\nParis\n": {"Paris\n", "a"},
		"<think></think>\n\nParis":          {"Paris", ""},
		"<think>cut off":                    {"", "cut off"},
		"a</think>Paris":                    {"Paris", "a"},
		"I say <think> is a tag </think>":   {"I say <think> is a tag </think>", ""},
		`{"q":"</think>"}`:                  {`{"q":"</think>"}`, ""},
		`["</think>"]`:                      {`["</think>"]`, ""},
		"<think>a</think>b</think>c":        {"b</think>c", "a"},
		"":                                  {"", ""},
	} {
		if answer, thinking := SplitThinking(text); answer != want[0] || thinking != want[1] {
			t.Errorf("%q: %q and %q, want %q and %q", text, answer, thinking, want[0], want[1])
		}
	}
}

func TestRepetition(t *testing.T) {
	sentence := "It is also used to store data. "
	for _, c := range []struct {
		text  string
		unit  int // length of the unit
		times int
	}{
		{"Backup. " + strings.Repeat(sentence, 5), len(sentence), 5},
		{"Backup. " + strings.Repeat(sentence, 5) + sentence[:17], len(sentence), 5},
		{`{"question":` + strings.Repeat("\t ", 100), 2, 100},
		{"{" + strings.Repeat("\n", 500), 1, 500},
		{strings.Repeat(sentence, 2), 0, 0}, // twice is no loop
		{"ha ha ha", 0, 0},                  // too short
		{"The quick brown fox jumps over the lazy dog", 0, 0},
		{strings.Repeat(sentence, 5) + "And then it ended well.", 0, 0}, // it got out
		{"", 0, 0},
		{strings.Repeat("备份", 30), 6, 30},
	} {
		unit, times := Repetition(c.text)
		if len(unit) != c.unit || times != c.times {
			t.Errorf("%.60q: %q %d times, want %d bytes %d times", c.text, unit, times, c.unit, c.times)
		}
	}
}

// What Repetition claims is true: the text ends in that many rounds of the unit, the last one cut, and a
// loop that was put there is found.
func TestRepetitionProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		head := rapid.StringN(0, 40, -1).Draw(t, "head")
		unit := rapid.StringMatching(`[a-c ]{1,20}`).Draw(t, "unit")
		times := rapid.IntRange(3, 30).Draw(t, "times")
		cut := rapid.IntRange(0, len(unit)-1).Draw(t, "cut")
		loop := strings.Repeat(unit, times) + unit[:cut]
		got, n := Repetition(head + loop)
		if len(loop) >= minCovered && n == 0 {
			t.Fatalf("%q not found in %q", unit, head+loop)
		}
		if n > 0 && utf8.ValidString(head) {
			// Some rotation of the unit, n times, stands near the end.
			if !strings.Contains(head+loop, strings.Repeat(got, n)) {
				t.Fatalf("%q is not %d times in %q", got, n, head+loop)
			}
			if len(got) > len(unit) {
				t.Fatalf("unit %q, but %q is shorter", got, unit)
			}
		}
	})
}

func TestCut(t *testing.T) {
	long := strings.Repeat("é", assay.RawLimit)
	var e *assay.Error
	err := Cut("host", long, "", 7)
	if !errors.As(err, &e) || e.Kind != assay.KindTruncated || len(e.Raw) > assay.RawLimit || !utf8.ValidString(e.Raw) {
		t.Errorf("%+v", e)
	}
	if !strings.Contains(err.Error(), `host: the reply was cut at its limit of 7 tokens after repeating "é"`) || !strings.Contains(assay.Hint(err), "larger model") {
		t.Errorf("%v; hint %q", err, assay.Hint(err))
	}
	if got := Shorten(strings.Repeat("word ", 30)); !strings.HasSuffix(got, `…"`) || len(got) > 70 {
		t.Errorf("Shorten: %s", got)
	}
}
