package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// every says which of n queries have no score: those whose number leaves a given rest.
func every(n, of, rest int) []bool {
	out := make([]bool, n)
	for i := range out {
		out[i] = i%of == rest
	}
	return out
}

func TestPredictionPoweredWithoutGold(t *testing.T) {
	p := must(PredictionPowered(PPISample{Human: humanH, Judge: judgeF, JudgeOnly: judgeOnlyG(),
		HumanNone: every(20, 4, 1), JudgeNone: every(20, 5, 1), JudgeOnlyNone: every(60, 3, 2)}, Options{}))(t)
	// With numpy, a, g and G's g being 1 - none, and t0 the mean of H where a is 1:
	// u = a*(H - t0); v = g*(F - t0); lam = np.cov(u, v, ddof=0)[0, 1]/((1 + 20/60)*v.var())
	near(t, "lambda", p.Lambda, 0.7173384183624767, 1e-12)
	// D = a.mean() + lam*(gN.mean() - g.mean()); ((a*H).mean() + lam*((gN*G).mean() - (g*F).mean()))/D
	near(t, "mean", p.Mean, 0.4007993987109518, 1e-12)
	// e = a*(H - th) - lam*g*(F - th); w = gN*(G - th); k = a.sum()
	// sqrt(((e - e.mean())**2).sum()/20/20*k/(k - 2) + lam**2*w.var(ddof=1)/60)/D
	near(t, "standard error", p.SE, 0.08451978264113393, 1e-12)
	near(t, "people alone", p.HumanOnly.Mean, 0.5146666666666667, 1e-12)
	near(t, "rho", *p.Rho, 0.9928985074881468, 1e-12)        // np.corrcoef of H and F where both are
	near(t, "bias", p.JudgeBias, 0.08416666666666667, 1e-12) // (F - H) where both are, .mean()
	if p.Humans != 15 || p.HumanNone != 5 || p.JudgeOnly != 60 {
		t.Errorf("counts %d %d %d", p.Humans, p.HumanNone, p.JudgeOnly)
	}
}

// What stands in the place of a score that is none changes nothing, be it NaN.
func TestPredictionPoweredNoneIsNotRead(t *testing.T) {
	a := PPISample{Human: humanH, Judge: judgeF, JudgeOnly: judgeOnlyG(), HumanNone: every(20, 4, 1), JudgeNone: every(20, 5, 1), JudgeOnlyNone: every(60, 3, 2)}
	b := a
	blank := func(scores []float64, none []bool) []float64 {
		out := append([]float64(nil), scores...)
		for i := range out {
			if none[i] {
				out[i] = math.NaN()
			}
		}
		return out
	}
	b.Human, b.Judge, b.JudgeOnly = blank(a.Human, a.HumanNone), blank(a.Judge, a.JudgeNone), blank(a.JudgeOnly, a.JudgeOnlyNone)
	p, q := must(PredictionPowered(a, Options{}))(t), must(PredictionPowered(b, Options{}))(t)
	if p.Mean != q.Mean || p.Interval != q.Interval || *p.Rho != *q.Rho || p.BiasInterval != q.BiasInterval {
		t.Errorf("%+v\n%+v", p, q)
	}
	b.JudgeOnlyNone = b.JudgeOnlyNone[:7]
	if _, err := PredictionPowered(b, Options{}); err == nil || !strings.Contains(err.Error(), "7 entries say which of 60 judge-only scores") {
		t.Errorf("a short list: %v", err)
	}
}

// With a perfect judge and nothing relevant to a third of the queries, the interval holds the mean of the queries that have a score as
// often as it says: dropping such queries from people's part alone left it at 0 of 100. docs/statistics.md has more judges.
func TestPredictionPoweredCoversWithoutGold(t *testing.T) {
	const samples, truth = 400, 0.6 // of a beta(3, 2)
	r := rand.New(rand.NewPCG(17, 4))
	covered := 0
	for range samples {
		var s PPISample
		for i := range 400 {
			y, none := beta32(r), r.Float64() < 0.35
			if i < 60 {
				s.Human, s.HumanNone, s.Judge, s.JudgeNone = append(s.Human, y), append(s.HumanNone, none), append(s.Judge, y), append(s.JudgeNone, none)
			} else {
				s.JudgeOnly, s.JudgeOnlyNone = append(s.JudgeOnly, y), append(s.JudgeOnlyNone, none)
			}
		}
		if must(PredictionPowered(s, Options{Draws: 100}))(t).Interval.Contains(truth) {
			covered++
		}
	}
	if share := float64(covered) / samples; share < 0.93 || share > 0.98 {
		t.Errorf("%.3f of the intervals hold the truth", share)
	}
}

// beta32 draws from the beta distribution (3, 2): the third smallest of four uniform numbers.
func beta32(r *rand.Rand) float64 {
	x := [4]float64{r.Float64(), r.Float64(), r.Float64(), r.Float64()}
	for i := range x {
		for j := i + 1; j < len(x); j++ {
			x[i], x[j] = min(x[i], x[j]), max(x[i], x[j])
		}
	}
	return x[2]
}

// Queries that people were given because the judge was sure of them are no random sample, and that shows.
func TestPredictionPoweredChosenQueries(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 8))
	var random, chosen PPISample
	for range 400 {
		y := r.Float64()
		f := min(1, max(0, y+0.1*r.NormFloat64()))
		put := func(s *PPISample, people bool) {
			if people && len(s.Human) < 60 {
				s.Human, s.Judge = append(s.Human, y), append(s.Judge, f)
			} else {
				s.JudgeOnly = append(s.JudgeOnly, f)
			}
		}
		put(&random, true)
		put(&chosen, f > 0.6)
	}
	if p := must(PredictionPowered(random, Options{}))(t); has(p.Warnings, WarnChosen) {
		t.Errorf("a random sample: %v", p.Warnings)
	}
	if p := must(PredictionPowered(chosen, Options{}))(t); !has(p.Warnings, WarnChosen) {
		t.Errorf("a chosen one: %v", p.Warnings)
	}
}
