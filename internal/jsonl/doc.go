// Package jsonl reads and appends JSON Lines files that people keep: test sets, runs, the history.
//
// Its promise is that a line is appended whole or not at all, by any number of processes, and that a
// line torn by a crash is found and mended when the file is next opened for appending; where people edit the
// file, what was torn off is kept beside it. Only a line feed ends a line; a reader reports file, line number
// and byte offset with every error.
package jsonl
