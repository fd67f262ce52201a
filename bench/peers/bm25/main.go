//go:build unix

// Command bm25 measures assay's BM25 on SciFact for bench/peers/bm25.sh: one JSON object of numbers on standard output.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/bench/peers/cputime"
	"github.com/assay-eval/assay/connector/bm25"
	"github.com/assay-eval/assay/internal/scifact"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	c, err := scifact.Load(os.Args[1])
	if err != nil {
		return err
	}
	cfg := bm25.Default()
	cfg.Text = bm25.TitleAndText
	cfg.Workers = 1
	start := time.Now()
	x, err := bm25.Build(context.Background(), func(yield func(assay.Chunk, error) bool) {
		for _, chunk := range c.Chunks {
			if !yield(chunk, nil) {
				return
			}
		}
	}, cfg)
	if err != nil {
		return err
	}
	indexing := time.Since(start)

	found := make([][]string, len(c.Queries))
	search := func(keep bool) error {
		for i, q := range c.Queries {
			res, err := x.Search(context.Background(), assay.Request{Text: q.Text, K: 100})
			if err != nil {
				return err
			}
			for _, h := range res.Hits {
				if keep {
					found[i] = append(found[i], h.ID)
				}
			}
		}
		return nil
	}
	if err := search(true); err != nil {
		return err
	}
	wall, cpu := time.Hour, time.Hour
	for range 30 {
		start, used := time.Now(), cputime.Process()
		if err := search(false); err != nil {
			return err
		}
		cpu = min(cpu, cputime.Process()-used)
		wall = min(wall, time.Since(start))
	}
	ndcg, recall := c.Effectiveness(func(i int) []string { return found[i] })
	n := float64(len(c.Queries))
	return json.NewEncoder(os.Stdout).Encode(map[string]float64{
		"index, s":                      indexing.Seconds(),
		"queries / s":                   n / wall.Seconds(),
		"queries / s of processor time": n / cpu.Seconds(),
		"queries / s of processor time, from text": n / cpu.Seconds(),
		"nDCG@10":    ndcg,
		"recall@100": recall,
	})
}
