package trec

import (
	"errors"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
)

// TestRunRefuses: every bad input is one line that names file and line, and a usage error.
func TestRunRefuses(t *testing.T) {
	good := "1 Q0 a 1 2 t\n1 Q0 b 2 1.5 t\n1 Q0 c 3 1 t\n"
	for _, c := range []struct{ name, text, want, hint string }{
		{"empty", "", "the file is empty", ""},
		{"blank", "\n\n", "the file is empty", ""},
		{"qrels", "1 0 a 1\n", ":1: malformed line: 4 of the 6 fields", "qrels file"},
		{"BEIR qrels", "query-id\tcorpus-id\tscore\n", ":1: malformed line: 3 of the 6", "qrels file"},
		{"no tag", good + "1 Q0 d 4 0.5\n", ":4: malformed line: 5 of the 6", ""},
		{"binary", good + "1 Q0 \x00\x01\x02 1 2 t\n", ":4: binary data", ""},
		{"binary short", "\x7fELF\x00\x00\n", ":1: binary data", ""},
		{"NaN", good + "1 Q0 d 4 nan t\n", ":4: score \"nan\" is not a number that can be ranked", ""},
		{"NaN in disguise", good + "1 Q0 d 4 -NaN(7) t\n", ":4: score", ""},
		{"score text", good + "1 Q0 d 4 high t\n", ":4: score \"high\" is not a number", ""},
		{"score with a comma", good + "1 Q0 d 4 0,9 t\n", ":4: score \"0,9\" is not a number", ""},
		{"score with a tail", good + "1 Q0 d 4 5.0abc t\n", ":4: score", ""},
		{"score in hex", good + "1 Q0 d 4 0x10 t\n", ":4: score", ""},
		{"two runs", good + "1 Q0 d 4 0.5 u\n", ":4: run tag \"u\" after \"t\": two runs in one file", "file of its own"},
		{"two runs, two queries", good + "2 Q0 d 4 0.5 u\n", ":4: run tag", "file of its own"},
		{"byte order mark", "\ufeff" + good, ":1: the file begins with a byte order mark", "sed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, chunk := range []int{1, chunkSize} {
				path := write(t, "run", c.text)
				_, err := collect(path, Dialect{}, chunk, 2)
				checkRefusal(t, err, path, c.want, c.hint)
			}
		})
	}
}

func checkRefusal(t *testing.T, err error, path, want, hint string) {
	t.Helper()
	switch {
	case err == nil:
		t.Fatal("no error")
	case !errors.Is(err, assay.ErrUsage):
		t.Errorf("%v is not a usage error", err)
	case !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n"):
		t.Errorf("error %q, want one line with %s and %q", err, path, want)
	case !strings.Contains(assay.Hint(err), hint):
		t.Errorf("hint %q, want %q", assay.Hint(err), hint)
	}
}

// TestFirstProblemWins: of many problems the first in the file is reported, whoever meets it.
func TestFirstProblemWins(t *testing.T) {
	var b strings.Builder
	for i := range 400 {
		q := string(rune('a' + i%26))
		b.WriteString(strings.Repeat(q, 1+i/26) + " Q0 d 1 ")
		if i >= 150 {
			b.WriteString("x")
		} else {
			b.WriteString("1")
		}
		b.WriteString(" t\n")
	}
	path := write(t, "run", b.String())
	for range 20 {
		_, err := collect(path, Dialect{}, 64, 4)
		if err == nil || !strings.Contains(err.Error(), ":151: score") {
			t.Fatalf("got %v", err)
		}
	}
}

func TestQrelsRefuse(t *testing.T) {
	good := "1 0 a 1\n1 0 b 0\n"
	for _, c := range []struct{ name, text, want, hint string }{
		{"empty", "", "the file is empty", ""},
		{"run", "1 Q0 a 1 2 t\n", ":1: malformed line: 6 fields instead of the 4", "looks like a run"},
		{"short", good + "1 0 c\n", ":3: malformed line: 3 fields", ""},
		{"long", good + "1 0 c 1 x\n", ":3: malformed line: 5 fields", ""},
		{"blank line", good + "\n1 0 c 1\n", ":3: malformed line: blank", ""},
		{"blank last line", good + "\n", ":3: malformed line: blank", ""},
		{"grade text", good + "1 0 c high\n", ":3: grade \"high\" is not a number", ""},
		{"grade NaN", good + "1 0 c nan\n", ":3: grade \"nan\" is not a number", ""},
		{"grade infinite", good + "1 0 c inf\n", ":3: grade", ""},
		{"grade huge", good + "1 0 c 1e300\n", ":3: grade \"1e300\" is out of range", ""},
		{"binary", good + "1 0 \x00 1\n", ":3: binary data", ""},
		{"judged twice", good + "2 0 x 1\n1 0 a 0\n", ":4: document \"a\" is judged twice in query \"1\", first on line 1", ""},
		{"comment", "# c\n" + good, ":1: malformed line", "--compat 10"},
		{"byte order mark", "\ufeff" + good, ":1: the file begins", "sed"},
		{"BEIR fields", "query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\n", ":3: malformed line: not the 3 tab-separated", ""},
		{"BEIR grade", "query-id\tcorpus-id\tscore\n1\ta\tx\n", ":2: grade \"x\"", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, "qrels", c.text)
			_, err := ReadQrels(path, Dialect{})
			checkRefusal(t, err, path, c.want, c.hint)
		})
	}
	for _, name := range []string{"/no/such/file", t.TempDir()} {
		if _, err := ReadQrels(name, Dialect{}); !errors.Is(err, assay.ErrUsage) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := collect(name, Dialect{}, chunkSize, 1); !errors.Is(err, assay.ErrUsage) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestQrelsFormat(t *testing.T) {
	for _, c := range []struct {
		name, text string
		lenient    bool
		want       map[string]float64
	}{
		{"TREC", "1 0 a 2\n1\t0\tb\t-1\r\n 1 0 c +3 \n", false, map[string]float64{"a": 2, "b": -1, "c": 3}},
		{"fractions", "1 0 a 0.5\n1 0 b 1e1", false, map[string]float64{"a": 0.5, "b": 10}},
		{"lenient", "1 0 a 1.9\n1 0 b x1\n1 0 c 3x\n1 0 d -2\n", true, map[string]float64{"a": 1, "b": 0, "c": 3, "d": -2}},
		{"BEIR", "query-id\tcorpus-id\tscore\n1\ta b\t1\r\n1\tc\t0\n\n", false, map[string]float64{"a b": 1, "c": 0}},
	} {
		q, err := ReadQrels(write(t, "qrels", c.text), Dialect{Lenient: c.lenient})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		j := q.Lookup([]byte("1"))
		if len(j.Docs) != len(c.want) {
			t.Errorf("%s: %d judgments, want %d", c.name, len(j.Docs), len(c.want))
		}
		for doc, want := range c.want {
			if g, ok := j.Grade([]byte(doc)); !ok || g != want {
				t.Errorf("%s: grade of %q is %v %v, want %v", c.name, doc, g, ok, want)
			}
		}
		if _, ok := j.Grade([]byte("nobody")); ok {
			t.Errorf("%s: a document without judgment has a grade", c.name)
		}
	}
}
