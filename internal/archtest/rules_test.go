package archtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// find returns the room of a package path below the module root and the folder that makes it one: connector/bm25 for
// connector/bm25/analyze. The longest path wins, and a written name wins over a star.
func find(pkg string) (r *room, folder string) {
	best := -1
	for i := range house {
		candidate, ok := under(house[i].path, pkg)
		if !ok {
			continue
		}
		score := 2 * strings.Count(house[i].path, "/")
		if !strings.HasSuffix(house[i].path, "*") {
			score++
		}
		if score > best {
			best, r, folder = score, &house[i], candidate
		}
	}
	return r, folder
}

// under reports whether pkg lies in a room with this path, and in which folder.
func under(path, pkg string) (folder string, ok bool) {
	if path == root || pkg == root {
		return root, path == pkg
	}
	want, have := strings.Split(path, "/"), strings.Split(pkg, "/")
	if len(have) < len(want) {
		return "", false
	}
	for i, name := range want {
		if name != "*" && name != have[i] {
			return "", false
		}
	}
	return strings.Join(have[:len(want)], "/"), true
}

// judge says what is wrong with an import of package to by a file of package from, both below the module root; "" when
// nothing is.
func judge(from, to string, testFile bool) string {
	a, folderA := find(from)
	b, folderB := find(to)
	switch {
	case a == nil:
		return unknown(from)
	case b == nil:
		return unknown(to)
	case folderA == folderB:
		return ""
	}
	if callers, top := tops[b.path]; top && !slices.Contains(callers, a.path) {
		return fmt.Sprintf("nothing imports %s but %v", b.path, callers)
	}
	switch {
	case testFile: // a test may put together what it needs
		return ""
	case b.test && !a.test:
		return fmt.Sprintf("%s is for tests, and this file is part of the program", to)
	case slices.Contains(a.may, b.path), slices.Contains(a.may, everything), b.tool && !a.pure:
		return ""
	}
	return fmt.Sprintf("%s may import %v; take what it needs from %s as an interface of the root, and let internal/cli put them together", a.path, a.may, b.path)
}

func unknown(pkg string) string {
	return fmt.Sprintf("%s is in no room: add it to the table in internal/archtest/house_test.go, with what it holds and may import", pkg)
}

// judgeLibrary is judge for an import from outside the module.
func judgeLibrary(from, lib string, testFile bool) string {
	a, _ := find(from)
	switch reason := banned[lib]; {
	case reason != "":
		return reason
	case a == nil:
		return unknown(from)
	case lib == "testing" && !testFile && !a.test:
		return "testing has no place in the program"
	case testFile || a.libs == nil || standard(lib):
		return ""
	}
	for _, allowed := range a.libs {
		if lib == allowed || strings.HasPrefix(lib, allowed+"/") {
			return ""
		}
	}
	return fmt.Sprintf("%s takes no library but the standard one and %v", a.path, a.libs)
}

// standard reports whether a package is of the standard library: those alone have no dot in their first element.
func standard(lib string) bool {
	first, _, _ := strings.Cut(lib, "/")
	return !strings.Contains(first, ".")
}

func TestHouseIsConsistent(t *testing.T) {
	paths := map[string]bool{everything: true}
	for _, r := range house {
		if paths[r.path] {
			t.Errorf("%s is in the table twice", r.path)
		}
		paths[r.path] = true
		if r.holds == "" {
			t.Errorf("%s does not say what it holds", r.path)
		}
	}
	for _, r := range house {
		for _, m := range r.may {
			if !paths[m] {
				t.Errorf("%s may import %s, which is no room", r.path, m)
			}
		}
	}
}

// The rules are tried on imports that do not exist, so that a rule which lets everything pass is seen.
func TestJudge(t *testing.T) {
	const ok, refused = true, false
	tests := []struct {
		from, to string
		testFile bool
		want     bool
	}{
		{"measure", root, false, ok},
		{root, "measure", false, refused},
		{root, "internal/jsonl", false, refused},
		{"measure", "internal/jsonl", false, refused},
		{"stats", root, false, refused},
		{"ledger", "internal/jsonl", false, ok},
		{"ledger", "stats", false, refused},
		{"connector/qdrant", "connector", false, ok},
		{"connector/qdrant", "connector/chroma", false, refused},
		{"connector/qdrant", "connector/internal/wire", false, ok},
		{"connector/bm25", "connector/bm25/analyze", false, ok},
		{"connector/bm25/analyze", "connector/bm25", false, ok},
		{"connector/exact", "connector/bm25/analyze", false, refused},
		{"connector/all", "connector/qdrant", false, ok},
		{"connector", "connector/qdrant", false, refused},
		{"connector/qdrant", "llm", false, refused},
		{"llm/ollama", "llm/openai", false, refused},
		{"llm/ollama", "llm/internal/reply", false, ok},
		{"connector/qdrant", "llm/internal/reply", false, refused},
		{"pipeline", "connector", false, ok},
		{"pipeline", "connector/qdrant", false, refused},
		{"pipeline", "connector/qdrant", true, ok},
		{"corpus", "connector", false, refused},
		{"generate", "llm", false, refused},
		{"report", "internal/cli", false, refused},
		{"report", "internal/cli", true, refused},
		{"internal/cli", "connector/all", false, ok},
		{"internal/cli", "internal/web", false, ok},
		{"internal/web", "internal/cli", false, refused},
		{"internal/cli", "internal/parts", false, refused},
		{"internal/cli", "internal/parts", true, ok},
		{"internal/jsonl", "ledger", false, refused},
		{"ledger", "internal/config", false, refused},
		{"connector/connectortest", "internal/parts", false, ok},
		{"connector/qdrant", "connector/connectortest", false, refused},
		{"connector/qdrant", "connector/connectortest", true, ok},
		{"cmd/assay", "internal/cli", false, ok},
		{"cmd/assay", "runner", false, refused},
		{"bench/peers", "runner", false, ok},
		{"cellar", root, false, refused},
		{"ledger", "cellar", false, refused},
	}
	for _, tt := range tests {
		if got := judge(tt.from, tt.to, tt.testFile); (got == "") != tt.want {
			t.Errorf("%s imports %s (test file: %v): %q, want allowed = %v", tt.from, tt.to, tt.testFile, got, tt.want)
		}
	}
}

func TestJudgeLibrary(t *testing.T) {
	const ok, refused = true, false
	tests := []struct {
		from, lib string
		testFile  bool
		want      bool
	}{
		{root, "strings", false, ok},
		{root, "golang.org/x/text/unicode/norm", false, refused},
		{root, "github.com/google/go-cmp/cmp", true, ok},
		{"stats", "gonum.org/v1/gonum/stat/distuv", false, ok},
		{"stats", "gonum.org/v1/gonumnot", false, refused},
		{"corpus", "golang.org/x/net/html", false, ok},
		{"corpus", "testing", false, refused},
		{"corpus", "testing", true, ok},
		{"internal/parts", "testing", false, ok},
		{"corpus", "math/rand", false, refused},
		{"corpus", "math/rand/v2", false, ok},
		{"corpus", "C", true, refused},
	}
	for _, tt := range tests {
		if got := judgeLibrary(tt.from, tt.lib, tt.testFile); (got == "") != tt.want {
			t.Errorf("%s imports %s (test file: %v): %q, want allowed = %v", tt.from, tt.lib, tt.testFile, got, tt.want)
		}
	}
}
