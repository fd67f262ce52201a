// Command testsummary reads `go test -json` on its standard input and prints what a person wants of it: a line for each
// package, the whole output of each test that failed, and at the end which tests were skipped, grouped by the reason.
//
// `go test` alone hides skips and `go test -v` buries them; a test that did not run because a server was missing must be
// seen. The exit code is 1 when a test or a package failed, or when no test ran at all.
package main

import (
	"os"
)

func main() {
	s := newSummary(os.Stdout)
	if err := s.read(os.Stdin); err != nil {
		s.printf("testsummary: %v\n", err)
		os.Exit(1)
	}
	s.close()
	if !s.good() {
		os.Exit(1)
	}
}
