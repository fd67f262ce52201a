package main

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
)

// sample prints what drawing 200 of 300,000 chunks takes, with the model-free writer that counts the terms
// of all of them.
func sample() (err error) {
	dir, err := os.MkdirTemp("", "runloop")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bin, err := build(dir)
	if err != nil {
		return err
	}
	size, err := writeRecords(filepath.Join(dir, "corpus.jsonl"), 300_000)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "assay.yaml"), []byte("corpus: {path: corpus.jsonl}\n"), 0o644); err != nil {
		return err
	}
	cmd := exec.Command(bin, "generate", "--method", "known-item", "--sample", "200")
	cmd.Dir = dir
	mb, took, err := peak(cmd)
	if err != nil {
		return err
	}
	fmt.Printf("300,000 chunks, %.0f MB of JSON lines: %.1f s, peak %.0f MB\n", float64(size)/1e6, took.Seconds(), mb)
	return nil
}

// writeRecords writes n documents of a hundred words, whose frequencies fall as those of a language do.
func writeRecords(path string, n int) (size int64, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<20)
	rng := rand.New(rand.NewPCG(1, 3))
	zipf := rand.NewZipf(rng, 1.1, 1, 200_000)
	for i := range n {
		fmt.Fprintf(w, `{"id":"doc-%d","text":"`, i)
		for range 100 {
			fmt.Fprintf(w, "w%d ", zipf.Uint64())
		}
		fmt.Fprintln(w, `."}`)
	}
	if err := w.Flush(); err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
