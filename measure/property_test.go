package measure

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
)

// drawTopic makes a topic as evaluation does: every graded rank is one of the gold items, at most once.
func drawTopic(t *rapid.T) *Topic {
	grade := rapid.OneOf(rapid.Just(0.0), rapid.Map(rapid.IntRange(-2, 4), func(i int) float64 { return float64(i) }),
		rapid.SampledFrom([]float64{0.5, 1.5, 2.25, 1e6, -1.5}))
	gold := rapid.SliceOfN(grade, 0, 12).Draw(t, "gold")
	var ranked []float64
	for _, i := range rapid.Permutation(indices(len(gold))).Draw(t, "order") {
		if rapid.Bool().Draw(t, "retrieved") {
			ranked = append(ranked, gold[i])
		}
		for range rapid.IntRange(0, 3).Draw(t, "unjudged") {
			ranked = append(ranked, NotJudged)
		}
	}
	level := rapid.SampledFrom([]float64{0, 1, 2, -0.5, 1.5}).Draw(t, "level")
	return &Topic{Ranked: ranked, Gold: gold, Level: level, Spans: drawSpans(t)}
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func drawSpans(t *rapid.T) *Spans {
	place := rapid.Custom(func(t *rapid.T) Place {
		start := rapid.IntRange(0, 15).Draw(t, "start")
		return Place{Document: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "document"),
			Span:   assay.Span{Start: start, End: start + rapid.IntRange(-1, 8).Draw(t, "length")},
			Tokens: rapid.IntRange(0, 9).Draw(t, "tokens")}
	})
	return &Spans{Gold: rapid.SliceOfN(place, 0, 5).Draw(t, "gold spans"), Ranked: rapid.SliceOfN(place, 0, 8).Draw(t, "ranked spans")}
}

// oneOfEach is a measure of every family, with a small cutoff where it takes one.
func oneOfEach(k int) []Measure {
	var out []Measure
	for _, f := range Families() {
		name := f.Name
		switch f.Cutoff {
		case RankCutoff:
			name = fmt.Sprintf("%s@%d", name, k)
		case OptionalRank, SpanCutoff:
			out = append(out, MustParse(fmt.Sprintf("%s@%d", name, k)))
		case RecallCutoff, MultipleCutoff:
			name += "@0.3"
		}
		out = append(out, MustParse(name))
	}
	return append(out, MustParse("span_recall@7tok"), MustParse("p(rel=2)@3"), MustParse("ndcg(0=1,2=5)"))
}

// TestNothingLeavesItsRange, with negative, fractional and huge grades, is the rule of design that a
// score is never above 1 because of a rounding error or a strange label.
func TestNothingLeavesItsRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topic := drawTopic(t)
		for _, m := range oneOfEach(rapid.IntRange(1, 15).Draw(t, "k")) {
			v, ok := m.Value(topic)
			if math.IsNaN(v) || !ok && v != 0 || !m.Definition().Range.Contains(v) {
				t.Fatalf("%s = %v %v, not in %v", m.Name(), v, ok, m.Definition().Range)
			}
			low, high, ok := Bounds(m, topic)
			if ok && (math.IsNaN(low) || low > high || !m.Definition().Range.Contains(high)) {
				t.Fatalf("%s: bounds %v to %v", m.Name(), low, high)
			}
		}
	})
}

// TestIdealReachesTheCeiling: no ranking beats the ideal one.
func TestIdealReachesTheCeiling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topic := drawTopic(t)
		for _, name := range []string{"recall@3", "p@3", "success@1", "mrr", "map@5", "ndcg", "ndcg@4", "ndcg_exp@4", "dcg@3", "rprec", "err@5", "rbp", "f1@4", "bpref"} {
			m := MustParse(name)
			v, ok := m.Value(topic)
			top, okTop := Ceiling(m, topic)
			if ok != okTop || v > top+1e-12 {
				t.Fatalf("%s = %v above its ceiling %v", name, v, top)
			}
		}
	})
}

func TestRecallGrowsWithK(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topic := drawTopic(t)
		k := rapid.IntRange(1, 20).Draw(t, "k")
		for _, name := range []string{"recall", "success", "mrr", "map", "dcg", "span_recall", "rbp", "err"} {
			a, _ := MustParse(fmt.Sprintf("%s@%d", name, k)).Value(topic)
			b, _ := MustParse(fmt.Sprintf("%s@%d", name, k+1)).Value(topic)
			if b < a {
				t.Fatalf("%s@%d = %v > %s@%d = %v", name, k, a, name, k+1, b)
			}
		}
	})
}

// TestDuplicatesNeverHelp: a repeat keeps its rank with gain 0, which is no better than not being there.
func TestDuplicatesNeverHelp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topic := drawTopic(t)
		at := rapid.IntRange(0, len(topic.Ranked)).Draw(t, "place of the repeat")
		repeated := *topic
		repeated.Ranked = slices.Insert(slices.Clone(topic.Ranked), at, 0)
		for _, name := range []string{"recall@4", "p@4", "success@2", "mrr", "map", "ndcg@4", "ndcg", "dcg@4", "rprec", "err", "rbp", "f1@4", "set_p"} {
			if topic.Level < 0 {
				continue // grade 0 is relevant there
			}
			m := MustParse(name)
			a, _ := m.Value(topic)
			if b, _ := m.Value(&repeated); b > a {
				t.Fatalf("%s rises from %v to %v with a repeat at %d", name, a, b, at)
			}
		}
	})
}

// TestIrrelevantAtTheEnd: what stands below k does not change what is measured above it.
func TestIrrelevantAtTheEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topic := drawTopic(t)
		k := rapid.IntRange(1, 10).Draw(t, "k")
		for len(topic.Ranked) < k {
			topic.Ranked = append(topic.Ranked, NotJudged)
		}
		longer := *topic
		longer.Ranked = append(slices.Clone(topic.Ranked), rapid.SampledFrom([]float64{NotJudged, 0, -1}).Draw(t, "last"))
		for _, name := range []string{"p", "recall", "ndcg", "mrr", "map", "success", "judged", "unj", "f1", "err"} {
			m := MustParse(fmt.Sprintf("%s@%d", name, k))
			a, _ := m.Value(topic)
			if b, _ := m.Value(&longer); topic.Level > 0 && a != b {
				t.Fatalf("%s changes from %v to %v", m.Name(), a, b)
			}
		}
	})
}

// TestSpansCountBytes compares the span measures with counting byte by byte.
func TestSpansCountBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spans := drawSpans(t)
		k := rapid.IntRange(1, 8).Draw(t, "k")
		type place struct {
			doc string
			at  int
		}
		mark := func(places []Place) map[place]bool {
			out := map[place]bool{}
			for _, p := range places {
				for at := p.Span.Start; at < p.Span.End; at++ {
					out[place{p.Document, at}] = true
				}
			}
			return out
		}
		gold, got := mark(spans.Gold), mark(spans.Ranked[:min(k, len(spans.Ranked))])
		common := 0
		for p := range gold {
			if got[p] {
				common++
			}
		}
		want := map[string]float64{"span_recall": float64(common) / float64(len(gold)), "span_precision": 0,
			"span_iou": float64(common) / float64(len(gold)+len(got)-common)}
		if len(got) > 0 {
			want["span_precision"] = float64(common) / float64(len(got))
		}
		for name, w := range want {
			v, ok := MustParse(fmt.Sprintf("%s@%d", name, k)).Value(&Topic{Spans: spans})
			if ok != (len(gold) > 0) || ok && v != w {
				t.Fatalf("%s@%d = %v %v, want %v", name, k, v, ok, w)
			}
		}
	})
}

// TestSetAgreesWithValue: preparing a topic once for many measures changes no bit, whatever was scored
// before.
func TestSetAgreesWithValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, err := NewSet(oneOfEach(3)...)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			topic := drawTopic(t)
			for i, got := range set.Score(topic, nil) {
				want, ok := set.Measures()[i].Value(topic)
				if !ok {
					want = math.NaN()
				}
				if math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
					t.Fatalf("%s: %v in a set, %v alone", set.Names()[i], got, want)
				}
			}
		}
	})
}

// TestCanonicalNameRoundTrip: what a measure is called parses to the same measure.
func TestCanonicalNameRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(Families()).Draw(t, "family")
		args := Args{Params: map[string]float64{}}
		switch f.Cutoff {
		case RankCutoff:
			args.K = rapid.IntRange(1, 1000).Draw(t, "k")
		case OptionalRank:
			args.K = rapid.IntRange(0, 1000).Draw(t, "k")
		case SpanCutoff:
			if args.K = rapid.IntRange(0, 9).Draw(t, "k"); args.K == 0 {
				args.Tokens = rapid.IntRange(0, 5000).Draw(t, "tokens")
			}
		case RecallCutoff, MultipleCutoff:
			args.At = rapid.Float64Range(0, 1).Draw(t, "at")
		}
		for _, p := range f.Params {
			if rapid.Bool().Draw(t, "given") {
				args.Params[p.Name] = rapid.Float64Range(max(p.Range.Min, -20), min(p.Range.Max, 20)).Draw(t, p.Name)
			}
		}
		if f.Gain == BinaryGain && rapid.Bool().Draw(t, "level given") {
			args.HasLevel, args.Level = true, float64(rapid.IntRange(0, 4).Draw(t, "level"))
		}
		m, err := New(f.Name, args)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(m.Name())
		if err != nil || again.Name() != m.Name() {
			t.Fatalf("%s parses to %v, %v", m.Name(), again, err)
		}
	})
}
