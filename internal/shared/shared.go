// Package shared finds the reference data that is too large or too foreign to live in the repository: collections with
// relevance judgments, recorded traffic of real servers, and the reference scorer's own outputs.
//
// The data lies in a folder named shared beside the repository, or wherever ASSAY_SHARED points. A test that needs it is
// skipped without it; under ASSAY_REQUIRE_ALL=1 it fails. Only tests and benchmarks import this package.
package shared

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-eval/assay/internal/parts"
)

// Dir returns the absolute path of a file or folder in the shared data, as in Dir(t, "data", "scifact"). What it returns
// exists; nothing may be written there.
func Dir(t testing.TB, elem ...string) string {
	t.Helper()
	base, err := root()
	if err != nil {
		t.Fatalf("shared data: %v", err)
	}
	path := filepath.Join(append([]string{base}, elem...)...)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		parts.Missing(t, "the reference data "+path, "set ASSAY_SHARED to the folder that holds it")
	} else if err != nil {
		t.Fatalf("shared data: %v", err)
	}
	return path
}

// root is $ASSAY_SHARED, or the folder shared beside the repository.
func root() (string, error) {
	if dir := os.Getenv("ASSAY_SHARED"); dir != "" {
		return filepath.Abs(dir)
	}
	repo, err := Repo()
	if err != nil {
		return "", err
	}
	return filepath.Join(filepath.Dir(repo), "shared"), nil
}

// Repo returns the root of the repository: the nearest folder with a go.mod, upwards from the working folder, which `go
// test` makes the folder of the package under test.
func Repo() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod above the working folder; run the tests inside the repository")
		}
		dir = parent
	}
}
