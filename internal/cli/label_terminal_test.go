package cli

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/term"
	"github.com/assay-eval/assay/label"
	"github.com/assay-eval/assay/label/session"
	"github.com/assay-eval/assay/testset"
)

// atTerminal judges one passage at the terminal by what is typed, and returns what was shown and what was stored.
func atTerminal(t *testing.T, query string, p label.Passage, typed string) (string, []assay.Label) {
	t.Helper()
	set, err := testset.New([]assay.Query{{ID: "q", Text: query}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Target.Chunk = "c"
	s, err := session.New([]session.Item{{Item: label.Item{ID: "i", Query: "q", Passage: p}, Text: query}}, set, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	o := &labelOptions{app: &app{streams: &term.Streams{In: strings.NewReader(typed), Out: &out, Err: &out}}}
	if err := o.judgeHere(t.Context(), s, "ann"); err != nil {
		t.Fatal(err)
	}
	return out.String(), set.Events("q")
}

// A passage of ten megabytes is shown by its beginning, and as a whole to whoever asks for it.
func TestTerminalHugePassage(t *testing.T) {
	text := strings.Repeat("é", 5<<20)
	shown, stored := atTerminal(t, strings.Repeat("why ", 7<<10), label.Passage{Text: text, Title: strings.Repeat("T", 1<<20)}, "2 long\n")
	if len(stored) != 1 || stored[0].Grade != 2 || stored[0].Note != "long" {
		t.Errorf("stored %+v", stored)
	}
	if n := strings.Count(shown, "é"); n != shownText || len(shown) > 20_000 || !strings.Contains(shown, "… 5238880 more characters; m shows all\n> ") {
		t.Errorf("%d characters of the passage in %d bytes are shown, ending in %q", n, len(shown), shown[max(0, len(shown)-120):])
	}
	shown, stored = atTerminal(t, "why?", label.Passage{Text: text}, "m\n3\n")
	if n := strings.Count(shown, "é"); n != shownText+5<<20 || len(stored) != 1 || stored[0].Grade != 3 || strings.Contains(shown, "no answer\n0") {
		t.Errorf("%d characters are shown, stored %+v", n, stored)
	}
	if shown, _ = atTerminal(t, "why?", label.Passage{Text: text[:2*shownText]}, "q\n"); strings.Contains(shown, "more characters") {
		t.Error("a passage that is shown as a whole is said to be cut")
	}
}

// Nothing of a query, a passage, its title or its document steers the terminal or hides.
func TestTerminalIsNotSteered(t *testing.T) {
	const evil = "a\x1b[2Jb\x1b]0;title\x07c\u009b31md\x00e\u202ef\u2066g\x08h\x7fi\x9b\x85j"
	p := label.Passage{Text: "one " + evil + "\ntwo\r\nthree\rfour\u2028five\vsix", Title: evil}
	p.Target.Document = evil
	shown, _ := atTerminal(t, strings.ToValidUTF8(evil, "?"), p, "\x1b[2J\nq\n")
	for _, r := range shown {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			t.Errorf("%U reaches the terminal: %q", r, shown)
		}
	}
	if n := strings.Count(shown, "\n  | "); n != 6 { // twice three lines: the passage is shown again after a line that is no answer
		t.Errorf("%d lines of passage: %q", n, shown)
	}
	for _, r := range "abcdefghij" {
		if !strings.ContainsRune(shown, r) {
			t.Errorf("%c is lost", r)
		}
	}
}
