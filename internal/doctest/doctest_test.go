package doctest

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const sample = "# Title\n<!-- doctest: after b.md -->\n<!-- doctest: needs ollama python3 -->\n<!-- doctest: port 9000 -->\n" +
	"<!-- doctest: file a/b.txt -->\n\n```yaml\nkey: value\n```\n" +
	"```sh\n$ not run\n```\n" +
	"<!-- doctest: exit 2 -->\n<!-- doctest: near 0.01 -->\n```console\n$ one \\\n  two\nout\n\n$ three\n```\n"

func TestParse(t *testing.T) {
	got, err := Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	want := &Document{After: "b.md", Needs: []string{"ollama", "python3"}, Ports: []string{"9000"}, Steps: []Step{
		{Line: 7, File: "a/b.txt", Text: "key: value\n"},
		{Line: 15, Exit: 2, Near: 0.01, Commands: []Command{
			{Line: 16, Text: "one \\\n  two", Output: []string{"out", ""}},
			{Line: 20, Text: "three"},
		}},
	}}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Command{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestParseRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"unknown directive":     "<!-- doctest: skip this -->\n```console\n$ x\n```\n",
		"no argument":           "<!-- doctest: file -->\n```\nx\n```\n",
		"two arguments":         "<!-- doctest: file a b -->\n```\nx\n```\n",
		"not closed directive":  "<!-- doctest: file a\n```\nx\n```\n",
		"bad number":            "<!-- doctest: exit two -->\n```console\n$ x\n```\n",
		"not closed fence":      "```console\n$ x\n",
		"no command":            "```console\nx\n```\n",
		"directive and text":    "<!-- doctest: file a -->\ntext\n```\nx\n```\n",
		"directive at the end":  "<!-- doctest: file a -->\n",
		"exit for another kind": "<!-- doctest: exit 1 -->\n```sh\nx\n```\n",
	} {
		if d, err := Parse(text); err == nil {
			t.Errorf("%s: parsed as %+v", name, d)
		}
	}
}

func TestMatch(t *testing.T) {
	tests := []struct {
		name      string
		want, got string
		near      float64
		ok        bool
	}{
		{"equal", "a\nb", "a\nb", 0, true},
		{"another line", "a\nb", "a\nc", 0, false},
		{"a line more", "a", "a\nb", 0, false},
		{"a line less", "a\nb", "a", 0, false},
		{"nothing shown, something printed", "", "a", 0, false},
		{"blank lines", "a\n\nb", "a\nb\n", 0, true},
		{"table and tabs", "  1  two words   x", "1\ttwo words\tx", 0, true},
		{"empty cell", "a      b", "a\t\tb", 0, true},
		{"words are no cells", "two  words", "two words", 0, false},
		{"within a line", "rank … end", "rank 1 to the end", 0, true},
		{"within a line, other end", "rank … end", "rank 1 to the start", 0, false},
		{"not over lines", "a … c", "a\nc", 0, false},
		{"lines", "a\n…\nd", "a\nb\nc\nd", 0, true},
		{"no lines", "a\n…\nd", "a\nd", 0, true},
		{"lines, wrong end", "a\n…\nd", "a\nb\nc", 0, false},
		{"special characters", "a.c (1+)", "abc (1+)", 0, false},
		{"run ids", "run 20261202-052138.767-d5f1d8", "run 20270101-000000.000-000000", 0, true},
		{"times", "2026-12-02 05:22", "2027-01-01 00:00", 0, true},
		{"milliseconds", "3 hits  total 0.56 ms", "3 hits  total 12.1 ms", 0, true},
		{"hits are no latency", "3 hits  total 0.56 ms", "4 hits  total 0.56 ms", 0, false},
		{"latencies", "search  0.01  0.23  1", "search\t0.00\t17.3\t180", 0, true},
		{"measures are no latencies", "recall@10  0.01  0.23", "recall@10  0.02  0.23", 0, false},
		{"load", "a", "latencies were measured with up to 3 queries at once\na", 0, true},
		{"near", "recall@10  0.9167  60", "recall@10  0.9000  60", 0.02, true},
		{"not near enough", "recall@10  0.9167  60", "recall@10  0.8900  60", 0.02, false},
		{"whole numbers are never near", "recall@10  0.9167  60", "recall@10  0.9167  61", 5, false},
		{"near with another count", "0.1  0.2", "0.1", 1, false},
	}
	for _, tt := range tests {
		if got := Match(split(tt.want), split(tt.got), tt.near); got != tt.ok {
			t.Errorf("%s: Match(%q, %q) = %v", tt.name, tt.want, tt.got, got)
		}
	}
}

func split(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// The session is tried on a document of its own, so that commands that fail, hang or print something else are seen.
func TestSession(t *testing.T) {
	s := &Session{Dir: t.TempDir(), Env: []string{"PATH=/usr/bin:/bin"}, Timeout: 20 * time.Second, Places: []Place{{"localhost:1", "127.0.0.1:4711"}}}
	defer s.Close()
	if err := s.Write("sub/f.txt", "at localhost:1 in /home/you\n"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		text  string
		shown []string
		want  []string
		exit  int
	}{
		{text: "cat sub/f.txt", want: []string{"at localhost:1 in /home/you"}},
		{text: "grep -c 4711 sub/f.txt", want: []string{"1"}},
		{text: "echo a; echo b >&2; exit 3", want: []string{"a", "b"}, exit: 3},
		{text: "cd sub"},
		{text: "ls", want: []string{"f.txt"}},
		{text: "sleep 1000 &"},
		{text: "sh -c 'sleep 0.05; echo ready; exec sleep 1000' &", shown: []string{"ready"}, want: []string{"ready"}},
	} {
		got, exit, err := s.Run(t.Context(), Command{Text: tt.text, Output: tt.shown})
		if err != nil || exit != tt.exit {
			t.Errorf("%s: exit %d, %v", tt.text, exit, err)
		}
		if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.text, diff)
		}
	}
	if _, _, err := s.Run(t.Context(), Command{Text: "cd nowhere"}); err == nil {
		t.Error("cd to a folder that is not there: no error")
	}
	s.at, s.Timeout = "", 50*time.Millisecond
	for _, c := range []Command{{Text: "sleep 1000"}, {Text: "sleep 1000 &", Output: []string{"never"}}} {
		if _, _, err := s.Run(t.Context(), c); err == nil {
			t.Errorf("%s: no error after the time is up", c.Text)
		}
	}
}

func TestRewrite(t *testing.T) {
	text := "a\n```console\n$ one\nid 20261202-052138.767-d5f1d8\n… kept\nwrong\n$ two\n$ three\nold\n```\nb\n"
	d, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	c := d.Steps[0].Commands
	got := Rewrite(text, []Output{
		{c[0], []string{"id 20270101-000000.000-000000", "also kept", "system\tn", "plain\t5", "x\t60"}},
		{c[1], []string{"new"}},
		{c[2], nil},
	})
	want := "a\n```console\n$ one\nid 20261202-052138.767-d5f1d8\n… kept\nsystem   n\nplain    5\nx       60\n$ two\nnew\n$ three\n```\nb\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
