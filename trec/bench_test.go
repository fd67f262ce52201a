package trec

import (
	"context"
	"os"
	"testing"
)

// BenchmarkEach parses and judges a large run; ASSAY_BENCH_DIR holds what bench/gentrec wrote.
func BenchmarkEach(b *testing.B) {
	dir := os.Getenv("ASSAY_BENCH_DIR")
	if dir == "" {
		b.Skip("set ASSAY_BENCH_DIR to a folder written by go run ./bench/gentrec")
	}
	for _, d := range []struct {
		name    string
		dialect Dialect
	}{{"lenient", Dialect{Lenient: true}}, {"strict", Dialect{}}} {
		b.Run(d.name, func(b *testing.B) {
			info, err := os.Stat(dir + "/run.txt")
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(info.Size())
			for b.Loop() {
				q, err := ReadQrels(dir+"/qrels.txt", d.dialect)
				if err != nil {
					b.Fatal(err)
				}
				run, err := OpenRun(dir+"/run.txt", d.dialect)
				if err != nil {
					b.Fatal(err)
				}
				judges := make([]Judge, 64)
				err = run.Each(context.Background(), 0, func(w int, blk *Block) error {
					_, _, err := judges[w].Rank(blk, q.Lookup(blk.Query))
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
				run.Close()
			}
		})
	}
}
