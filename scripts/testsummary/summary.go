package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// event is a line of `go test -json`; see `go doc test2json`.
type event struct {
	Action, Package, Test, Output string
	ImportPath                    string // set instead of Package on the output of a failed build
}

// summary holds the output of the tests that are still running, and what it counts.
type summary struct {
	out                     io.Writer
	running                 map[string][]string // output by package and test
	skipped                 map[string][]string // tests by reason
	passed, failed, omitted int
	broken                  bool // a package failed, perhaps without any test: it did not build, or it panicked
}

func newSummary(out io.Writer) *summary {
	return &summary{out: out, running: map[string][]string{}, skipped: map[string][]string{}}
}

func (s *summary) printf(format string, args ...any) {
	fmt.Fprintf(s.out, format, args...)
}

// read handles events until r ends. A line that is no event is printed as it is: the go command writes some.
func (s *summary) read(r io.Reader) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			var e event
			if !strings.HasPrefix(line, "{") || json.Unmarshal([]byte(line), &e) != nil {
				s.printf("%s", line)
			} else {
				s.handle(e)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *summary) handle(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output":
		if e.Test != "" {
			s.running[key] = append(s.running[key], e.Output)
		} else if e.Output != "PASS\n" && !strings.HasSuffix(e.Output, "[no test files]\n") {
			s.printf("%s", e.Output) // "ok …", "FAIL …", and what a crash says
		}
	case "build-output":
		s.printf("%s", e.Output)
	case "build-fail":
		s.broken = true
	case "pass", "fail", "skip":
		if e.Test == "" {
			s.broken = s.broken || e.Action == "fail"
			s.flush(e.Package)
			return
		}
		s.end(e, key)
	}
}

// end counts a test that has ended and lets go of its output.
func (s *summary) end(e event, key string) {
	output := s.running[key]
	delete(s.running, key)
	switch e.Action {
	case "pass":
		s.passed++
	case "fail":
		s.failed++
		s.printf("%s", strings.Join(output, ""))
	case "skip":
		s.omitted++
		why := reason(output)
		s.skipped[why] = append(s.skipped[why], strings.TrimPrefix(e.Package, "github.com/assay-eval/assay/")+"."+e.Test)
	}
}

// flush prints the output of tests that were running when their package ended: it crashed or ran out of time in them.
func (s *summary) flush(pkg string) {
	for _, key := range slices.Sorted(maps.Keys(s.running)) {
		if strings.HasPrefix(key, pkg+" ") {
			s.printf("%s", strings.Join(s.running[key], ""))
			delete(s.running, key)
		}
	}
}

var place = regexp.MustCompile(`^\s+\S+\.go:\d+: `)

// reason finds what a test said when it was skipped, the last line with a place in front.
func reason(output []string) string {
	for _, line := range slices.Backward(output) {
		if at := place.FindString(line); at != "" {
			return strings.TrimSpace(line[len(at):])
		}
	}
	return "no reason given"
}

// close prints the closing lines.
func (s *summary) close() {
	if s.omitted > 0 {
		s.printf("\nDid not run:\n")
		for _, why := range slices.Sorted(maps.Keys(s.skipped)) {
			s.printf("  %s\n", why)
			for _, test := range s.skipped[why] {
				s.printf("    %s\n", test)
			}
		}
		s.printf("\n")
	}
	s.printf("%d passed, %d failed, %d skipped\n", s.passed, s.failed, s.omitted)
}

func (s *summary) good() bool {
	return s.failed == 0 && !s.broken && s.passed > 0
}
