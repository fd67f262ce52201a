package stats

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// widen takes the posterior interval into that of the estimate.
func (s *GradeSample) widen(a *Agreement, table gradeTable, o Options) error {
	if a.Value == nil || a.Units < minAgreementUnits {
		return nil // the interval is the whole range
	}
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	a.Interval = a.union(Percentile(s.posterior(table, o), o.Confidence)).clip(Interval{-1, 1})
	a.Method = MethodBCaDirichlet
	return nil
}

// union is the least interval that holds both.
func (i Interval) union(j Interval) Interval { return Interval{min(i.Lo, j.Lo), max(i.Hi, j.Hi)} }

// posterior draws the first rater's grades of every stratum and gives the coefficient of each draw that has one, ascending.
func (s *GradeSample) posterior(table gradeTable, o Options) []float64 {
	grades := s.grades()
	strata := s.posteriors(grades)
	scale := float64(len(s.A)) // counts stay counts
	total := 0.0
	for _, h := range strata {
		total += h.size
	}
	out := make([]float64, o.Draws)
	eachBlock((o.Draws+drawsPerBlock-1)/drawsPerBlock, func() func(int) {
		sums, shares := make([]float64, len(table.items)), make([]float64, len(grades))
		return func(block int) {
			src := rand.New(stream(o.Seed, forDirichlet, block))
			first := block * drawsPerBlock
			for draw := first; draw < min(first+drawsPerBlock, o.Draws); draw++ {
				clear(sums)
				for _, h := range strata {
					dirichlet(shares, h.pseudo, src)
					for a, p := range shares {
						table.add(sums, a, h.grade, p*scale*h.size/total)
					}
				}
				v, ok := table.value(sums)
				if !ok {
					v = math.NaN()
				}
				out[draw] = v
			}
		}
	})
	out = slices.DeleteFunc(out, math.IsNaN)
	slices.Sort(out)
	return out
}

// stratumPosterior is what is known of one stratum.
type stratumPosterior struct {
	grade  int       // rank of the second rater's grade
	size   float64   // items
	pseudo []float64 // parameters of the Dirichlet distribution of the first rater's grades
}

func (s *GradeSample) posteriors(grades []int) []stratumPosterior {
	members := make([][]int, len(s.Size))
	for i, h := range s.Stratum {
		members[h] = append(members[h], i)
	}
	var out []stratumPosterior
	for h, items := range members {
		if len(items) == 0 {
			continue
		}
		rank, _ := slices.BinarySearch(grades, s.B[items[0]])
		p := stratumPosterior{grade: rank, size: float64(s.Size[h]), pseudo: make([]float64, len(grades))}
		for _, i := range items {
			a, _ := slices.BinarySearch(grades, s.A[i])
			p.pseudo[a]++
		}
		shrink := s.effective(items, grades) / float64(len(items))
		for a := range p.pseudo {
			p.pseudo[a] = p.pseudo[a]*shrink + 1/float64(len(grades))
		}
		out = append(out, p)
	}
	return out
}

// effective is how many independent items tell as much of the first rater's grades as these: their number over the design effect
// of the clusters, no more than there are (Kish 1965, ch. 5.4). Where the grades are all the same it is the number of clusters.
func (s *GradeSample) effective(items []int, grades []int) float64 {
	var clusters []string
	if s.Clusters != nil {
		for _, i := range items {
			clusters = append(clusters, s.Clusters[i])
		}
	}
	n, c := float64(len(items)), float64(distinct(clusters, len(items)))
	if c < 2 {
		return c
	}
	clustered, simple := 0.0, 0.0
	for _, g := range grades {
		given := 0.0
		for _, i := range items {
			if s.A[i] == g {
				given++
			}
		}
		sums := newClusterSums(len(items)) // of n·(x − share), which are whole numbers: no order of items can show
		for k, i := range items {
			x := -given
			if s.A[i] == g {
				x += n
			}
			sums.add(clusters, k, x)
		}
		clustered += sums.squares() / (n * n) * c / (c - 1)
		simple += given * (n - given) / n
	}
	if simple == 0 {
		return c
	}
	return n / max(1, clustered/simple)
}

// dirichlet fills shares with a draw.
func dirichlet(shares, parameters []float64, src *rand.Rand) {
	total := 0.0
	for total == 0 { // parameters far below 1 may all underflow
		for k, alpha := range parameters {
			shares[k] = distuv.Gamma{Alpha: alpha, Beta: 1, Src: src}.Rand()
			total += shares[k]
		}
	}
	for k := range shares {
		shares[k] /= total
	}
}
