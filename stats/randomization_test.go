package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestRandomizationExact(t *testing.T) {
	// scipy.stats.permutation_test((d,), np.mean, permutation_type='samples', n_resamples=np.inf)
	p, exact := RandomizationTest(smallD, DefaultFlips, 0)
	near(t, "d", p, 0.083984375, 1e-15)
	// The same over the 16 non-zero values of D, 65,536 assignments
	q, exactD := RandomizationTest(differences(scoresA, scoresB), DefaultFlips, 0)
	near(t, "D", q, 0.019683837890625, 1e-15)
	if !exact || !exactD {
		t.Error("small samples were not enumerated")
	}
}

// Enumeration by halves must count what plain enumeration counts, zeros, ties and
// rounding included.
func TestRandomizationAgainstPlainEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for round := range 200 {
		d := make([]float64, 1+r.IntN(12))
		for i := range d {
			d[i] = float64(r.IntN(7)-3) / 10 // sums of tenths differ in the last bits
		}
		want := plainEnumeration(d)
		got, exact := RandomizationTest(d, 100, 0)
		if !exact || math.Abs(got-want) > 1e-12 {
			t.Fatalf("round %d: %v: p = %v (exact %v), want %v", round, d, got, exact, want)
		}
	}
}

func plainEnumeration(d []float64) float64 {
	observed, scale := math.Abs(sum(d)), sumAbs(d)
	hit := 0
	for mask := range 1 << len(d) {
		total := 0.0
		for i, x := range d {
			if mask>>i&1 == 1 {
				x = -x
			}
			total += x
		}
		if math.Abs(total) >= observed-1e-9*scale {
			hit++
		}
	}
	return float64(hit) / float64(int(1)<<len(d))
}

// Random flips must estimate the exact value, with the +1 rule.
func TestRandomizationByFlips(t *testing.T) {
	l := must(Design{}.layout(len(scoresA)))(t)
	c := l.column(differences(scoresA, scoresB))
	const exact = 0.019683837890625
	for _, flips := range []int{1000, 100_000} {
		p := c.randomP(flip([]column{c}, flips, 3)[0])
		se := math.Sqrt(exact * (1 - exact) / float64(flips))
		if math.Abs(p-exact) > 4*se+1/float64(flips) {
			t.Errorf("%d flips: p = %v, exact %v", flips, p, exact)
		}
		if k := p * float64(flips+1); math.Abs(k-math.Round(k)) > 1e-6 {
			t.Errorf("%d flips: p = %v is not a multiple of 1/(flips+1)", flips, p)
		}
	}
}

func TestRandomizationNeverZero(t *testing.T) {
	d := make([]float64, 200)
	for i := range d {
		d[i] = 1 + float64(i)/1000
	}
	p, exact := RandomizationTest(d, 999, 0)
	if exact || p != 1.0/1000 {
		t.Errorf("p = %v (exact %v), want 1/1000", p, exact)
	}
	// Equal sizes are a binomial test, exact at any n.
	for i := range d {
		d[i] = 0.3
	}
	p, exact = RandomizationTest(d, 999, 0)
	if want := math.Ldexp(1, -199); !exact || math.Abs(p/want-1) > 1e-9 {
		t.Errorf("p = %v (exact %v), want %v", p, exact, want)
	}
}

func TestRandomizationNoDifference(t *testing.T) {
	for _, d := range [][]float64{{}, {0}, {0, 0, 0}, {0.5, -0.5}, {0.1, 0.2, -0.3}} {
		if p, exact := RandomizationTest(d, 100, 0); p != 1 || !exact {
			t.Errorf("%v: p = %v (exact %v), want 1", d, p, exact)
		}
	}
}

func TestBinomialTest(t *testing.T) {
	// scipy.stats.binomtest(k, n, .5).pvalue; statsmodels mcnemar([[13, 6], [1, 4]], exact=True)
	for _, c := range []struct {
		wins, losses int
		want         float64
	}{
		{3, 12, 0.03515625}, {7, 0, 0.015625}, {1, 4, 0.375}, {60, 40, 0.05688793364098089},
		{450, 550, 0.0017305360849763027}, {6, 1, 0.125}, {0, 0, 1}, {5, 5, 1},
	} {
		near(t, "binomial", BinomialTest(c.wins, c.losses), c.want, 1e-12)
	}
}

// The interval must hold the δ that exact enumeration does not reject.
func TestInversionAgainstEnumeration(t *testing.T) {
	d := append(append([]float64{}, smallD...), 0, 0)
	l := must(Design{}.layout(len(d)))(t)
	c := l.column(d)
	i, ok := c.randomizationInterval(flip([]column{c}, 400_000, 5)[0], 0.05, Interval{})
	// By bisection over δ on the exact one-sided p-values of d − δ (NumPy, all 4,096
	// assignments): −0.016 and 0.22
	if !ok || math.Abs(i.Lo+0.016) > 0.0021 || math.Abs(i.Hi-0.22) > 0.0021 {
		t.Errorf("interval %v, want [−0.016, 0.22]", i)
	}
}

// The interval and the test must say the same about 0, for every level.
func TestInversionAgreesWithTest(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	inside, outside, edge := 0, 0, 0
	for range 2000 {
		d := make([]float64, 40)
		shift := 0.1 * r.Float64()
		for i := range d {
			d[i] = r.NormFloat64()*0.3 + shift
		}
		l := must(Design{}.layout(len(d)))(t)
		c := l.column(d)
		if c.mean < 0 {
			c = l.column(negated(d))
		}
		s := flip([]column{c}, 69, r.Uint64())[0] // few, so that p = 7/70 = alpha happens
		p := c.randomP(s)
		i, _ := c.randomizationInterval(s, 0.1, Interval{})
		if (p > 0.1) != i.Contains(0) {
			t.Fatalf("p = %v but interval %v", p, i)
		}
		if p == 0.1 {
			edge++
		}
		if p > 0.1 {
			inside++
		} else {
			outside++
		}
	}
	if inside < 20 || outside < 20 || edge < 5 {
		t.Errorf("%d inside, %d outside, %d at the edge: the test is lopsided", inside, outside, edge)
	}
}

func TestSubsetSumsAreSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	d := make([]float64, 10)
	for i := range d {
		d[i] = r.NormFloat64()
	}
	sums := subsetSums(d)
	if len(sums) != 1024 {
		t.Fatalf("%d sums", len(sums))
	}
	for i := 1; i < len(sums); i++ {
		if sums[i] < sums[i-1] {
			t.Fatalf("sum %d is below its predecessor", i)
		}
	}
}
