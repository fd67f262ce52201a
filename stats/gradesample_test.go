package stats

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// drawnByGrade is a sample of four strata, one per grade of b: counts[b][a] items have these grades.
func drawnByGrade(size []int, counts [][]int) *GradeSample {
	s := &GradeSample{Size: size}
	for b, row := range counts {
		for a, n := range row {
			for range n {
				s.A, s.B, s.Stratum = append(s.A, a), append(s.B, b), append(s.Stratum, b)
			}
		}
	}
	return s
}

var (
	fourSizes  = []int{5000, 800, 300, 200}
	fourGrades = [][]int{{38, 4, 2, 0}, {6, 9, 3, 1}, {2, 3, 12, 5}, {0, 1, 4, 20}}
)

func TestPosterior(t *testing.T) {
	// numpy 2.4.6: a million draws of numpy.random.Generator.dirichlet per stratum, with counts + 1/K as parameters, the coefficient
	// of the weighted table written out from its definition, and numpy.quantile.
	s := drawnByGrade(fourSizes, fourGrades)
	binary := &GradeSample{A: atLeastTwo(s.A), B: atLeastTwo(s.B), Stratum: s.Stratum, Size: s.Size}
	for _, c := range []struct {
		name   string
		of     *GradeSample
		table  gradeTable
		lo, hi float64
	}{
		{"unweighted", s, s.kappaTable(Unweighted), 0.31715264, 0.6190768},
		{"quadratic", s, s.kappaTable(QuadraticWeights), 0.49867207, 0.79965083},
		{"ordinal", s, s.alphaTable(OrdinalScale), 0.41224923, 0.76029198},
		{"binary", binary, binary.kappaTable(Unweighted), 0.38244948, 0.74932556},
	} {
		o := must(Options{Draws: 100_000}.withDefaults())(t)
		nearInterval(t, c.name, Percentile(c.of.posterior(c.table, o), 0.95), c.lo, c.hi, 0.005)
	}
}

func atLeastTwo(grades []int) []int {
	out := make([]int, len(grades))
	for i, g := range grades {
		if g >= 2 {
			out[i] = 1
		}
	}
	return out
}

// Value and the bootstrap are those of the weighted items, and the interval is never narrower than either of its two.
func TestGradeSampleHoldsBoth(t *testing.T) {
	s := drawnByGrade(fourSizes, fourGrades)
	for i := range s.A {
		s.Clusters = append(s.Clusters, string(rune('a'+i*7%26)))
	}
	plain := must(CohenKappa(s.A, s.B, QuadraticWeights, Design{Weights: s.Weights(), Clusters: s.Clusters}, Options{}))(t)
	got := must(s.Kappa(QuadraticWeights, Options{}))(t)
	posterior := Percentile(s.posterior(s.kappaTable(QuadraticWeights), must(Options{}.withDefaults())(t)), 0.95)
	want := Interval{min(plain.Lo, posterior.Lo), max(plain.Hi, posterior.Hi)}
	if *got.Value != *plain.Value || got.Interval != want || got.Method != MethodBCaDirichlet {
		t.Errorf("%+v, want %v and %v", got, *plain.Value, want)
	}
}

// Six items on which both agree stand for five thousand: every resample agrees too, and the interval must not.
func TestGradeSampleUnseen(t *testing.T) {
	s := drawnByGrade([]int{5000, 500}, [][]int{{6, 0}, {4, 50}})
	plain := must(CohenKappa(s.A, s.B, Unweighted, Design{Weights: s.Weights()}, Options{}))(t)
	got := must(s.Kappa(Unweighted, Options{}))(t)
	if plain.Lo < 0.85 || got.Lo > 0.4 || got.Hi < plain.Hi {
		t.Errorf("%v by weights alone, %v with what six items cannot show", plain.Interval, got.Interval)
	}
	// All of them looked at: nothing is unseen, and the prior of one item changes little.
	all := drawnByGrade([]int{500, 54}, [][]int{{500, 0}, {4, 50}})
	whole := must(all.Kappa(Unweighted, Options{}))(t)
	direct := must(CohenKappa(all.A, all.B, Unweighted, Design{}, Options{}))(t)
	near(t, "value", *whole.Value, *direct.Value, 1e-12)
	nearInterval(t, "all seen", whole.Interval, direct.Lo, direct.Hi, 0.02)
}

// Items of one query that all say the same are one item, and the order of items is nothing.
func TestGradeSampleClusters(t *testing.T) {
	s := drawnByGrade(fourSizes, fourGrades)
	for i := range s.A {
		s.Clusters = append(s.Clusters, string(rune('a'+i%26)))
	}
	for i, items := range [][]int{{0, 1, 2}, {0, 26, 52}} {
		// Grades 0, 0, 0 of three queries, then of one.
		if got, want := s.effective(items, s.grades()), []float64{3, 1}[i]; got != want {
			t.Errorf("items %v are worth %v, want %v", items, got, want)
		}
	}
	same := &GradeSample{A: []int{0, 0, 1, 1, 0, 0, 1, 1}, Clusters: []string{"p", "p", "q", "q", "r", "r", "s", "s"}}
	// The clusters' sums of x − ½ are ∓1: Σ = 4, times 4/3, against 8·½·½ = 2, a design effect of 8/3.
	near(t, "effective", same.effective([]int{0, 1, 2, 3, 4, 5, 6, 7}, []int{0, 1}), 3, 1e-12)

	want := must(s.Alpha(OrdinalScale, Options{}))(t)
	order := rand.New(rand.NewPCG(1, 2)).Perm(len(s.A))
	moved := &GradeSample{Size: s.Size}
	for _, i := range order {
		moved.A, moved.B = append(moved.A, s.A[i]), append(moved.B, s.B[i])
		moved.Stratum, moved.Clusters = append(moved.Stratum, s.Stratum[i]), append(moved.Clusters, s.Clusters[i])
	}
	if got := must(moved.Alpha(OrdinalScale, Options{}))(t); !cmp.Equal(got, want) {
		t.Errorf("another order: %s", cmp.Diff(want, got))
	}
}

func TestGradeSampleRefuses(t *testing.T) {
	for want, change := range map[string]func(*GradeSample){
		"want one of each per item":              func(s *GradeSample) { s.B = s.B[1:] },
		"is of stratum 9, and there are 4":       func(s *GradeSample) { s.Stratum[3] = 9 },
		"want one grade of the second rater":     func(s *GradeSample) { s.B[0] = 3 },
		"were drawn from stratum 3, which has 2": func(s *GradeSample) { s.Size = slices.Concat(s.Size[:3], []int{2}) },
		"none of the 7 items of stratum 4":       func(s *GradeSample) { s.Size = append(slices.Clone(s.Size), 7) },
	} {
		s := drawnByGrade(fourSizes, fourGrades)
		change(s)
		for _, err := range []error{errorOf(s.Kappa(Unweighted, Options{})), errorOf(s.Alpha(OrdinalScale, Options{}))} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
	}
}

func errorOf[T any](_ T, err error) error { return err }
