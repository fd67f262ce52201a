package untrusted

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCut(t *testing.T) {
	for _, tc := range []struct {
		text string
		most int
		want string
	}{
		{"", 0, ""}, {"abc", 3, "abc"}, {"abc", 2, "ab [… 1 more bytes are not shown]"}, {"aé", 2, "a [… 2 more bytes are not shown]"},
		{"😀", 3, " [… 4 more bytes are not shown]"}, {"abc", -1, " [… 3 more bytes are not shown]"},
		{strings.Repeat("\x80", 9), 5, strings.Repeat("\x80", 2) + " [… 7 more bytes are not shown]"},
	} {
		got, cut := Cut(tc.text, tc.most)
		if got != tc.want || cut != (got != tc.text) {
			t.Errorf("%q at %d: %q, %v; want %q", tc.text, tc.most, got, cut, tc.want)
		}
	}
}

// A cut text is the longest beginning of whole characters, and what is said to be missing is.
func TestHeadIsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, most := rapid.String().Draw(t, "text"), rapid.IntRange(0, 40).Draw(t, "most")
		head := Head(text, most)
		if len(head) > most || !strings.HasPrefix(text, head) || !utf8.ValidString(head) {
			t.Fatalf("%q at %d: %q", text, most, head)
		}
		if len(head) == len(text) {
			return
		}
		if _, size := utf8.DecodeRuneInString(text[len(head):]); len(head)+size <= most {
			t.Fatalf("%q at %d: %q, and there is room for another character", text, most, head)
		}
		if cut, _ := Cut(text, most); !strings.Contains(cut, fmt.Sprint(len(text)-len(head))) {
			t.Fatalf("%q does not say what is missing", cut)
		}
	})
}
