// Package cli is the command line: one file per command, each an options struct, a constructor and a run
// function. It puts the rooms together and is the only place that prints errors and chooses exit codes.
package cli
