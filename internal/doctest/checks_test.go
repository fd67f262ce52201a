package doctest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/doctor"
	"github.com/assay-eval/assay/internal/shared"
)

const checksFrom = "<!-- generated: go test ./internal/doctest -run TestChecks -update -->\n"

// TestChecks holds the table of checks in docs/doctor.md to the code.
func TestChecks(t *testing.T) {
	repo, err := shared.Repo()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(repo, "docs", "doctor.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(data), checksFrom)
	old, after, closed := strings.Cut(rest, generatedTo)
	if !found || !closed {
		t.Fatalf("%s has no generated part", path)
	}
	var b strings.Builder
	b.WriteString("| check | looks at | asks | what a fault does to the numbers |\n| --- | --- | --- | --- |\n")
	for _, c := range doctor.Checks() {
		row(&b, code(c.Name), c.Of, c.Asks, c.Effect)
	}
	if diff := cmp.Diff(old, b.String()); diff != "" && !*update {
		t.Fatalf("doctor.md is not what the code says (-file +code); -update writes it\n%s", diff)
	}
	if err := os.WriteFile(path, []byte(before+checksFrom+b.String()+generatedTo+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
