package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-eval/assay/internal/term"
)

// BenchmarkHistory shows histories of 10,000 and 100,000 runs as the command does, with lines as long as those of a real
// system (2 kB). The memory held at any time does not grow with the runs but for their index; bytes allocated do.
func BenchmarkHistory(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		dir := b.TempDir()
		path := filepath.Join(dir, "eval_results.jsonl")
		var keys bytes.Buffer
		for i := range 18 {
			fmt.Fprintf(&keys, `"system.retriever.params.key_%d":"sha256:c1a3e0fa4eb953dfec480f4b993b23410f58ecbb0a4d238a922cb2a5e41c1a57",`, i)
		}
		f, err := os.Create(path)
		if err != nil {
			b.Fatal(err)
		}
		for i := range n {
			fmt.Fprintf(f, `{"timestamp":"2026-%02d-%02dT%02d:%02d:00Z","config":{"k":10},"metrics":{"mrr@10":0.6381216931216932,"n_queries":60,"ndcg@10":0.651896385656584,"recall@10":0.%d},"run":"20261202-%06d","system":"docs","intervals":{"recall@10":[0.625,0.8416666666666667]},"fingerprint":{%s"z":"%d"}}`+"\n",
				1+i/10000, 1+i/400%25, i/60%24, i%60, 5000+i%1000, i, keys.Bytes(), i/20_000)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		for _, trend := range []bool{false, true} {
			b.Run(fmt.Sprintf("runs=%d/trend=%v", n, trend), func(b *testing.B) {
				b.SetBytes(info.Size())
				b.ReportAllocs()
				for b.Loop() {
					args := []string{"history", "-c", filepath.Join(dir, "assay.yaml")}
					if trend {
						args = append(args, "--out", filepath.Join(dir, "trend.svg"), "-q")
					}
					var errs bytes.Buffer
					if code := Run(b.Context(), args, &term.Streams{Out: io.Discard, Err: &errs}); code != 0 {
						b.Fatal(errs.String())
					}
				}
			})
		}
	}
}
