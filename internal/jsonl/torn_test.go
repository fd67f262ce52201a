package jsonl_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/jsonl"
)

// What a person wrote into the last line and did not end is never lost: it is moved aside and told of.
func TestTornLineIsKept(t *testing.T) {
	for name, c := range map[string]struct{ tail, kept, file string }{
		"cut off":          {`{"n":2,"text":"by hand`, "{\"n\":2,\"text\":\"by hand\n", "{\"n\":1}\n{\"n\":3}\n"},
		"inside a rune":    {"{\"text\":\"\xc3", "{\"text\":\"\xc3\n", "{\"n\":1}\n{\"n\":3}\n"},
		"zeros":            {"{\"n\":\x00\x00\x00", "{\"n\":\x00\x00\x00\n", "{\"n\":1}\n{\"n\":3}\n"},
		"blanks":           {"  ", "", "{\"n\":1}\n  \n{\"n\":3}\n"},
		"whole":            {`{"n":2}`, "", "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n"},
		"no record begins": {`{"n":2,oops}`, "", "{\"n\":1}\n{\"n\":2,oops}\n{\"n\":3}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f.jsonl")
			if err := os.WriteFile(path, []byte("{\"n\":1}\n"+c.tail), 0o644); err != nil {
				t.Fatal(err)
			}
			a, err := jsonl.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := a.Append(rec{N: 3}); err != nil {
				t.Fatal(err)
			}
			torn := a.Torn()
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			kept, err := os.ReadFile(path + ".torn")
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			if d := cmp.Diff([]string{c.file, c.kept}, []string{string(file), string(kept)}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if len(torn) != min(1, len(c.kept)) {
				t.Fatalf("told of %v", torn)
			}
			for _, w := range torn {
				if text := w.Warning().Text; !strings.HasPrefix(text, path+":2: ") || !strings.Contains(text, "f.jsonl.torn") {
					t.Error(text)
				}
			}
		})
	}
}

// A second torn line goes behind the first.
func TestTornLinesAreCollected(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.jsonl")
	for _, tail := range []string{`{"a`, `{"b`} {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(tail); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		a, err := jsonl.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(path + ".torn"); string(kept) != "{\"a\n{\"b\n" {
		t.Errorf("%q, %v", kept, err)
	}
}

// Where the torn line cannot be kept, the file stays as it is.
func TestTornLineThatCannotBeKeptStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.jsonl")
	if err := errors.Join(os.WriteFile(path, []byte(`{"mine`), 0o644), os.Mkdir(path+".torn", 0o755)); err != nil {
		t.Fatal(err)
	}
	if _, err := jsonl.Open(path); err == nil || !strings.Contains(err.Error(), "keep the torn last line") {
		t.Errorf("err = %v", err)
	}
	if data, err := os.ReadFile(path); string(data) != `{"mine` {
		t.Errorf("%q, %v", data, err)
	}
}

// Nobody edits the files of a run: what a crash has cut off there is dropped.
func TestOwnedFileDropsTornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.jsonl")
	if err := os.WriteFile(path, []byte(`{"n":2,"te`), 0o644); err != nil {
		t.Fatal(err)
	}
	a, err := jsonl.OpenOwned(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + ".torn"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestReadEdited(t *testing.T) {
	for tail, want := range map[string]struct {
		torn bool
		says string
	}{
		`{"n":2`:   {true, "f.jsonl:2: the last line is not whole: {\"n\":2"},
		`{"n":2,}`: {false, "f.jsonl:2: not the expected JSON: invalid character"},
		`{"n":"x"`: {true, "not whole"},
		`[1]`:      {false, "f.jsonl:2: not the expected JSON: a list where an object is due"},
		`{"n":2}`:  {},
	} {
		path := filepath.Join(t.TempDir(), "f.jsonl")
		if err := os.WriteFile(path, []byte("{\"n\":1}\n"+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		var last error
		for _, err := range jsonl.ReadEdited[rec](path) {
			last = err
		}
		if errors.Is(last, jsonl.ErrTorn) != want.torn || (last == nil) != (want.says == "") || last != nil && !strings.Contains(last.Error(), want.says) {
			t.Errorf("%s: %v", tail, last)
		}
	}
}

// An error that is of no line names the file.
func TestUnreadableFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.jsonl")
	if err := os.Symlink(path, path); err != nil {
		t.Skip(err)
	}
	for r, err := range jsonl.Read[rec](path) {
		if err == nil || r.Line.Where() != path {
			t.Errorf("%q: %v", r.Line.Where(), err)
		}
	}
}

// The offsets are those of the records, also behind a byte order mark.
func TestOffsetsBehindAByteOrderMark(t *testing.T) {
	text := "\ufeff{\"n\":1}\r\n\n{\"n\":2}"
	for line, err := range jsonl.Lines(strings.NewReader(text), "f") {
		if at := int(line.Offset); err != nil || !strings.HasPrefix(text[at:], string(line.Bytes)) || line.Bytes[0] != '{' {
			t.Errorf("line %d at %d: %q, %v", line.Number, at, line.Bytes, err)
		}
	}
}
