package archtest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/shared"
)

const (
	module   = "github.com/assay-eval/assay"
	maxLines = 400
)

// source is one Go file of the module.
type source struct {
	path    string // from the module root, with slashes
	pkg     string // its folder; "." for the root
	test    bool
	lines   int
	parsed  *ast.File
	imports []string
}

// tree reads every Go file of the module, whatever its build tags. Folders that the go command ignores are left out, and
// so are modules inside the module.
func tree(t *testing.T) []source {
	t.Helper()
	repo, err := shared.Repo()
	if err != nil {
		t.Fatal(err)
	}
	var files []source
	err = filepath.WalkDir(repo, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != repo && ignored(path, entry.Name()):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		file, err := read(repo, path)
		files = append(files, file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func ignored(path, name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor" {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}

func read(repo, path string) (source, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return source{}, err
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return source{}, err
	}
	rel, err := filepath.Rel(repo, path)
	if err != nil {
		return source{}, err
	}
	rel = filepath.ToSlash(rel)
	file := source{path: rel, pkg: filepath.ToSlash(filepath.Dir(rel)), parsed: parsed,
		test: strings.HasSuffix(rel, "_test.go"), lines: bytes.Count(text, []byte("\n"))}
	for _, spec := range parsed.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return source{}, err
		}
		file.imports = append(file.imports, name)
	}
	return file, nil
}

func TestImports(t *testing.T) {
	for _, file := range tree(t) {
		for _, name := range file.imports {
			var wrong string
			if name == module {
				wrong = judge(file.pkg, root, file.test)
			} else if inside, ok := strings.CutPrefix(name, module+"/"); ok {
				wrong = judge(file.pkg, inside, file.test)
			} else {
				wrong = judgeLibrary(file.pkg, name, file.test)
			}
			if wrong != "" {
				t.Errorf("%s imports %s: %s", file.path, name, wrong)
			}
		}
	}
}

func TestEveryPackageHasARoom(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range tree(t) {
		if r, _ := find(file.pkg); r == nil && !seen[file.pkg] {
			seen[file.pkg] = true
			t.Error(unknown(file.pkg))
		}
	}
}

func TestFilesAreShort(t *testing.T) {
	for _, file := range tree(t) {
		if !file.test && file.lines > maxLines {
			t.Errorf("%s has %d lines; more than %d are two files", file.path, file.lines, maxLines)
		}
	}
}

func TestPackagesSayWhatTheyAreFor(t *testing.T) {
	said := map[string]bool{} // by package; false once a file of it was seen
	for _, file := range tree(t) {
		if file.test {
			continue
		}
		start := "Package " + file.parsed.Name.Name + " "
		if file.parsed.Name.Name == "main" {
			start = "Command "
		}
		said[file.pkg] = said[file.pkg] || strings.HasPrefix(file.parsed.Doc.Text(), start)
	}
	var silent []string
	for pkg, ok := range said {
		if !ok {
			silent = append(silent, pkg)
		}
	}
	slices.Sort(silent)
	for _, pkg := range silent {
		t.Errorf("%s has no package comment; say in `// Package x …` (`// Command x …` for a program) what it is for", pkg)
	}
}
