//go:build unix

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// folder is a project in which a test runs the program as its users do: each command a process of its
// own, which can be killed.
type folder struct {
	testing.TB
	dir string
	env []string // beside the test's own
}

func newFolder(t testing.TB) *folder { return &folder{TB: t, dir: t.TempDir()} }

func (f *folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// write makes a file and the folders it is in.
func (f *folder) write(name, text string) {
	f.Helper()
	if err := os.MkdirAll(filepath.Dir(f.path(name)), 0o755); err != nil {
		f.Fatal(err)
	}
	if err := os.WriteFile(f.path(name), []byte(text), 0o644); err != nil {
		f.Fatal(err)
	}
}

// read gives a file's text, "" when it is not there.
func (f *folder) read(name string) string {
	f.Helper()
	data, err := os.ReadFile(f.path(name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		f.Fatal(err)
	}
	return string(data)
}

// process is a command that was started.
type process struct {
	*exec.Cmd
	out, err bytes.Buffer
	ended    chan struct{} // closed when it has ended
	code     int           // then: its exit code, or minus the signal that killed it
}

// prepare makes a process without starting it. Its command is "assay" unless the arguments name another of
// TestMain's.
func (f *folder) prepare(args ...string) *process {
	name := "assay"
	if strings.HasPrefix(args[0], "assay") {
		name, args = args[0], args[1:]
	}
	p := &process{Cmd: exec.Command(name, args...), ended: make(chan struct{})}
	p.Dir, p.Stdout, p.Stderr = f.dir, &p.out, &p.err
	p.Env = append(append(os.Environ(), "NO_COLOR=1"), f.env...)
	return p
}

// launch starts a prepared process.
func (f *folder) launch(p *process) {
	f.Helper()
	if err := p.Start(); err != nil {
		f.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		_ = p.Wait() // its meaning is read from the state
		if status := p.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
			p.code = -int(status.Signal())
		} else {
			p.code = status.ExitStatus()
		}
	}()
	f.Cleanup(func() { p.stop(syscall.SIGKILL) })
}

// start starts the program.
func (f *folder) start(args ...string) *process {
	f.Helper()
	p := f.prepare(args...)
	f.launch(p)
	return p
}

// stop sends a signal, unless the process has ended, and waits for the end.
func (p *process) stop(sig os.Signal) {
	_ = p.Process.Signal(sig) // fails when it has ended
	<-p.ended
}

// result waits for the end of a process that is to end by itself.
func (f *folder) result(p *process) *process {
	f.Helper()
	ctx, cancel := context.WithTimeout(f.Context(), 2*time.Minute)
	defer cancel()
	select {
	case <-p.ended:
	case <-ctx.Done():
		p.stop(syscall.SIGKILL)
		f.Fatalf("%v did not end\n%s%s", p.Args, &p.out, &p.err)
	}
	return p
}

// run runs the program to its end and checks the exit code.
func (f *folder) run(code int, args ...string) *process {
	f.Helper()
	p := f.result(f.start(args...))
	if p.code != code {
		f.Fatalf("%v ended with %d, want %d\n%s%s", args, p.code, code, &p.out, &p.err)
	}
	return p
}

// says checks that a process said all of these things on standard error.
func (f *folder) says(p *process, want ...string) {
	f.Helper()
	for _, w := range want {
		if !strings.Contains(p.err.String(), w) {
			f.Errorf("%v does not say %q, but\n%s", p.Args, w, &p.err)
		}
	}
}

// records decodes a file of JSON lines and fails on a line that is not whole.
func records[T any](f *folder, name string) []T {
	f.Helper()
	text := f.read(name)
	if text == "" {
		return nil
	}
	if !strings.HasSuffix(text, "\n") {
		f.Errorf("%s ends in a torn line", name)
	}
	var out []T
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		var v T
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			f.Errorf("%s:%d: %v\n%s", name, i+1, err, line)
		}
		out = append(out, v)
	}
	return out
}

// onlyRun is the folder of the single run there is, as a name in the project.
func (f *folder) onlyRun() string {
	f.Helper()
	entries, err := os.ReadDir(f.path("runs"))
	if err != nil || len(entries) != 1 {
		f.Fatalf("%d runs, %v", len(entries), err)
	}
	return "runs/" + entries[0].Name()
}
