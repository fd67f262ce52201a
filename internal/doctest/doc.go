// Package doctest executes the documentation: what README.md and docs/ show is what the program does, or a test fails.
//
// Each document runs from top to bottom in an empty folder of its own, which the document calls /home/you.
//
//   - A fence marked console is run. Each line that starts with "$ " is a command for sh (one that ends with a backslash
//     goes on in the next line), the lines below it are what it prints, on both streams. "cd DIR" holds for the rest
//     of the document; a command that ends with " &" keeps running until the document ends, and the next one waits
//     for the output shown.
//   - A fence after <!-- doctest: file NAME --> is written to that file. All other fences are for the reader only.
//   - <!-- doctest: exit N --> before a fence: its last command ends with exit code N; all others end with 0.
//   - <!-- doctest: near X --> before a fence: numbers with a decimal point may be off by X, where a model or an approximate index is in play.
//   - <!-- doctest: needs PART... --> anywhere: the document needs chroma, ollama, python3 or the reference data (shared).
//     It names them by their usual address (localhost:8000, localhost:11434, ../shared); the test puts in the real ones.
//   - <!-- doctest: after FILE --> anywhere: the document goes on where another one ended.
//   - <!-- doctest: port N --> anywhere: N stands for a free port.
//
// Output is equal when its lines are, blank ones and the width of gaps aside (a table is aligned on a terminal and
// tab-separated in a pipe). Run ids, times and latencies are equal to any other. "…" stands for any text within a
// line, alone on a line for any number of lines. `go run ./cmd/assay` runs the program under test, too.
//
// go test ./internal/doctest -update writes what the commands print into the documents; read the diff.
package doctest
