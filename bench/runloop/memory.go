package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// loop is one run of ours, in a process whose memory is measured.
func loop(url string, workers, n int) error {
	_, err := ours(url, workers, n)
	return err
}

// memory prints the peak memory of the run loop, and of the whole of `assay run`, for more and more queries.
func memory(delay time.Duration, workers int) error {
	url, stop, err := backend(delay)
	if err != nil {
		return err
	}
	defer stop()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "runloop")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bin, err := build(dir)
	if err != nil {
		return err
	}
	fmt.Printf("| queries | run loop, peak MB | assay run, peak MB | assay run, s |\n| --- | --- | --- | --- |\n")
	for _, n := range []int{1000, 10_000, 100_000} {
		alone, _, err := peak(exec.Command(self, "-workers", fmt.Sprint(workers), "-queries", fmt.Sprint(n), "loop", url))
		if err != nil {
			return err
		}
		project := filepath.Join(dir, fmt.Sprint(n))
		if err := writeProject(project, url, n); err != nil {
			return err
		}
		cmd := exec.Command(bin, "run", "--set", fmt.Sprintf("run.workers=%d", workers))
		cmd.Dir = project
		whole, took, err := peak(cmd)
		if err != nil {
			return err
		}
		fmt.Printf("| %d | %.0f | %.0f | %.1f |\n", n, alone, whole, took.Seconds())
	}
	return nil
}

// peak runs a command and returns the most memory it had resident, in MB, and the time it took.
func peak(cmd *exec.Cmd) (mb float64, took time.Duration, err error) {
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, 0, fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return float64(usage.Maxrss) / 1000, time.Since(start), nil
}

// writeProject makes a project of n labelled queries against the backend.
func writeProject(dir, url string, n int) error {
	if err := os.MkdirAll(filepath.Join(dir, "testset"), 0o755); err != nil {
		return err
	}
	var q, l strings.Builder
	for query := range queries(n) {
		line, err := json.Marshal(map[string]string{"id": query.ID, "text": query.Text})
		if err != nil {
			return err
		}
		q.Write(append(line, '\n'))
		fmt.Fprintf(&l, `{"query":"%s","target":{"chunk":"chunk-%d"},"event":"grade","grade":3,"by":"human","time":"2026-12-02T10:00:00Z"}`+"\n", query.ID, len(l.String())%pool)
	}
	config := fmt.Sprintf(`systems: {app: {retriever: {kind: http, url: "%s", body: '{"q": {{json .Query}}, "k": {{.K}}}', hits: /hits}}}`+"\n", url)
	for name, text := range map[string]string{"testset/queries.jsonl": q.String(), "testset/labels.jsonl": l.String(), "assay.yaml": config} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
