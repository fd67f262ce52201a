package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/stats"
)

// TestTrendKeepsWhatItMerges: however many runs there are, a trend has few points, and they hold all runs: as many, with the
// same mean, the same ends and the same interval in the mean.
func TestTrendKeepsWhatItMerges(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 2, 239, 240, 241, 480, 481, 1000, 3001}).Draw(t, "runs")
		draw := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		values := make([]float64, n)
		for i := range values {
			values[i] = draw.Float64()
		}
		every := rapid.IntRange(1, 50).Draw(t, "changes every")
		b := NewTrend("s", "m")
		changes, asked := 0, 0
		for i, v := range values {
			if i > 0 && i%every == 0 {
				changes++
				b.Changed(start.Add(time.Duration(i)*time.Hour), func() string {
					asked++
					return fmt.Sprint("key", i)
				})
			}
			b.Add(fmt.Sprint(i), start.Add(time.Duration(i)*time.Hour), v, &stats.Interval{Lo: v - 0.1, Hi: v + 0.1})
		}
		f := b.Trend()
		runs, sum, lows, lo, hi := 0, 0.0, 0.0, math.Inf(1), math.Inf(-1)
		for i := range f.Points {
			p := &f.Points[i]
			runs += p.Runs
			sum += p.Value * float64(p.Runs)
			lows += p.Bounds.Lo * float64(p.Runs)
			lo, hi = min(lo, p.Min), max(hi, p.Max)
			if i > 0 && !p.From.After(f.Points[i-1].To) {
				t.Fatalf("point %d begins at %v, before the end of the one before it, %v", i, p.From, f.Points[i-1].To)
			}
		}
		want, least, most := 0.0, math.Inf(1), math.Inf(-1)
		for _, v := range values {
			want += v
			least, most = min(least, v), max(most, v)
		}
		if len(f.Points) > 2*maxPoints || runs != len(values) || f.Runs != len(values) {
			t.Fatalf("%d points for %d runs hold %d", len(f.Points), len(values), runs)
		}
		all := float64(n)
		if math.Abs(sum-want) > 1e-9*all || math.Abs(lows-(want-0.1*all)) > 1e-9*all || lo != least || hi != most {
			t.Fatalf("sum %v, want %v; lower ends %v; from %v to %v, want %v to %v", sum, want, lows, lo, hi, least, most)
		}
		if asked > maxMarks || len(f.Marks)+f.Unmarked != changes || len(f.Marks) != min(changes, maxMarks) {
			t.Fatalf("%d marks and %d without for %d changes, %d of them read", len(f.Marks), f.Unmarked, changes, asked)
		}
		for i, m := range f.Marks {
			if m.At < 0 || m.At >= len(f.Points) || i > 0 && m.At < f.Marks[i-1].At {
				t.Fatalf("mark %d stands at %d of %d", i, m.At, len(f.Points))
			}
			if p := f.Points[m.At]; m.Time.Before(p.From) || m.Time.After(p.To) {
				t.Fatalf("mark of %v stands at a point from %v to %v", m.Time, p.From, p.To)
			}
		}
	})
}

func TestTrendSkipsWhatHasNoValue(t *testing.T) {
	b := NewTrend("s", "m")
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	b.Add("a", at, 0.5, nil)
	b.Changed(at, func() string { return "first" })
	b.Add("b", at, math.NaN(), nil)
	b.Changed(at, func() string { return "second" })
	b.Add("c", at, 0.7, nil)
	f := b.Trend()
	if len(f.Points) != 2 || len(f.Marks) != 1 || f.Marks[0].At != 1 || f.Marks[0].Text != "first; second" {
		t.Errorf("%+v", f)
	}
}
