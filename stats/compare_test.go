package stats

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestComparePaired(t *testing.T) {
	c := must(ComparePaired(scoresA, scoresB, Design{}, Options{}))(t)
	near(t, "mean A", c.MeanA, 0.57625, 1e-12)
	near(t, "mean B", c.MeanB, 0.5145833333333333, 1e-12)
	near(t, "difference", c.Diff, 0.061666666666666654, 1e-12)
	near(t, "sd", c.SD, 0.11878613104035433, 1e-12)   // D.std(ddof=1)
	near(t, "d_z", *c.Dz, 0.5191402912661335, 1e-12)  // D.mean()/D.std(ddof=1)
	near(t, "exact p", c.P, 0.019683837890625, 1e-12) // all 65,536 sign assignments
	if c.Wins != 12 || c.Ties != 8 || c.Losses != 4 {
		t.Errorf("%d wins, %d ties, %d losses", c.Wins, c.Ties, c.Losses)
	}
	if c.Test != PairedRandomizationExact || c.Method != MethodInversion || c.Contains(0) {
		t.Errorf("%q, %q, %v", c.Test, c.Method, c.Interval)
	}
	near(t, "minimum detectable", *c.MDD, MinimumDetectable(c.SD, 24, 0.05, 0.8), 1e-9)
}

func TestComparePairedClusters(t *testing.T) {
	c := must(ComparePaired(scoresA, scoresB, Design{Clusters: sources}, Options{}))(t)
	// sm.OLS(D, 1).fit(cov_type='cluster', cov_kwds={'groups': C}).bse
	near(t, "standard error", c.SE, 0.01599200331715893, 1e-12)
	// flips whole clusters: the exact test over the cluster sums
	var sums []float64
	for i, d := range differences(scoresA, scoresB) {
		if i == 0 || sources[i] != sources[i-1] {
			sums = append(sums, 0)
		}
		sums[len(sums)-1] += d
	}
	near(t, "p", c.P, plainEnumeration(sums), 1e-12)
	if c.Units != 10 || !has(c.Warnings, WarnClusters) {
		t.Errorf("%+v", c)
	}
}

func TestComparePairedBinary(t *testing.T) {
	c := must(ComparePaired(hitsA, hitsB, Design{}, Options{}))(t)
	near(t, "p", c.P, 0.125, 1e-12) // mcnemar([[13, 6], [1, 4]], exact=True).pvalue
	want := Newcombe(PairedTable{13, 6, 1, 4}, 0.95)
	if c.Interval != want || c.Test != ExactBinomial || c.Method != MethodNewcombe || !c.Binary {
		t.Errorf("%+v", c)
	}
	// Clusters leave the table behind but not the 0/1.
	c = must(ComparePaired(hitsA, hitsB, Design{Clusters: sources}, Options{}))(t)
	if c.Test != PairedRandomizationExact || c.Method != MethodInversion || !c.Binary {
		t.Errorf("clustered: %q, %q", c.Test, c.Method)
	}
}

func TestComparePairedSymmetric(t *testing.T) {
	c := must(ComparePaired(scoresA, scoresB, Design{}, Options{Assume: AssumeSymmetric}))(t)
	near(t, "p", c.P, 0.017242431640625, 1e-12) // the exact signed-rank value, as in TestWilcoxon
	near(t, "centre", c.Diff, 0.065, 1e-12)
	if c.Test != SignedRank || c.Method != MethodHodgesLehmann {
		t.Errorf("%q, %q", c.Test, c.Method)
	}
	skewed, zero := make([]float64, 60), make([]float64, 60)
	for i := range skewed {
		skewed[i] = -0.01 * float64(i)
		if i%10 == 0 {
			skewed[i] = 3
		}
	}
	c = must(ComparePaired(skewed, zero, Design{}, Options{Assume: AssumeSymmetric}))(t)
	if !has(c.Warnings, WarnAsymmetric) {
		t.Errorf("skewed differences: warnings %v", c.Warnings)
	}
	c = must(ComparePaired(scoresA, scoresB, Design{Clusters: sources}, Options{Assume: AssumeSymmetric}))(t)
	if c.Test != PairedRandomizationExact || !has(c.Warnings, WarnAssumption) {
		t.Errorf("clustered ranks: %q, %v", c.Test, c.Warnings)
	}
}

func TestComparePairedWarnings(t *testing.T) {
	base := make([]float64, 60)
	for i := range base {
		base[i] = float64(i%9) / 9
	}
	change := func(n int, by float64) []float64 {
		out := append([]float64(nil), base...)
		for i := range n {
			out[i] += by * float64(1+i%3)
		}
		return out
	}
	shifted := append([]float64(nil), base...)
	for i := range shifted {
		shifted[i] += 0.25
	}
	for _, c := range []struct {
		name string
		a    []float64
		want []WarningKind
	}{
		{"the same", base, []WarningKind{WarnAllTies}},
		{"rounding only", change(60, 1e-17), []WarningKind{WarnAllTies}},
		{"five differ", change(5, 0.01), []WarningKind{WarnFewDiffer}},
		{"six differ", change(6, 0.01), []WarningKind{}},
		{"all by the same", shifted, []WarningKind{WarnDegenerate}},
	} {
		got := must(ComparePaired(c.a, base, Design{}, Options{}))(t)
		if diff := cmp.Diff(c.want, kinds(got.Warnings)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if !(got.P > 0 && got.P <= 1) || !got.Contains(got.Diff) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	same := must(ComparePaired(base, base, Design{}, Options{}))(t)
	u := 1 - math.Pow(0.05, 1.0/60)
	nearInterval(t, "the same", same.Interval, -u, u, 1e-12)
	if same.P != 1 || same.Dz != nil || same.MDD != nil {
		t.Errorf("the same: %+v", same)
	}
	five := must(ComparePaired(change(5, 0.01), base, Design{}, Options{}))(t)
	if got := five.Warnings[0].Message; got != "the systems differ on 5 independent queries: no p-value below 0.0625 is possible, 0.05 takes 6" {
		t.Errorf("message %q", got)
	}
}

// With few queries no difference can be rejected: the interval must say so.
func TestComparePairedTiny(t *testing.T) {
	c := must(ComparePaired([]float64{0.9, 0.8, 0.7}, []float64{0.1, 0.3, 0.5}, Design{}, Options{}))(t)
	if c.P != 0.25 || c.Interval != (Interval{-1, 1}) {
		t.Errorf("in [0, 1]: %v", c)
	}
	c = must(ComparePaired([]float64{9, 8, 7}, []float64{1, 3, 5}, Design{}, Options{}))(t)
	if c.P != 0.25 || c.Method != MethodT || c.Lo > 0 {
		t.Errorf("unknown range: %v %q", c, c.Method)
	}
	c = must(ComparePaired([]float64{1}, []float64{0.5}, Design{}, Options{}))(t)
	if c.P != 1 || c.Dz != nil || c.MDD != nil || !has(c.Warnings, WarnFewQueries) {
		t.Errorf("one query: %+v", c)
	}
}

// Thirds that cancel leave rounding in their sum; the difference is 0 all the same.
func TestComparePairedCancels(t *testing.T) {
	c := must(ComparePaired([]float64{1.0 / 3, 1, 2.0 / 3, 1}, []float64{1, 1.0 / 3, 1, 2.0 / 3}, Design{}, Options{}))(t)
	if c.Diff != 0 || *c.Dz != 0 || c.P != 1 || c.String() != "+0.0000 [-1.0000, 1.0000] p=1" {
		t.Errorf("%v", c)
	}
}

func TestComparePairedMisuse(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []float64
		o    Options
		want string
	}{
		{"length", []float64{1, 0}, []float64{1}, Options{}, "measure 1 has 1 scores, measure 0 has 2"},
		{"NaN", []float64{1, 0}, []float64{1, math.NaN()}, Options{}, "score 1 is NaN"},
		{"empty", nil, nil, Options{}, "no scores"},
		{"options", []float64{1}, []float64{1}, Options{Confidence: 2}, "confidence 2"},
	} {
		if _, err := ComparePaired(c.a, c.b, Design{}, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := ComparePairedAll([][]float64{{1}}, nil, Design{}, Options{}); err == nil {
		t.Error("one measure against none was accepted")
	}
	if out, err := ComparePairedAll(nil, nil, Design{}, Options{}); err != nil || len(out) != 0 {
		t.Errorf("no measures: %v, %v", out, err)
	}
}

func TestComparisonJSON(t *testing.T) {
	b := must(json.Marshal(must(ComparePaired(hitsA, hitsA, Design{}, Options{}))(t)))(t)
	for _, field := range []string{`"dz"`, `"mdd"`, "NaN", "Inf"} {
		if strings.Contains(string(b), field) {
			t.Errorf("unknown values belong left out, got %s in %s", field, b)
		}
	}
	for _, field := range []string{`"lo":`, `"hi":`, `"mean_a":`, `"p":1,`, `"test":"exact binomial (McNemar)"`, `"warnings":[{"kind":"few_queries","message":`} {
		if !strings.Contains(string(b), field) {
			t.Errorf("no %s in %s", field, b)
		}
	}
}
