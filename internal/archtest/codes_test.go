package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestWarningsAreDocumented holds docs/warnings.md to the source: a reader of --json who finds a code can look it up there, and what
// stands there can still happen.
func TestWarningsAreDocumented(t *testing.T) {
	codes := codesOf(t, "../..")
	page, err := os.ReadFile("../../docs/warnings.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9_]+)` \\| [^|]+ \\| [^|]+ \\|$").FindAllSubmatch(page, -1) {
		rows[string(m[1])]++
	}
	for _, code := range slices.Sorted(keys(codes)) {
		if rows[code] != 1 {
			t.Errorf("docs/warnings.md has %d rows for the code %s of %s", rows[code], code, codes[code])
		}
	}
	for _, code := range slices.Sorted(keys(rows)) {
		if codes[code] == "" {
			t.Errorf("docs/warnings.md describes %s, which nothing says", code)
		}
	}
	if len(codes) < 100 {
		t.Errorf("%d codes were found: the search for them is broken", len(codes))
	}
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// codesOf finds the codes of warnings and notes in the source, each with a file that has it: in literals, in constants, and where they
// are passed to a function that makes a warning of its parameter code.
func codesOf(t *testing.T, root string) map[string]string {
	codes := map[string]string{}
	err := filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); name == "testdata" || name == "bench" || name == "scripts" || name != ".." && strings.HasPrefix(name, ".") {
			return filepath.SkipDir
		}
		p := &codePackage{codes: codes, makers: map[string][]int{"AddNote": {1}}} // of package connector, for all stores
		p.parse(t, dir)
		for i, f := range p.files {
			p.file = p.names[i]
			ast.Inspect(f, p.makersIn)
		}
		for i, f := range p.files {
			p.file = p.names[i]
			ast.Inspect(f, p.codesIn)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return codes
}

type codePackage struct {
	codes  map[string]string
	files  []*ast.File
	names  []string
	makers map[string][]int // functions that make a warning → where their code may stand; those inside of another with the file's name before theirs
	file   string
}

func (p *codePackage) parse(t *testing.T, dir string) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		p.files, p.names = append(p.files, f), append(p.names, strings.TrimPrefix(name, "../../"))
	}
}

func (p *codePackage) makersIn(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		p.maker(n.Name.Name, n.Type)
	case *ast.AssignStmt:
		for i, e := range n.Rhs {
			if f, ok := e.(*ast.FuncLit); ok && i < len(n.Lhs) {
				if name, ok := n.Lhs[i].(*ast.Ident); ok {
					p.maker(p.file+name.Name, f.Type)
				}
			}
		}
	}
	return true
}

func (p *codePackage) maker(name string, f *ast.FuncType) {
	i := 0
	for _, field := range f.Params.List {
		for _, param := range field.Names {
			if typ, ok := field.Type.(*ast.Ident); ok && param.Name == "code" && typ.Name == "string" {
				p.makers[name] = append(p.makers[name], i)
			}
			i++
		}
	}
}

func (p *codePackage) codesIn(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CompositeLit:
		var code ast.Expr
		whole := false
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				switch key, _ := kv.Key.(*ast.Ident); {
				case key == nil:
				case key.Name == "Code":
					code = kv.Value
				case key.Name == "Text" || key.Name == "Count":
					whole = true
				}
			}
		}
		if whole {
			p.code(code)
		}
	case *ast.CallExpr:
		name := ""
		switch f := n.Fun.(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			name = f.Sel.Name
		}
		local, method := p.makers[p.file+name], p.makers[name]
		if _, ok := n.Fun.(*ast.Ident); ok && local != nil {
			method = local
		}
		for _, i := range method {
			if i < len(n.Args) {
				p.code(n.Args[i])
			}
		}
	case *ast.ValueSpec:
		for i, v := range n.Values {
			typ, _ := n.Type.(*ast.Ident)
			name := n.Names[i].Name
			if typ != nil && typ.Name == "WarningKind" || regexp.MustCompile(`^(Warn|Note)[A-Z]`).MatchString(name) {
				p.code(v)
			}
		}
	}
	return true
}

func (p *codePackage) code(e ast.Expr) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return
	}
	if code, err := strconv.Unquote(lit.Value); err == nil && regexp.MustCompile(`^[a-z][a-z0-9_]*$`).MatchString(code) {
		p.codes[code] = p.file
	}
}
