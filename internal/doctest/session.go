package doctest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Home is what documents call the folder that they run in.
const Home = "/home/you"

// Session runs the steps of one document. Close it to stop what still runs in the background.
type Session struct {
	Dir     string        // the document's folder, empty at first
	Env     []string      // environment of the commands
	Places  []Place       // what is elsewhere than the document says
	Timeout time.Duration // of one command

	at         string // the current folder, below Dir; "" is Dir
	background []*exec.Cmd
}

// Place is something that a document calls by its usual name: a server's address, a port, a folder.
type Place struct{ Name, Real string }

// Write writes the file of a step.
func (s *Session) Write(name, text string) error {
	path := filepath.Join(s.Dir, s.at, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(s.toReal(text)), 0o644)
}

// Run runs one command and returns what it printed, line by line, with the names of the document.
func (s *Session) Run(ctx context.Context, c Command) (output []string, exit int, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	text := strings.ReplaceAll(s.toReal(c.Text), "go run ./cmd/assay", "assay")
	if dir, ok := strings.CutPrefix(text, "cd "); ok {
		s.at = filepath.Join(s.at, dir)
		_, err := os.Stat(filepath.Join(s.Dir, s.at))
		return nil, 0, err
	}
	if text, ok := strings.CutSuffix(text, " &"); ok {
		output, err = s.start(ctx, text, len(canonicalLines(c.Output)))
		return output, 0, err
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", text)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	s.prepare(cmd, &out)
	err = cmd.Run()
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		err = fmt.Errorf("not done after %s", s.Timeout)
	case errors.As(err, &failed):
		exit, err = failed.ExitCode(), nil
	}
	return s.lines(out.String()), exit, err
}

func (s *Session) prepare(cmd *exec.Cmd, out interface{ Write([]byte) (int, error) }) {
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = filepath.Join(s.Dir, s.at), s.Env, out, out
}

// start leaves a command running once it has printed a number of lines.
func (s *Session) start(ctx context.Context, text string, lines int) ([]string, error) {
	cmd := exec.Command("sh", "-c", "exec "+text)
	var out safeBuffer
	s.prepare(cmd, &out)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s.background = append(s.background, cmd)
	for len(canonicalLines(s.lines(out.String()))) < lines {
		select {
		case <-ctx.Done():
			return s.lines(out.String()), fmt.Errorf("printed fewer than %d lines in %s", lines, s.Timeout)
		case <-time.After(10 * time.Millisecond):
		}
	}
	return s.lines(out.String()), nil
}

// Close stops the programs in the background.
func (s *Session) Close() {
	for _, cmd := range s.background {
		_ = cmd.Process.Kill() // it may have ended by itself
		_ = cmd.Wait()         // killed, which is what was wanted
	}
}

func (s *Session) toReal(text string) string {
	for _, p := range s.places() {
		text = strings.ReplaceAll(text, p.Name, p.Real)
	}
	return text
}

func (s *Session) places() []Place {
	return append(s.Places[:len(s.Places):len(s.Places)], Place{Home, s.Dir})
}

func (s *Session) lines(text string) []string {
	for _, p := range s.places() {
		text = strings.ReplaceAll(text, p.Real, p.Name)
	}
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// safeBuffer may be written and read at once.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
