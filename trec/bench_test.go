package trec

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// writeLarge writes a run of 300 queries by 1,000 documents, a twenty-third of what bench/gentrec writes,
// and qrels with one document a query.
func writeLarge(b *testing.B) (qrels, run string, size int64) {
	rng := rand.New(rand.NewPCG(1, 1))
	var q, r bytes.Buffer
	for i := range 300 {
		score := 20 + 5*rng.Float64()
		for rank, doc := range distinct(rng, 1000) {
			if rank == i {
				fmt.Fprintf(&q, "%d 0 %d 1\n", 1000+37*i, doc)
			}
			fmt.Fprintf(&r, "%d Q0 %d %d %.6f Anserini\n", 1000+37*i, doc, rank+1, score)
			score -= score * 0.004 * rng.Float64()
		}
	}
	dir := b.TempDir()
	qrels, run = filepath.Join(dir, "qrels"), filepath.Join(dir, "run")
	for path, text := range map[string][]byte{qrels: q.Bytes(), run: r.Bytes()} {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return qrels, run, int64(r.Len())
}

// BenchmarkEach parses, sorts and judges a run, MB/s of the run file.
func BenchmarkEach(b *testing.B) {
	qrels, run, size := writeLarge(b)
	for _, d := range []struct {
		name    string
		dialect Dialect
	}{{"lenient", Dialect{Lenient: true}}, {"strict", Dialect{}}} {
		b.Run(d.name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				q, err := ReadQrels(qrels, d.dialect)
				if err != nil {
					b.Fatal(err)
				}
				r, err := OpenRun(run, d.dialect)
				if err != nil {
					b.Fatal(err)
				}
				judges := make([]Judge, 64)
				err = r.Each(context.Background(), 0, func(w int, blk *Block) error {
					_, _, err := judges[w].Rank(blk, q.Lookup(blk.Query))
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
				r.Close()
			}
		})
	}
}

// BenchmarkDecimal reads one score, by shape and without.
func BenchmarkDecimal(b *testing.B) {
	data := pad([]byte("19.225471 "))
	shape := unknown.score
	shape.learn(data, 0)
	b.Run("shape", func(b *testing.B) {
		for b.Loop() {
			shape.parse(data, 0)
		}
	})
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			plainDecimal(data, 0)
		}
	})
}

// distinct draws n different document numbers.
func distinct(rng *rand.Rand, n int) []int {
	seen := map[int]bool{}
	var out []int
	for len(out) < n {
		if d := rng.IntN(9_000_000); !seen[d] {
			seen[d] = true
			out = append(out, d)
		}
	}
	return out
}
