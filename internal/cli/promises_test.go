package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/term"
)

// texts calls do for every text in the program's own sources, with its place.
func texts(t *testing.T, do func(place, text string)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || path != root && strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					do(files.Position(lit.Pos()).String(), text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A command in a text stands in backquotes, or begins the text, a line of it or what stands behind a colon.
var commandInText = regexp.MustCompile("(?:`|^|\\n|: )assay (?:-c \\S+ )?([a-z][a-z-]*)(?: ([a-z]+))?")

// sentences begin with the name of the program and name no command.
var sentences = map[string]bool{"evaluates": true, "devel": true, "only": true}

// verbs say what a command does, and are no part of it.
var verbs = map[string]bool{"lists": true, "shows": true}

// underWay are commands that the contract promises and that are not built yet.
var underWay = map[string]bool{"serve": true}

// TestNamedCommandsExist: no message, hint or help sends anybody to a command that there is not.
func TestNamedCommandsExist(t *testing.T) {
	root := newRoot(&app{streams: &term.Streams{}})
	n := 0
	texts(t, func(place, text string) {
		for _, m := range commandInText.FindAllStringSubmatch(text, -1) {
			cmd := child(root, m[1])
			switch {
			case sentences[m[1]], underWay[m[1]]:
			case cmd == nil:
				t.Errorf("%s: %q names the command %s, which there is not", place, text, m[1])
			case cmd.HasSubCommands() && !strings.Contains(cmd.Use, " ") && m[2] != "" && !verbs[m[2]] && child(cmd, m[2]) == nil:
				t.Errorf("%s: %q names %s %s, which there is not", place, text, m[1], m[2])
			default:
				n++
			}
		}
	})
	if n < 40 {
		t.Errorf("only %d commands were found in texts; does the pattern still fit?", n)
	}
}

// TestDocumentsAreListed: `assay schema` knows every kind of document that a command writes.
func TestDocumentsAreListed(t *testing.T) {
	kind := regexp.MustCompile(`^assay/([a-z-]+)/v\d+$`)
	n := 0
	texts(t, func(place, text string) {
		m := kind.FindStringSubmatch(text)
		if m == nil {
			return
		}
		n++
		if _, ok := documents[m[1]]; !ok && m[1] != "config" && !underWay[m[1]] {
			t.Errorf("%s: %s is no kind that assay schema knows", place, text)
		}
	})
	if n < 20 {
		t.Errorf("only %d kinds were found", n)
	}
}
