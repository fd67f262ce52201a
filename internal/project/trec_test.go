package project

import (
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/trec"
	"github.com/assay-eval/assay/trec/evaluate"
)

const qrelsText = "1 0 a 1\n1 0 b 2\n2 0 a 1\n3 0 a 0\n4 0 c 1\n"

// runText has scattered lines, a document twice, a tie, a query without judgments and one without anything to find.
const runText = "1 Q0 x 1 3 t\n2 Q0 y 1 3 t\n1 Q0 b 2 2 t\n1 Q0 b 3 1 t\n1 Q0 a 4 1 t\n2 Q0 a 2 3 t\n3 Q0 a 1 1 t\n9 Q0 a 1 1 t\n"

func parsed(t *testing.T, names ...string) []measure.Measure {
	t.Helper()
	out, err := measure.ParseList(names...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestQrelsSide(t *testing.T) {
	measures := parsed(t, "mrr", "recall@10")
	q, err := OpenQrels(QrelsOptions{Qrels: written(t, "qrels", qrelsText)}, measures)
	if err != nil {
		t.Fatal(err)
	}
	s, err := q.Side(context.Background(), written(t, "a.run", runText))
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		ID     string
		Values []float64
		First  int
	}
	var got []row
	for _, q := range s.Queries {
		got = append(got, row{q.ID, q.Values, q.First})
	}
	if diff := cmp.Diff([]row{{"1", []float64{0.5, 1}, 2}, {"2", []float64{0.5, 1}, 2}, {"3", nil, 0}}, got); diff != "" {
		t.Error(diff)
	}
	if s.Counts != (compare.Counts{Queries: 3, Scored: 2, Unjudged: 1}) || len(s.Warnings) != 2 {
		t.Errorf("%+v %v", s.Counts, s.Warnings)
	}
	rankings, err := s.Explain([]string{"1"})
	if err != nil {
		t.Fatal(err)
	}
	want := []compare.Hit{{ID: "x"}, {ID: "b", Judged: true, Grade: 2}, {ID: "a", Judged: true, Grade: 1}}
	if diff := cmp.Diff(want, rankings["1"].Hits); diff != "" || len(rankings) != 1 {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a", "b"}, q.Gold("1")); diff != "" {
		t.Error(diff)
	}
	q.opts.Complete = true
	if s, err = q.Side(context.Background(), written(t, "a.run", runText)); err != nil || s.Counts.Queries != 4 || s.Queries[3].Values[0] != 0 || s.Queries[3].Why == "" {
		t.Errorf("with --complete: %+v, %v", s.Counts, err)
	}
}

// TestQrelsSideScoresLikeScore: the values are those of `assay score`, whatever the order of the lines.
func TestQrelsSideScoresLikeScore(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	var qrels, lines []string
	ids := strings.Split("abcdefghijklmnop", "")
	for i := range 40 {
		for _, d := range ids {
			id := string(rune('A' + i))
			if rng.IntN(4) == 0 {
				qrels = append(qrels, id+" 0 "+d+" "+string(rune('0'+rng.IntN(4))))
			}
			lines = append(lines, id+" Q0 "+d+" 0 "+string(rune('0'+rng.IntN(10)))+" t")
		}
	}
	rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	qfile, rfile := written(t, "qrels", strings.Join(qrels, "\n")), written(t, "run", strings.Join(lines, "\n"))
	measures := parsed(t, "ndcg@5", "map", "recall@3", "p(rel=2)@5", "err@10")
	q, err := OpenQrels(QrelsOptions{Qrels: qfile}, measures)
	if err != nil {
		t.Fatal(err)
	}
	side, err := q.Side(context.Background(), rfile)
	if err != nil {
		t.Fatal(err)
	}
	judgments, err := trec.ReadQrels(qfile, trec.Dialect{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := trec.OpenRun(rfile, trec.Dialect{})
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	res, err := evaluate.Run(context.Background(), judgments, run, q.set, evaluate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]float64{}
	for _, r := range res.Rows {
		want[r.Query] = r.Values
	}
	for _, q := range side.Queries {
		if q.Values != nil && !cmp.Equal(q.Values, want[q.ID], cmpopts.EquateNaNs()) {
			t.Errorf("%s: %v, want %v", q.ID, q.Values, want[q.ID])
		}
	}
}

// TestDigests: equal lists of ids have equal digests, others not.
func TestDigests(t *testing.T) {
	q, err := OpenQrels(QrelsOptions{Qrels: written(t, "qrels", "1 0 a 1\n")}, parsed(t, "mrr"))
	if err != nil {
		t.Fatal(err)
	}
	digest := func(text string) [16]byte {
		s, err := q.Side(context.Background(), written(t, "r", text))
		if err != nil {
			t.Fatal(err)
		}
		return s.Queries[0].Digest
	}
	ab := digest("1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n")
	if ab != digest("1 Q0 b 7 0.1 u\n1 Q0 a 9 0.2 u\n") {
		t.Error("scores and ranks of the same order show")
	}
	for _, other := range []string{"1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n", "1 Q0 a 1 2 t\n", "1 Q0 ab 1 2 t\n"} {
		if ab == digest(other) {
			t.Errorf("%q has the same digest", other)
		}
	}
}

func TestCPUModel(t *testing.T) {
	if got := cpuModel(written(t, "cpuinfo", "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\nmodel name\t: Other\n")); got != "Some CPU @ 2 GHz" {
		t.Errorf("%q", got)
	}
	if got := cpuModel(os.DevNull) + cpuModel("/nowhere"); got != "" {
		t.Errorf("%q", got)
	}
}
