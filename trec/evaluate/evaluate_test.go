package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/trec"
)

// files writes qrels and a run.
func files(t testing.TB, qrels, run string) (*trec.Qrels, *trec.Run) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"qrels": qrels, "run": run} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	q, err := trec.ReadQrels(filepath.Join(dir, "qrels"), trec.Dialect{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := trec.OpenRun(filepath.Join(dir, "run"), trec.Dialect{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return q, r
}

func set(t testing.TB, names ...string) *measure.Set {
	t.Helper()
	list, err := measure.ParseList(names...)
	if err != nil {
		t.Fatal(err)
	}
	s, err := measure.NewSet(list...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// mean scores one measure over files.
func mean(t *testing.T, name, qrels, run string, o Options) measure.Mean {
	t.Helper()
	q, r := files(t, qrels, run)
	res, err := Run(context.Background(), q, r, set(t, name), o)
	if err != nil {
		t.Fatal(err)
	}
	return res.Means[0]
}

func TestRuleTiesByIDDescending(t *testing.T) {
	if m := mean(t, "mrr", "1 0 b 1\n", "1 Q0 a 1 1 t\n1 Q0 b 2 1 t\n", Options{}); m.Value != 1 {
		t.Errorf("mrr = %v: the tie did not go to b", m.Value)
	}
	if m := mean(t, "mrr", "1 0 100 1\n", "1 Q0 100 1 1 t\n1 Q0 9 2 1 t\n", Options{}); m.Value != 0.5 {
		t.Errorf("mrr = %v: 9 does not come before 100 in byte order descending", m.Value)
	}
}

func TestRuleDuplicatesCountOnceAtTheBetterRank(t *testing.T) {
	q, r := files(t, "1 0 a 1\n1 0 b 1\n", "1 Q0 a 1 3 t\n1 Q0 a 2 2 t\n1 Q0 b 3 1 t\n")
	res, err := Run(context.Background(), q, r, set(t, "recall@2", "map", "p@3"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1, 1, 2.0 / 3} {
		if res.Means[i].Value != want {
			t.Errorf("%s = %v, want %v", res.Means[i].Measure, res.Means[i].Value, want)
		}
	}
	if len(res.Warnings) != 1 || res.Warnings[0].Code != "documents_repeated" {
		t.Errorf("warnings %v", res.Warnings)
	}
}

func TestRuleQueriesOnlyInOneFile(t *testing.T) {
	q, r := files(t, "1 0 a 1\n2 0 a 1\n3 0 a 0\n", "1 Q0 a 1 1 t\n4 Q0 a 1 1 t\n")
	res, err := Run(context.Background(), q, r, set(t, "mrr"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	// 1 scores 1, 2 is missing and scores 0, 3 has no relevant document, 4 no judgments.
	if want := (measure.Mean{Measure: "mrr", Value: 0.5, Scored: 2, Empty: 1, Undefined: 1}); res.Means[0] != want {
		t.Errorf("got %+v, want %+v", res.Means[0], want)
	}
	var codes []string
	for _, w := range res.Warnings {
		codes = append(codes, w.Code)
	}
	if diff := cmp.Diff([]string{"queries_missing", "queries_unjudged"}, codes); diff != "" {
		t.Error(diff)
	}
	if row := res.Rows[1]; row.Query != "2" || row.Outcome != measure.Empty || row.Why == "" {
		t.Errorf("row %+v does not say why it is 0", row)
	}
}

func TestNoCommonQuery(t *testing.T) {
	q, r := files(t, "1 0 a 1\n2 0 a 1\n3 0 a 1\n4 0 a 1\n", "q3 Q0 a 1 1 t\nq1 Q0 a 1 1 t\nq2 Q0 a 1 1 t\nq0 Q0 a 1 1 t\n")
	_, err := Run(context.Background(), q, r, set(t, "mrr"), Options{})
	if !errors.Is(err, assay.ErrUsage) || !strings.HasSuffix(err.Error(), `the qrels have "1", "2", "3" … (4), the run has "q0", "q1", "q2" … (4)`) {
		t.Errorf("%v", err)
	}
}

func TestDepthLevelAndJudgedOnly(t *testing.T) {
	qrels, run := "1 0 a 1\n1 0 b 2\n1 0 c 0\n", "1 Q0 x 1 4 t\n1 Q0 a 2 3 t\n1 Q0 c 3 2 t\n1 Q0 b 4 1 t\n"
	for _, c := range []struct {
		name string
		o    Options
		want float64
	}{
		{"mrr", Options{}, 0.5}, {"mrr", Options{Level: 2}, 0.25}, {"mrr", Options{Level: 2, Depth: 3}, 0}, {"mrr", Options{JudgedOnly: true}, 1},
		{"num_ret", Options{JudgedOnly: true}, 3}, {"num_ret", Options{Depth: 2}, 2}, {"num_ret", Options{Depth: 2, JudgedOnly: true}, 1},
		{"num_rel", Options{Level: -0.5}, 3},
	} {
		if m := mean(t, c.name, qrels, run, c.o); m.Value != c.want {
			t.Errorf("%s %+v = %v, want %v", c.name, c.o, m.Value, c.want)
		}
	}
}

// TestOrderOfLinesDoesNotMatter, nor does the number of workers: same bits.
func TestOrderOfLinesDoesNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	var qrels, run []string
	for i := range 40 {
		for d := range 30 {
			if rng.IntN(3) == 0 {
				qrels = append(qrels, fmt.Sprintf("q%d 0 d%d %d", i, d, rng.IntN(4)))
			}
			run = append(run, fmt.Sprintf("q%d Q0 d%d 0 %.3f t", i, d, rng.Float64()))
		}
	}
	measures := set(t, "ndcg", "map", "gm_map", "rbp", "bpref", "err")
	var want []measure.Mean
	for _, workers := range []int{1, 3, 8} {
		q, r := files(t, strings.Join(qrels, "\n"), strings.Join(run, "\n"))
		res, err := Run(context.Background(), q, r, measures, Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = res.Means
		}
		if diff := cmp.Diff(want, res.Means, cmp.Comparer(func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })); diff != "" {
			t.Errorf("%d workers:\n%s", workers, diff)
		}
		rng.Shuffle(len(run), func(i, j int) { run[i], run[j] = run[j], run[i] })
		rng.Shuffle(len(qrels), func(i, j int) { qrels[i], qrels[j] = qrels[j], qrels[i] })
	}
}

func TestCancelled(t *testing.T) {
	q, r := files(t, "1 0 a 1\n", strings.Repeat("1 Q0 a 1 1 t\n", 1))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, q, r, set(t, "mrr"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// errBoom is an error of a caller's function.
var errBoom = errors.New("boom")

func TestErrorOfTheCallerComesBack(t *testing.T) {
	q, r := files(t, "1 0 a 1\n", "1 Q0 a 1 1 t\n")
	_, err := Each(context.Background(), q, r, Options{}, func(int, *trec.Judgments, *measure.Topic) error { return errBoom })
	if !errors.Is(err, errBoom) || err.Error() != "boom" {
		t.Errorf("%v", err)
	}
}
