package stats

import (
	"math"
	"testing"
)

func TestPower(t *testing.T) {
	// tc = scipy.stats.t.ppf(.975, n-1); nct.sf(tc, n-1, shift) + nct.cdf(-tc, n-1, shift)
	for _, c := range []struct {
		n           int
		shift, want float64
	}{
		{5, 3.0, 0.6192614594023306}, {20, 2.5, 0.6599498767821301},
		{50, 2.8, 0.7837094990321752}, {1000, 1.0, 0.1698380939617135},
	} {
		near(t, "power", Power(c.shift/math.Sqrt(float64(c.n)), 1, c.n, 0.05), c.want, 1e-7)
	}
	near(t, "power without a difference", Power(0, 1, 30, 0.05), 0.05, 1e-9)
	// norm.sf(1.959964 - 2.8) + norm.cdf(-1.959964 - 2.8)
	near(t, "many queries", Power(2.8/math.Sqrt(4e6), 1, 4_000_000, 0.05), 0.7995568714356515, 1e-6)
}

func TestMinimumDetectable(t *testing.T) {
	// brentq over the power above: TTestPower().solve_power(nobs=n, alpha=.05, power=.8)
	for _, c := range []struct {
		n    int
		want float64
		tol  float64
	}{
		{2, 11.549888435882352, 1e-7}, {3, 3.264043552819638, 1e-6}, {5, 1.6819970833232674, 1e-6},
		{20, 0.6604416544380312, 1e-7}, {50, 0.4041829997377859, 1e-7},
	} {
		near(t, "minimum detectable", MinimumDetectable(1, c.n, 0.05, 0.8), c.want, c.tol)
	}
	// 2.80·sd/√n for many queries, the rule of thumb
	near(t, "rule of thumb", MinimumDetectable(0.2, 10_000, 0.05, 0.8)*math.Sqrt(10_000)/0.2, 2.8016, 1e-3)
	if MinimumDetectable(0, 20, 0.05, 0.8) != 0 {
		t.Error("no spread, but a difference that cannot be found")
	}
}

func TestQueriesNeeded(t *testing.T) {
	// math.ceil(TTestPower().solve_power(effect_size=e, alpha=a, power=p))
	for _, c := range []struct {
		delta, alpha, power float64
		want                int
	}{
		{0.1, 0.05, 0.8, 787}, {0.25, 0.05, 0.8, 128}, {0.5, 0.01, 0.9, 63}, {1, 0.05, 0.8, 10}, {50, 0.05, 0.8, 2},
	} {
		n, ok := QueriesNeeded(c.delta, 1, c.alpha, c.power)
		if !ok || n != c.want {
			t.Errorf("delta %v: %d queries (%v), want %d", c.delta, n, ok, c.want)
		}
	}
	for _, delta := range []float64{0, 1e-6, math.NaN()} {
		if n, ok := QueriesNeeded(delta, 1, 0.05, 0.8); ok {
			t.Errorf("delta %v: %d queries", delta, n)
		}
	}
	// The two must be inverse to each other.
	mdd := MinimumDetectable(0.3, 250, 0.05, 0.8)
	if n, _ := QueriesNeeded(mdd, 0.3, 0.05, 0.8); n < 250 || n > 251 {
		t.Errorf("minimum detectable at 250 queries needs %d", n)
	}
}

func TestDiscordanceSD(t *testing.T) {
	// Ten queries: A right alone on 2, B right alone on 1: np.std(d) of the population
	near(t, "sd", DiscordanceSD(0.3, 0.1), 0.5385164807134504, 1e-12)
	if DiscordanceSD(0.1, 0.5) != 0 {
		t.Error("an impossible pair has a spread")
	}
}
