package stats

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSummarizeStandardErrors(t *testing.T) {
	const seA = 0.06373863212085494 // scipy.stats.sem(A)
	for _, c := range []struct {
		name           string
		d              Design
		mean, se, neff float64
		units          int
	}{
		{"simple", Design{}, 0.57625, seA, 24, 24},
		// sm.OLS(A, 1).fit(cov_type='cluster', cov_kwds={'groups': C}).bse
		{"clusters", Design{Clusters: sources}, 0.57625, 0.04197915230677084, 24 * 24 / 64.0, 10},
		// sm.WLS(A, 1, weights=W).fit(cov_type='cluster', cov_kwds={'groups': range(24)}); W.sum()**2/(W**2).sum()
		{"weights", Design{Weights: weightsW}, 0.5235897435897435, 0.0882786615244119, 16.714285714285715, 24},
		// sm.WLS(A, 1, weights=W).fit(cov_type='cluster', cov_kwds={'groups': C}).bse
		{"weights and clusters", Design{Weights: weightsW, Clusters: sources}, 0.5235897435897435, 0.06493234286190308, 0, 10},
		// sqrt(sum(len(a)*a.var(ddof=1) for a in strata))/len(A)
		{"strata", Design{Strata: layers}, 0.57625, 0.06615352697621872, 24, 24},
	} {
		s := must(Summarize(scoresA, c.d, Options{}))(t)
		near(t, c.name+" mean", s.Mean, c.mean, 1e-12)
		near(t, c.name+" se", s.SE, c.se, 1e-12)
		if c.neff != 0 {
			near(t, c.name+" n_eff", s.NEff, c.neff, 1e-12)
		}
		if s.Units != c.units {
			t.Errorf("%s: %d units, want %d", c.name, s.Units, c.units)
		}
	}
}

func TestSummarizeChoosesMethod(t *testing.T) {
	half := []float64{0.5, 0.5, 0.5, 0.5}
	for _, c := range []struct {
		name string
		xs   []float64
		d    Design
		o    Options
		want Method
	}{
		{"graded", scoresA, Design{}, Options{}, MethodBCa},
		{"0/1", hitsA, Design{}, Options{}, MethodWilson},
		{"0/1 weighted", hitsA, Design{Weights: weightsW}, Options{}, MethodWilsonEffective},
		{"0/1 equal weights", hitsA[:3], Design{Weights: []float64{2, 2, 2}}, Options{}, MethodWilson},
		{"normal", scoresA, Design{}, Options{Assume: AssumeNormal}, MethodT},
		{"normal but 0/1", hitsA, Design{}, Options{Assume: AssumeNormal}, MethodWilson},
		{"symmetric", scoresA, Design{}, Options{Assume: AssumeSymmetric}, MethodBCa},
		{"constant", half, Design{}, Options{}, MethodConstant},
		{"one score", half[:1], Design{}, Options{}, MethodConstant},
	} {
		s := must(Summarize(c.xs, c.d, c.o))(t)
		if s.Method != c.want {
			t.Errorf("%s: %q, want %q", c.name, s.Method, c.want)
		}
		if !s.Contains(s.Mean) {
			t.Errorf("%s: %v does not hold its mean", c.name, s)
		}
	}
}

func TestSummarizeConstantScores(t *testing.T) {
	half := make([]float64, 60)
	for i := range half {
		half[i] = 0.5
	}
	s := must(Summarize(half, Design{}, Options{}))(t)
	u := 1 - math.Pow(0.05, 1.0/60) // the rule of three: about 3/n
	nearInterval(t, "inside [0, 1]", s.Interval, 0.5-u/2, 0.5+u/2, 1e-12)
	if diff := cmp.Diff([]WarningKind{WarnDegenerate}, kinds(s.Warnings)); diff != "" {
		t.Error(diff)
	}
	for i := range half {
		half[i] = 250
	}
	s = must(Summarize(half, Design{}, Options{}))(t)
	if s.Interval != (Interval{250, 250}) || !strings.Contains(s.Warnings[0].Message, "known range") {
		t.Errorf("unknown range: %v %v", s.Interval, s.Warnings)
	}
	s = must(Summarize(half, Design{}, Options{Range: Interval{0, 1000}}))(t)
	nearInterval(t, "stated range", s.Interval, 250-250*u, 250+750*u, 1e-12)
}

func TestSummarizeWarnings(t *testing.T) {
	long := func(n int) []float64 {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = float64(i%7) / 7
		}
		return xs
	}
	one := make([]string, 60)
	for i := range one {
		one[i] = "doc"
	}
	skewed := make([]float64, 60)
	for i := range skewed {
		skewed[i] = 0.001
	}
	skewed[0], skewed[1] = 1, 1
	for _, c := range []struct {
		name string
		xs   []float64
		d    Design
		want []WarningKind
	}{
		{"enough", long(60), Design{}, []WarningKind{}},
		{"under 50", long(40), Design{}, []WarningKind{WarnFewQueries}},
		{"under 30", long(29), Design{}, []WarningKind{WarnFewQueries}},
		{"one source", long(60), Design{Clusters: one}, []WarningKind{WarnClusters, WarnFewQueries, WarnDegenerate}},
		{"weights", long(60), Design{Weights: skewed}, []WarningKind{WarnWeights, WarnFewQueries}},
	} {
		s := must(Summarize(c.xs, c.d, Options{}))(t)
		if diff := cmp.Diff(c.want, kinds(s.Warnings)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	s := must(Summarize(long(29), Design{}, Options{}))(t)
	if got := s.Warnings[0].Message; got != "only 29 queries: 30 is the least for a verdict, 50 for an interval that keeps its level" {
		t.Errorf("message %q", got)
	}
}

func TestSummarizeMisuse(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name string
		xs   []float64
		d    Design
		o    Options
		want string
	}{
		{"empty", nil, Design{}, Options{}, "no scores"},
		{"NaN", []float64{0, nan}, Design{}, Options{}, "score 1 is NaN"},
		{"infinite", []float64{math.Inf(1)}, Design{}, Options{}, "score 0 is +Inf"},
		{"huge", []float64{1e200}, Design{}, Options{}, "overflow"},
		{"clusters", []float64{0, 1}, Design{Clusters: []string{"a"}}, Options{}, "1 clusters for 2 scores"},
		{"weights", []float64{0, 1}, Design{Weights: []float64{1}}, Options{}, "1 weights for 2 scores"},
		{"negative weight", []float64{0, 1}, Design{Weights: []float64{1, -1}}, Options{}, "weight 1 is -1"},
		{"zero weights", []float64{0, 1}, Design{Weights: []float64{0, 0}}, Options{}, "sum to 0"},
		{"strata", []float64{0, 1}, Design{Strata: []string{}}, Options{}, "0 strata for 2 scores"},
		{"confidence", []float64{0, 1}, Design{}, Options{Confidence: 95}, "confidence 95"},
		{"power", []float64{0, 1}, Design{}, Options{Power: 1}, "power 1"},
		{"draws", []float64{0, 1}, Design{}, Options{Draws: 5}, "5 bootstrap draws"},
		{"flips", []float64{0, 1}, Design{}, Options{Flips: -1}, "-1 sign flips"},
		{"range", []float64{0, 1}, Design{}, Options{Range: Interval{1, 0}}, "score range [1, 0]"},
		{"assumption", []float64{0, 1}, Design{}, Options{Assume: 9}, "assumption 9"},
	} {
		_, err := Summarize(c.xs, c.d, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := Summarize(nil, Design{}, Options{}); !errors.Is(err, ErrNoScores) {
		t.Errorf("empty: %v is not ErrNoScores", err)
	}
	if _, err := SummarizeAll([][]float64{{1}, {1, 2}}, Design{}, Options{}); err == nil {
		t.Error("measures of unequal length were accepted")
	}
	if s, err := SummarizeAll(nil, Design{}, Options{}); err != nil || len(s) != 0 {
		t.Errorf("no measures: %v, %v", s, err)
	}
}

func TestSummaryJSON(t *testing.T) {
	s := must(Summarize(hitsA, Design{}, Options{}))(t)
	s.Warnings = nil
	s.Lo, s.Hi, s.SD, s.SE, s.Mean = 0.5, 0.75, 0.25, 0.125, 0.625
	b := must(json.Marshal(s))(t)
	want := `{"n":24,"units":24,"n_eff":24,"mean":0.625,"lo":0.5,"hi":0.75,"confidence":0.95,"method":"Wilson","sd":0.25,"se":0.125,"binary":true}`
	if string(b) != want {
		t.Errorf("JSON\n got %s\nwant %s", b, want)
	}
}
