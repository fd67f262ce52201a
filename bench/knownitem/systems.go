package main

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/bm25"
)

// system is one variant of BM25.
type system struct {
	name    string
	stemmed bool
	twin    int // the same without, or with, stemming
	index   *bm25.Index
}

// systems are all pairs of k1 and b, each with Porter's stemmer and English stop words, and with neither.
func systems(ctx context.Context, chunks []assay.Chunk) ([]system, error) {
	var out []system
	for _, k1 := range []float64{0.4, 0.9, 1.5, 2.5} {
		for _, b := range []float64{0, 0.4, 0.75, 1} {
			for _, analyzer := range []string{"standard", "english"} {
				x, err := bm25.Build(ctx, each(chunks), bm25.Config{K1: k1, B: b, Analyzer: analyzer, Text: bm25.TitleAndText})
				if err != nil {
					return nil, err
				}
				out = append(out, system{fmt.Sprintf("%s k1 %g b %g", analyzer, k1, b), analyzer == "english", len(out) ^ 1, x})
			}
		}
	}
	return out, nil
}

func each(chunks []assay.Chunk) iter.Seq2[assay.Chunk, error] {
	return func(yield func(assay.Chunk, error) bool) {
		for _, c := range chunks {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// means is the mean nDCG@10 of every system over a set.
func means(all []system, set []query) ([]float64, error) {
	out, errs := make([]float64, len(all)), make([]error, len(all))
	todo := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range todo {
				out[i], errs[i] = all[i].mean(set)
			}
		})
	}
	for i := range all {
		todo <- i
	}
	close(todo)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *system) mean(set []query) (float64, error) {
	sum := 0.0
	for _, q := range set {
		resp, err := s.index.Search(context.Background(), assay.Request{Text: q.text, K: 10})
		if err != nil {
			return 0, err
		}
		sum += q.ndcg(resp.Hits)
	}
	return sum / float64(len(set)), nil
}
