package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// H, F and G of the calls below.
var (
	humanH = scoresA[:20]
	judgeF = []float64{0.7, 0.95, 0.2, 0.5, 0.9, 0.55, 0.9, 0.1, 0.8, 0.6, 1, 0.6, 0.4, 0.85, 0.5, 0.8, 0.15, 0.9, 0.6, 0.7}
)

func judgeOnlyG() []float64 { // [((i*37) % 101)/101 for i in range(60)]
	g := make([]float64, 60)
	for i := range g {
		g[i] = float64((i*37)%101) / 101
	}
	return g
}

func TestPredictionPowered(t *testing.T) {
	p := must(PredictionPowered(PPISample{Human: humanH, Judge: judgeF, JudgeOnly: judgeOnlyG()}, Options{}))(t)
	// lam = np.cov(H, F)[0, 1]/((1 + 20/60)*np.var(F, ddof=1))
	near(t, "lambda", p.Lambda, 0.9129622848773342, 1e-12)
	// ppi_py.ppi_mean_pointestimate(H, F, G, lam=lam)
	near(t, "mean", p.Mean, 0.441861514840609, 1e-12)
	// e = H - lam*F; sqrt(((e - e.mean())**2).sum()/18/20 + lam**2*G.var(ddof=1)/60)
	near(t, "standard error", p.SE, 0.04068066906127624, 1e-12)
	// mean ± scipy.stats.t.ppf(.975, 18)*se
	nearInterval(t, "interval", p.Interval, 0.3563946005980219, 0.5273284290831959, 1e-10)
	near(t, "rho", *p.Rho, 0.988891819712715, 1e-12) // np.corrcoef(H, F)[0, 1]
	near(t, "bias", p.JudgeBias, 0.061, 1e-12)       // (F - H).mean()
	// ppi_py.ppi_mean_ci(H, F, G, alpha=.05, lam=lam) takes z and population variances;
	// ours must be that, widened by t/z and by the two corrections.
	ppi := Interval{0.3637702893634207, 0.5199527403177973}
	if !(p.Lo < ppi.Lo && p.Hi > ppi.Hi && p.Width() < 1.12*ppi.Width()) {
		t.Errorf("%v beside ppi_py's %v", p.Interval, ppi)
	}
	if diff := cmp.Diff([]WarningKind{WarnFewLabels, WarnJudgeBias}, kinds(p.Warnings)); diff != "" {
		t.Error(diff)
	}
	if p.NEff < 30 || p.HumanOnly.Width() < p.Width() {
		t.Errorf("a judge with correlation .99 gained nothing: n_eff %.1f, people alone %v", p.NEff, p.HumanOnly)
	}
}

func TestPredictionPoweredWithoutHelp(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	human, judge, more := make([]float64, 80), make([]float64, 80), make([]float64, 400)
	for i := range human {
		human[i], judge[i] = r.Float64(), r.Float64()
	}
	for i := range more {
		more[i] = r.Float64()
	}
	against := make([]float64, 80) // a judge that is upside down gets no weight
	for i := range against {
		against[i] = 1 - human[i]
	}
	for _, c := range []struct {
		name      string
		s         PPISample
		lambdaMax float64
		want      WarningKind
	}{
		{"noise", PPISample{Human: human, Judge: judge, JudgeOnly: more}, 0.3, WarnJudgeUseless},
		{"upside down", PPISample{Human: human, Judge: against, JudgeOnly: more}, 0, WarnJudgeUseless},
		{"nothing more", PPISample{Human: human, Judge: human}, 0, WarnJudgeUseless},
	} {
		p := must(PredictionPowered(c.s, Options{}))(t)
		if p.Lambda > c.lambdaMax || !has(p.Warnings, c.want) {
			t.Errorf("%s: lambda %v, warnings %v", c.name, p.Lambda, p.Warnings)
		}
		if p.Lambda == 0 {
			near(t, c.name+" mean", p.Mean, mean(human), 1e-12)
			near(t, c.name+" n_eff", p.NEff, 80, 1e-9)
		}
	}
}

func TestPredictionPoweredConstantScores(t *testing.T) {
	ones := []float64{1, 1, 1, 1, 1}
	p := must(PredictionPowered(PPISample{Human: ones, Judge: []float64{1, 0, 1, 1, 0}, JudgeOnly: judgeOnlyG()}, Options{}))(t)
	if p.Mean != 1 || p.Rho != nil || p.Method != MethodWilson || p.Lo > 0.6 || p.Hi != 1 {
		t.Errorf("%+v", p)
	}
}

// Copies of each query under one cluster must not sharpen the interval.
func TestPredictionPoweredClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	var once, copies PPISample
	for i := range 60 {
		y := r.Float64()
		f := min(1, y+0.2*r.Float64())
		once.Human, once.Judge = append(once.Human, y), append(once.Judge, f)
		for range 4 {
			copies.Human, copies.Judge = append(copies.Human, y), append(copies.Judge, f)
			copies.Clusters = append(copies.Clusters, "h"+string(rune('A'+i)))
		}
	}
	for i := range 300 {
		f := r.Float64()
		once.JudgeOnly = append(once.JudgeOnly, f)
		for range 4 {
			copies.JudgeOnly = append(copies.JudgeOnly, f)
			copies.JudgeOnlyClusters = append(copies.JudgeOnlyClusters, "j"+string(rune('A'+i)))
		}
	}
	a, b := must(PredictionPowered(once, Options{}))(t), must(PredictionPowered(copies, Options{}))(t)
	near(t, "mean", b.Mean, a.Mean, 1e-12)
	nearInterval(t, "interval", b.Interval, a.Lo, a.Hi, 1e-10)
}

func TestPredictionPoweredMisuse(t *testing.T) {
	nan := math.NaN()
	three := []float64{0, 0.5, 1}
	for _, c := range []struct {
		name string
		s    PPISample
		want string
	}{
		{"too few", PPISample{Human: []float64{1, 0}, Judge: []float64{1, 0}}, "at least 3"},
		{"length", PPISample{Human: three, Judge: three[:2]}, "2 judge scores for 3 human ones"},
		{"human NaN", PPISample{Human: []float64{0, nan, 1}, Judge: three}, "human score 1"},
		{"judge NaN", PPISample{Human: three, Judge: []float64{0, 1, nan}}, "judge score 2"},
		{"judge-only NaN", PPISample{Human: three, Judge: three, JudgeOnly: []float64{nan}}, "judge-only score 0"},
		{"clusters", PPISample{Human: three, Judge: three, Clusters: []string{"a"}}, "1 clusters for 3"},
		{"half the clusters", PPISample{Human: three, Judge: three, JudgeOnly: three, Clusters: []string{"a", "b", "c"}}, "both or none"},
		{"judge-only clusters", PPISample{Human: three, Judge: three, JudgeOnly: three, Clusters: []string{"a", "b", "c"}, JudgeOnlyClusters: []string{"a"}}, "1 clusters for 3 judge-only"},
	} {
		if _, err := PredictionPowered(c.s, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}
