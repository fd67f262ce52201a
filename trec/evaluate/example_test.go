package evaluate_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/trec"
	"github.com/assay-eval/assay/trec/evaluate"
)

// Score a run file: qrels and run in, a mean for each measure out.
func Example() {
	dir := exampleFiles()
	defer os.RemoveAll(dir)

	qrels, err := trec.ReadQrels(filepath.Join(dir, "qrels.txt"), trec.Dialect{})
	check(err)
	run, err := trec.OpenRun(filepath.Join(dir, "bm25.run"), trec.Dialect{})
	check(err)
	defer run.Close()
	set, err := measure.NewSet(measure.MustParse("ndcg@10"), measure.MustParse("recall@100"))
	check(err)
	result, err := evaluate.Run(context.Background(), qrels, run, set, evaluate.Options{})
	check(err)
	for _, m := range result.Means {
		fmt.Printf("%s %.4f over %d queries\n", m.Measure, m.Value, m.Scored)
	}
	// Output:
	// ndcg@10 0.7906 over 2 queries
	// recall@100 1.0000 over 2 queries
}

func exampleFiles() string {
	dir, err := os.MkdirTemp("", "assay")
	check(err)
	check(os.WriteFile(filepath.Join(dir, "qrels.txt"), []byte("1 0 a 2\n1 0 b 1\n2 0 a 1\n"), 0o644))
	check(os.WriteFile(filepath.Join(dir, "bm25.run"), []byte("1 Q0 a 1 3.5 bm25\n1 Q0 c 2 2.5 bm25\n1 Q0 b 3 1.5 bm25\n2 Q0 b 1 2 bm25\n2 Q0 a 2 1 bm25\n"), 0o644))
	return dir
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
