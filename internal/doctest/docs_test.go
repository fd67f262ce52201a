package doctest

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/parts"
	"github.com/assay-eval/assay/internal/shared"
)

var link = regexp.MustCompile(`\]\(([^) ]+)\)`)

var update = flag.Bool("update", false, "write what commands print, and the reference, into the documents")

// TestDocs runs every document: README.md and all of docs/.
func TestDocs(t *testing.T) {
	repo, err := shared.Repo()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(repo, "docs", "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents in docs: %v", err)
	}
	bin := build(t, repo)
	executed := 0
	for _, path := range append([]string{filepath.Join(repo, "README.md")}, files...) {
		doc := read(t, path)
		executed += len(doc.Steps)
		t.Run(filepath.Base(path), func(t *testing.T) {
			s := session(t, bin, doc)
			if doc.After != "" {
				run(t, s, read(t, filepath.Join(repo, "docs", doc.After)), false)
			}
			outputs := run(t, s, doc, !*update)
			if *update && len(outputs) > 0 {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(Rewrite(string(data), outputs)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	if executed == 0 {
		t.Error("the documents hold nothing to execute")
	}
}

// build builds the program once and returns its folder.
func build(t *testing.T, repo string) string {
	t.Helper()
	bin := t.TempDir()
	cmd := exec.Command("go", "build", "-o", bin, "./cmd/assay")
	cmd.Dir = repo
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return bin
}

func read(t *testing.T, path string) *Document {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := Parse(string(data))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return doc
}

func session(t *testing.T, bin string, doc *Document) *Session {
	s := &Session{Dir: t.TempDir(), Timeout: 5 * time.Minute, Places: places(t, doc)}
	s.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + s.Dir, "LC_ALL=C.UTF-8", "TZ=UTC", "NO_COLOR=1"}
	t.Cleanup(s.Close)
	return s
}

// run executes a document and returns the outputs that are not as shown; strict makes them faults.
func run(t *testing.T, s *Session, doc *Document, strict bool) []Output {
	t.Helper()
	var different []Output
	for _, step := range doc.Steps {
		if step.File != "" {
			if err := s.Write(step.File, step.Text); err != nil {
				t.Fatalf("line %d: %v", step.Line, err)
			}
			continue
		}
		for i, c := range step.Commands {
			want := 0
			if i == len(step.Commands)-1 {
				want = step.Exit
			}
			got, exit, err := s.Run(context.Background(), c)
			if err != nil || exit != want {
				t.Fatalf("line %d: $ %s\nexit code %d, want %d; %v\n%s", c.Line, c.Text, exit, want, err, strings.Join(got, "\n"))
			}
			if Match(c.Output, got, step.Near) {
				continue
			}
			different = append(different, Output{c, got})
			if strict {
				t.Errorf("line %d: $ %s\nprints\n%s\n\nthe document shows\n%s\n\n(-update writes the former into it)",
					c.Line, c.Text, strings.Join(Tables(got), "\n"), strings.Join(c.Output, "\n"))
			}
		}
	}
	return different
}

// places finds the parts that a document needs; where one is missing, the test is skipped or fails.
func places(t *testing.T, doc *Document) []Place {
	t.Helper()
	var out []Place
	for _, need := range doc.Needs {
		switch need {
		case "ollama":
			model := parts.Ollama(t)
			out = append(out, Place{"localhost:11434", host(model.URL)})
			if model.Embed != "all-minilm" || model.Chat != "gemma3-270m" {
				t.Fatalf("the documents speak of all-minilm and gemma3-270m, the server has %s and %s", model.Embed, model.Chat)
			}
		case "chroma":
			out = append(out, Place{"localhost:8000", host(parts.Chroma(t))})
		case "shared":
			out = append(out, Place{"../shared", shared.Dir(t)})
		case "python3":
			if _, err := exec.LookPath("python3"); err != nil {
				parts.Missing(t, "python3", "install Python 3")
			}
		default:
			t.Fatalf("the document needs %q, which no test knows", need)
		}
	}
	for _, port := range doc.Ports {
		out = append(out, Place{port, freePort(t)})
	}
	return out
}

func host(url string) string { return strings.TrimPrefix(url, "http://") }

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
}

// TestLinks: every relative link in the documents leads to a file of the repository.
func TestLinks(t *testing.T) {
	repo, err := shared.Repo()
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(repo, "docs", "*.md"))
	for _, path := range append(files, filepath.Join(repo, "README.md"), filepath.Join(repo, "CHANGELOG.md")) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllSubmatch(data, -1) {
			target, _, _ := bytes.Cut(m[1], []byte("#"))
			if len(target) == 0 || bytes.Contains(target, []byte("://")) {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), string(target))); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", filepath.Base(path), target)
			}
		}
	}
}

// A whole assay.yaml that no command of its document uses.
var example = regexp.MustCompile("(?s)(-->\n)?```yaml\n(version: 1\n.*?)```")

// TestExamples: an assay.yaml that is shown is one that is accepted.
func TestExamples(t *testing.T) {
	repo, err := shared.Repo()
	if err != nil {
		t.Fatal(err)
	}
	bin := build(t, repo)
	files, _ := filepath.Glob(filepath.Join(repo, "docs", "*.md"))
	checked := 0
	for _, path := range append(files, filepath.Join(repo, "README.md")) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range example.FindAllSubmatch(data, -1) {
			if len(m[1]) > 0 {
				continue
			}
			checked++
			file := filepath.Join(t.TempDir(), "assay.yaml")
			if err := errors.Join(os.WriteFile(file, m[2], 0o644), os.Mkdir(filepath.Join(filepath.Dir(file), "docs"), 0o755),
				os.WriteFile(filepath.Join(filepath.Dir(file), "docs", "a.md"), []byte("Backups are kept for thirty days.\n"), 0o644)); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(filepath.Join(bin, "assay"), "config", "check", "-c", file).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s\n%s", filepath.Base(path), err, m[2], out)
			}
		}
	}
	if checked == 0 {
		t.Error("no example was found")
	}
}
