package main

import (
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-eval/assay/stats"
)

// A short run must keep every promise of the page, three standard errors of the
// short simulation allowed for, and give the same tables again.
func TestShortRun(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of simulation")
	}
	full := options
	options.Draws, options.Flips = 500, 1000
	defer func() { options = full }()
	s := study{replicates: 120, seed: 2}
	c := &claims{replicates: s.replicates}
	for _, sec := range sections {
		rows := strings.Count(sec.run(s, c), "\n")
		if rows < 3 {
			t.Errorf("%s: a table of %d rows", sec.name, rows-1)
		}
	}
	if len(c.all) < 100 {
		t.Errorf("only %d promises", len(c.all))
	}
	for _, b := range c.broken(4) {
		t.Error(b)
	}
}

func TestSameSeedSameTable(t *testing.T) {
	s := study{replicates: 100, seed: 3}
	first, second := s.multiplicity(&claims{replicates: 100}), s.multiplicity(&claims{replicates: 100})
	if first != second {
		t.Error("the same seed gave another table")
	}
	if other := (study{replicates: 100, seed: 4}).multiplicity(&claims{replicates: 100}); other == first {
		t.Error("another seed gave the same table")
	}
}

func TestBrokenPromisesAreFound(t *testing.T) {
	c := &claims{replicates: 400}
	c.level(0.05, 0.04, "kept")
	c.level(0.05, 0.09, "rejects too often")
	c.within(0.93, 0.97, 0.90, "covers too little")
	if got := c.broken(0); len(got) != 2 || !strings.HasPrefix(got[0], "rejects too often: 0.0900") {
		t.Errorf("broken: %q", got)
	}
	if got := c.broken(4); len(got) != 0 {
		t.Errorf("with slack: %q", got)
	}
}

// The means that coverage is measured against must be those of the draws.
func TestScenarioMeans(t *testing.T) {
	all := append(append([]scenario{}, graded...), differences...)
	for _, n := range nulls {
		all = append(all, n.scenario)
	}
	for _, sc := range all {
		xs := sc.sample(rand.New(rand.NewPCG(1, 9)), 200_000)
		mean, se := meanSE(xs)
		if d := (mean - sc.mean) / se; d > 4 || d < -4 {
			t.Errorf("%s: mean %.5f, claimed %.5f (standard error %.5f)", sc.name, mean, sc.mean, se)
		}
	}
}

// The committed page must be what the template makes of a run: its prose in order,
// tables and numbers between.
func TestPageFollowsTemplate(t *testing.T) {
	written, err := os.ReadFile("../../docs/statistics.md")
	if err != nil {
		t.Fatal(err)
	}
	rest := string(written)
	for _, prose := range regexp.MustCompile(`\{\{[^}]*\}\}`).Split(page, -1) {
		_, after, found := strings.Cut(rest, prose)
		if !found {
			t.Fatalf("docs/statistics.md lacks, or has elsewhere: %q\nwrite it anew: go run ./bench/simulate", prose)
		}
		rest = after
	}
	if rest != "" {
		t.Errorf("docs/statistics.md goes on after its end: %q", rest)
	}
}

// The exact coefficients must be those of a very large sample.
func TestTrueAgreement(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	items := make([][]float64, 40_000)
	for i := range items {
		items[i] = rate(r)[:2+i%2]
	}
	for scale, distance := range map[stats.Scale]func([grades]float64, int, int) float64{
		stats.NominalScale: nominalDistance, stats.OrdinalScale: ordinalDistance, stats.IntervalScale: squaredDistance,
	} {
		got := *must(stats.KrippendorffAlpha(items, scale, stats.Design{}, stats.Options{Draws: 100})).Value
		if want := trueAgreement(distance); math.Abs(got-want) > 0.015 {
			t.Errorf("%v: alpha of 40,000 items is %.4f, of all %.4f", scale, got, want)
		}
	}
}

// The kappa that chosen samples are measured against must be that of everything a judge graded.
func TestTrueVerdicts(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	for _, v := range []verdicts{{"", 0.9, 0.03, 0.98, true}, {"", 0.65, 0.02, 0.97, false}} {
		mean, n := 0.0, 60
		for range n {
			s := v.sample(r, pooledQueries*pooledEach, pooledQueries*pooledEach)
			mean += *must(stats.CohenKappa(s.A, s.B, stats.Unweighted, stats.Design{}, stats.Options{Draws: 100})).Value / float64(n)
		}
		if want := v.kappa(); math.Abs(mean-want) > 0.01 {
			t.Errorf("kappa of pools is %.4f, of all %.4f", mean, want)
		}
	}
}
