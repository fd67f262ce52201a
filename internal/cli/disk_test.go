//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/signal"
	"os/user"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// fullDisk is the program on a disk that is full: no file may grow beyond ASSAY_TEST_FSIZE bytes, and a
// write beyond that fails half-way, as it does on a full disk.
func fullDisk() int {
	limit, err := strconv.ParseUint(os.Getenv("ASSAY_TEST_FSIZE"), 10, 64)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	signal.Ignore(syscall.SIGXFSZ) // the write fails instead
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	return Main()
}

// TestFullDisk fills the disk in the middle of a run. Every line that was written stays whole, and with
// space the run goes on.
func TestFullDisk(t *testing.T) {
	s := newService(t)
	f := s.project(t, 60, "workers: 2")
	f.env = []string{"ASSAY_TEST_FSIZE=9000"}
	p := f.run(exitFailed, "assay-full", "run", "app")
	f.says(p, "keep the result of query", "file too large", "free some space and run the same command again")
	done := f.finished()
	records[any](f, f.onlyRun()+"/results.jsonl") // whole
	records[any](f, f.onlyRun()+"/passages.jsonl")
	if len(done) == 0 || len(done) == 60 {
		t.Fatalf("%d results on the full disk", len(done))
	}
	if text := f.read("eval_results.jsonl"); text != "" {
		t.Errorf("the history has %s", text)
	}
	s.forget()
	f.run(exitOK, "run", "app")
	if n := len(s.soFar()); n != 60-len(done) {
		t.Errorf("%d searches, want the %d that were missing", n, 60-len(done))
	}
	if len(f.rankings(f.onlyRun())) != 60 {
		t.Error("the run did not come to its end")
	}
}

// TestFullDiskWhileGenerating keeps what was written about.
func TestFullDiskWhileGenerating(t *testing.T) {
	s := newWriter(t)
	f := newFolder(t)
	f.write("docs/a.md", strings.Repeat("# Part\n\nThe pump in the cellar is serviced every spring by the same two people.\n\n", 1))
	for i := range 40 {
		f.write(fmt.Sprintf("docs/%02d.md", i), fmt.Sprintf("# Pump %d\n\nPump number %d stands in cellar %d and is serviced in the %dth week of the year.\n", i, i, i, i))
	}
	f.write("assay.yaml", s.config(15))
	f.env = []string{"ASSAY_TEST_FSIZE=4000"}
	p := f.result(f.start("assay-full", "generate"))
	if p.code != exitFailed {
		t.Fatalf("ended with %d\n%s", p.code, &p.err)
	}
	f.says(p, "cannot write the test set", "file too large", "free some space") // of what was accepted, not what was rejected
	for _, file := range []string{"queries.jsonl", "labels.jsonl", "rejects.jsonl"} {
		records[any](f, "testset/"+file)
	}
	f.run(exitOK, "generate")
	if n := len(records[any](f, "testset/queries.jsonl")); n != 15 {
		t.Errorf("%d queries, want 15", n)
	}
}

// TestReadOnlyFolder runs as a user who may not write where the project is.
func TestReadOnlyFolder(t *testing.T) {
	s := newService(t)
	f := s.project(t, 5, "workers: 1")
	for _, dir := range []string{f.dir, f.path("testset")} {
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	}
	for _, args := range [][]string{{"run", "app"}, {"add", "may I write here"}} {
		p := f.prepare(args...)
		f.asNobody(p)
		f.launch(p)
		if f.result(p); p.code != exitFailed {
			t.Errorf("%v ended with %d, want %d\n%s", args, p.code, exitFailed, &p.err)
		}
		f.says(p, "permission denied", "writable")
	}
	if n := len(s.soFar()); n != 0 {
		t.Errorf("%d searches for a run that cannot be kept", n)
	}
}

// asNobody has a process run as a user whom permissions stop, where the tests run as one whom they do not.
func (f *folder) asNobody(p *process) {
	f.Helper()
	if os.Geteuid() == 0 {
		p.SysProcAttr = &syscall.SysProcAttr{Credential: nobody(f)}
		open(f, f.dir)
		open(f, p.Path)
	}
}

func nobody(t testing.TB) *syscall.Credential {
	t.Helper()
	u, err := user.Lookup("nobody")
	if err != nil {
		t.Skipf("runs as root and there is no user nobody: %v", err)
	}
	uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid), NoSetGroups: true}
}

// open lets everybody into the temporary folders above dir, and run the program that it is.
func open(t testing.TB, dir string) {
	t.Helper()
	for d := dir; strings.HasPrefix(d, os.TempDir()+"/"); d = d[:strings.LastIndexByte(d, '/')] {
		info, err := os.Stat(d)
		if err == nil {
			err = os.Chmod(d, info.Mode().Perm()|0o055)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
