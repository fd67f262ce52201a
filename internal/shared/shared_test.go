package shared

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestRepoIsTheModuleRoot(t *testing.T) {
	want, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Repo()
	if err != nil || got != want {
		t.Errorf("Repo() = %q, %v; want %q", got, err, want)
	}
}

func TestRepoOutsideAModule(t *testing.T) {
	t.Chdir(t.TempDir())
	if got, err := Repo(); err == nil {
		t.Errorf("Repo() = %q outside any module, want an error", got)
	}
}

func TestDirFollowsTheEnvironment(t *testing.T) {
	base := t.TempDir()
	if err := os.MkdirAll(filepath.Join(base, "data", "toy"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ASSAY_SHARED", base)
	if got, want := Dir(t, "data", "toy"), filepath.Join(base, "data", "toy"); got != want {
		t.Errorf("Dir = %q, want %q", got, want)
	}
}

// skipped stands in for a test; like the real one, it ends the goroutine that skips.
type skipped struct {
	testing.TB
	why string
}

func (s *skipped) Helper() {}
func (s *skipped) Skipf(format string, args ...any) {
	s.why = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestDirSkipsWhatIsNotThere(t *testing.T) {
	t.Setenv("ASSAY_SHARED", t.TempDir())
	t.Setenv("ASSAY_REQUIRE_ALL", "")
	inner, done := &skipped{}, make(chan struct{})
	go func() {
		defer close(done)
		Dir(inner, "data", "none")
	}()
	<-done
	if !strings.Contains(inner.why, "ASSAY_SHARED") {
		t.Errorf("skipped with %q, want a sentence that names ASSAY_SHARED", inner.why)
	}
}
