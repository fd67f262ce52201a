package term_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/term"
)

func TestPrintableStopsEscapes(t *testing.T) {
	got := term.Printable("a\x1b[2Jb\nc\td\u202ee")
	if got != "a\ufffd[2Jb c d\ufffde" {
		t.Errorf("got %q", got)
	}
}

func TestShorten(t *testing.T) {
	for in, want := range map[string]string{"short": "short", "one  two\nthree": "one two…", "备份保留三十天备份保留": "备份保留三十天…"} {
		if got := term.Shorten(in, 8); got != want {
			t.Errorf("Shorten(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestPipedTableIsTabSeparated(t *testing.T) {
	var b strings.Builder
	tab := term.Table{Header: []string{"a", "b"}}
	tab.Add("x\ty", 0.5)
	if err := tab.Write(&term.Streams{Out: &b}); err != nil {
		t.Fatal(err)
	}
	if b.String() != "a\tb\nx y\t0.5\n" {
		t.Errorf("got %q", b.String())
	}
}

func TestTerminalTableIsAligned(t *testing.T) {
	var b strings.Builder
	tab := term.Table{Header: []string{"name", "n"}, Right: []bool{false, true}}
	tab.Add("long name", 5)
	tab.Add("x", 123)
	if err := tab.Write(&term.Streams{Out: &b, OutTTY: true}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[1], "long name") || !strings.Contains(lines[1], "  5") {
		t.Errorf("got\n%s", b.String())
	}
}
