package measure

import (
	"math"
	"testing"

	"github.com/assay-eval/assay"
)

// near compares with values that were printed with few digits or computed in another order.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(b)) }

// TestValuesByHand are small topics whose values follow from the definitions on paper, or were computed
// with trec_eval 9.0.8 (-m …), 10.0 where 9.0.8 lacks the measure, or gdeval.pl (err).
func TestValuesByHand(t *testing.T) {
	u := NotJudged
	// Five relevant of grades 3 3 2 1 1, two judged not relevant; ranks: 3, unjudged, 0, 1, -1 (pooled), 2.
	graded := &Topic{Ranked: []float64{3, u, 0, 1, -1, 2}, Gold: []float64{1, 3, 0, 3, 2, 1, 0, -1}}
	log2 := math.Log2
	for _, c := range []struct {
		name string
		t    *Topic
		want float64
	}{
		{"recall@1", graded, 1.0 / 5}, {"recall@4", graded, 2.0 / 5}, {"recall@100", graded, 3.0 / 5}, {"recall(rel=2)@6", graded, 2.0 / 3},
		{"p@5", graded, 2.0 / 5}, {"p@10", graded, 3.0 / 10}, {"success@1", graded, 1}, {"mrr", graded, 1}, {"mrr(rel=3)", graded, 1},
		{"map", graded, (1 + 2.0/4 + 3.0/6) / 5}, {"map@4", graded, (1 + 2.0/4) / 5}, {"rprec", graded, 2.0 / 5}, {"f1@4", graded, 2 * 0.5 * 0.4 / 0.9},
		{"ndcg", graded, (3 + 1/log2(5) + 2/log2(7)) / (3 + 3/log2(3) + 2/log2(4) + 1/log2(5) + 1/log2(6))},
		{"ndcg@2", graded, 3 / (3 + 3/log2(3))},
		{"ndcg_exp@1", graded, 1}, {"ndcg_exp@4", graded, (7 + 1/log2(5)) / (7 + 7/log2(3) + 3/log2(4) + 1/log2(5))},
		{"dcg@4", graded, 3 + 1/log2(5)}, {"dcg_exp@1", graded, 7}, {"ideal_dcg@1", graded, 3}, {"ndcg(3=1)", &Topic{Ranked: []float64{3}, Gold: []float64{3}}, 1},
		// trec_eval cannot sort fractional gains; 1 is what the definition gives.
		{"ndcg(1=0.5)", &Topic{Ranked: []float64{1, 1}, Gold: []float64{1, 1}}, 1},
		{"bpref", graded, (1 + (1 - 1.0/2) + (1 - 1.0/2)) / 5},
		{"judged@2", graded, 0.5}, {"judged@10", graded, 4.0 / 6}, {"unj@2", graded, 0.5}, {"unj@10", graded, 0.2},
		{"rbp(p=0.5)", graded, 0.5 * (1 + 1.0/3/8 + 2.0/3/32)}, {"rbp(p=0.5)@1", graded, 0.5},
		{"rbp_resid(p=0.5)", graded, math.Pow(0.5, 6) + 0.5*(0.5+1.0/16)},
		{"err(max=4)@1", graded, 7.0 / 16}, {"err(max=4)@4", graded, 7.0/16 + 9.0/16*(1.0/16)/4}, {"err", graded, 7.0/8 + 1.0/8*(1.0/8)/4 + 1.0/8*7.0/8*(3.0/8)/6},
		{"set_p", graded, 0.5}, {"set_recall", graded, 0.6}, {"set_f", graded, 2 * 0.5 * 0.6 / 1.1}, {"set_f(x=0.5)", graded, 1.5 * 0.5 * 0.6 / (0.25 + 0.6)},
		{"set_map", graded, 9.0 / 30}, {"set_relative_p", graded, 3.0 / 5}, {"relative_p@4", graded, 0.5}, {"relative_p@10", graded, 0.6},
		{"utility", graded, 0}, {"utility(c=-1,d=1,n=100)", graded, -2 + 100 + 3 - 6 - 5},
		{"num_ret", graded, 6}, {"num_rel", graded, 5}, {"num_rel_ret", graded, 3}, {"num_nonrel_judged_ret", graded, 1},
		{"iprec@0", graded, 1}, {"iprec@0.4", graded, 0.5}, {"iprec@1", graded, 0}, {"rprec_mult@0.4", graded, 0.5},
		{"bing", graded, (1 + 1/log2(4) + 1/log2(5)) / 5},
		// ir_measures' test data: ERR@20 of grades 0 1 by gdeval is 0.5 * 1/16 …
		{"err(max=4)@20", &Topic{Ranked: []float64{0, 1}, Gold: []float64{1, 0}}, 1.0 / 16 / 2},
		// pytrec_eval's README: ndcg 0.6934264036172708 for q2, map 0.5833333.
		{"ndcg", &Topic{Ranked: []float64{0, 1, 1}, Gold: []float64{1, 0, 1}}, 0.6934264036172708},
		{"map", &Topic{Ranked: []float64{0, 1, 1}, Gold: []float64{1, 0, 1}}, 0.5833333333333333},
	} {
		m := MustParse(c.name)
		if v, ok := m.Value(c.t); !ok || !near(v, c.want) {
			t.Errorf("%s = %.16g %v, want %.16g", m.Name(), v, ok, c.want)
		}
	}
}

// TestInfAP compares with trec_eval 9.0.8 on the ranking rel, pooled unjudged, not judged, nonrel, rel.
func TestInfAP(t *testing.T) {
	topic := &Topic{Ranked: []float64{1, -1, NotJudged, 0, 1}, Gold: []float64{1, 1, 0, -1}}
	e := 0.00001
	want := (1 + 1.0/5 + 4.0/5*(3.0/4)*((1+e)/(2+2*e))) / 2
	if v, ok := MustParse("infap").Value(topic); !ok || !near(v, want) {
		t.Errorf("infap = %v, want %v", v, want)
	}
}

// Rules of scoring, one test each.

func TestRuleEmptyGoldIsUndefined(t *testing.T) {
	for _, topic := range []*Topic{{Ranked: []float64{0, NotJudged}, Gold: []float64{0, -1}}, {Ranked: []float64{NotJudged}}, {}} {
		for _, name := range []string{"recall@5", "p@5", "mrr", "map", "ndcg@10", "ndcg", "success@1", "rprec", "bpref", "err", "rbp", "f1@3", "span_recall"} {
			if v, ok := MustParse(name).Value(topic); ok || v != 0 {
				t.Errorf("%s = %v %v without gold, want undefined", name, v, ok)
			}
		}
	}
}

func TestRuleEmptyResultScoresZero(t *testing.T) {
	topic := &Topic{Gold: []float64{1, 2}}
	for _, name := range []string{"recall@5", "p@5", "mrr", "map", "ndcg@10", "success@1", "rprec", "bpref", "infap", "err", "rbp", "set_p", "iprec@0", "11pt_avg"} {
		if v, ok := MustParse(name).Value(topic); !ok || v != 0 {
			t.Errorf("%s = %v %v without results, want 0", name, v, ok)
		}
	}
}

// TestRuleDenominatorsComeFromTheLabels: neither R nor the ideal ranking knows what was retrieved.
func TestRuleDenominatorsComeFromTheLabels(t *testing.T) {
	topic := &Topic{Ranked: []float64{1}, Gold: []float64{1, 3, 3, 3}}
	if v, _ := MustParse("recall@10").Value(topic); v != 0.25 {
		t.Errorf("recall@10 = %v, want 0.25", v)
	}
	if v, _ := MustParse("ndcg@1").Value(topic); v != 1.0/3 {
		t.Errorf("ndcg@1 = %v, want 1/3", v)
	}
}

func TestRuleGradedByLevel(t *testing.T) {
	topic := &Topic{Ranked: []float64{1, 2}, Gold: []float64{1, 2}, Level: float64(assay.RelevantGrade)}
	for name, want := range map[string]float64{"recall@1": 0, "recall(rel=1)@1": 0.5, "mrr": 0.5, "recall@2": 1} {
		if v, ok := MustParse(name).Value(topic); !ok || v != want {
			t.Errorf("%s = %v, want %v", name, v, want)
		}
	}
	// The level has no say where grades are gains.
	atOne := *topic
	atOne.Level = 1
	a, _ := MustParse("ndcg").Value(topic)
	b, _ := MustParse("ndcg").Value(&atOne)
	if a != b {
		t.Errorf("ndcg is %v at level 2 and %v at level 1", a, b)
	}
}

func TestRuleNegativeAndFractionalGrades(t *testing.T) {
	topic := &Topic{Ranked: []float64{-1, 0.5, 1.5}, Gold: []float64{-1, 0.5, 1.5}}
	for name, want := range map[string]float64{
		"num_rel": 1, "recall@3": 1, "ndcg@2": 0.5 / math.Log2(3) / (1.5 + 0.5/math.Log2(3)), "judged@3": 2.0 / 3,
	} {
		if v, ok := MustParse(name).Value(topic); !ok || !near(v, want) {
			t.Errorf("%s = %v, want %v", name, v, want)
		}
	}
}

// TestRuleFailedQueriesHaveNoScore: a failed query moves no mean and is counted beside it.
func TestRuleFailedQueriesHaveNoScore(t *testing.T) {
	set, err := NewSet(MustParse("p@1"))
	if err != nil {
		t.Fatal(err)
	}
	rows := []Row{{Outcome: Scored, Values: []float64{1}}, {Outcome: Failed, Why: "timeout"}, {Outcome: Scored, Values: []float64{0}}}
	if m := set.Means(rows)[0]; m.Value != 0.5 || m.Scored != 2 || m.Failed != 1 {
		t.Errorf("%+v", m)
	}
	if v, ok := rows[1].Value(0); ok || v != 0 {
		t.Errorf("a failed query has the value %v %v", v, ok)
	}
}

// TestRuleUnjudgedCountAsNotRelevant, and judged@k says how many there were.
func TestRuleUnjudgedCountAsNotRelevant(t *testing.T) {
	topic := &Topic{Ranked: []float64{NotJudged, 1, -1, NotJudged}, Gold: []float64{1, -1}}
	for name, want := range map[string]float64{"p@2": 0.5, "mrr": 0.5, "judged@4": 0.25, "unj@4": 0.75, "ndcg@2": 1 / math.Log2(3)} {
		if v, ok := MustParse(name).Value(topic); !ok || !near(v, want) {
			t.Errorf("%s = %v, want %v", name, v, want)
		}
	}
}

// TestC3CeilingBelowR: four relevant documents and one at rank 1.
func TestC3CeilingBelowR(t *testing.T) {
	topic := &Topic{Ranked: []float64{1}, Gold: []float64{1, 1, 1, 1}}
	if v, _ := MustParse("recall@1").Value(topic); v != 0.25 {
		t.Errorf("recall@1 = %v", v)
	}
	if v, _ := MustParse("mrr@1").Value(topic); v != 1 {
		t.Errorf("mrr@1 = %v", v)
	}
	if top, ok := Ceiling(MustParse("recall@1"), topic); !ok || top != 0.25 {
		t.Errorf("ceiling of recall@1 = %v, want 0.25", top)
	}
	if top, _ := Ceiling(MustParse("recall@4"), topic); top != 1 {
		t.Errorf("ceiling of recall@4 = %v, want 1", top)
	}
}

// TestC4Digits: 3/10 - 1/10 is 0.19999… in floats. Values are quotients of integers, so that a caller can
// compare differences with a tolerance far below the step of the measure.
func TestC4Digits(t *testing.T) {
	three := &Topic{Ranked: []float64{1, 1, 1}, Gold: []float64{1, 1, 1}}
	one := &Topic{Ranked: []float64{1}, Gold: []float64{1, 1, 1}}
	a, _ := MustParse("p@10").Value(three)
	b, _ := MustParse("p@10").Value(one)
	if a != 0.3 || b != 0.1 {
		t.Errorf("p@10 = %v and %v, want the floats nearest to 0.3 and 0.1", a, b)
	}
	if drop := a - b; drop < 0.2-1e-9 || !(drop < 0.2) {
		t.Errorf("the difference is %.17g: the trap of case C4 has moved", drop)
	}
}

func TestBounds(t *testing.T) {
	topic := &Topic{Ranked: []float64{1, NotJudged, 0}, Gold: []float64{1, 1, 0}}
	for name, want := range map[string][2]float64{"p@2": {0.5, 1}, "recall@3": {0.5, 2.0 / 3}, "success@1": {1, 1}, "dcg@2": {1, 1 + 1/math.Log2(3)}} {
		low, high, ok := Bounds(MustParse(name), topic)
		if !ok || !near(low, want[0]) || !near(high, want[1]) {
			t.Errorf("%s: %v to %v, want %v", name, low, high, want)
		}
	}
}

func TestSpans(t *testing.T) {
	at := func(doc string, start, end, tokens int) Place {
		return Place{Document: doc, Span: assay.Span{Start: start, End: end}, Tokens: tokens}
	}
	topic := &Topic{Spans: &Spans{
		Gold:   []Place{at("a", 10, 30, 0), at("a", 20, 40, 0), at("b", 0, 10, 0)}, // 40 bytes
		Ranked: []Place{at("a", 0, 20, 10), at("a", 15, 25, 5), {}, at("c", 0, 100, 30), at("b", 5, 10, 1)},
	}}
	for name, want := range map[string]float64{
		"span_recall@1": 10.0 / 40, "span_precision@1": 0.5, "span_iou@1": 10.0 / 50,
		"span_recall@2": 15.0 / 40, "span_precision@2": 15.0 / 25, "span_recall@3": 15.0 / 40,
		"span_recall": 20.0 / 40, "span_precision": 20.0 / 130, "span_iou": 20.0 / 150,
		"span_recall@9tok": 0, "span_recall@10tok": 0.25, "span_recall@15tok": 15.0 / 40, "span_recall@44tok": 15.0 / 40, "span_recall@46tok": 0.5,
		"span_precision@1tok": 0,
	} {
		if v, ok := MustParse(name).Value(topic); !ok || !near(v, want) {
			t.Errorf("%s = %v %v, want %v", name, v, ok, want)
		}
	}
	if _, ok := MustParse("span_recall").Value(&Topic{Gold: []float64{1}}); ok {
		t.Error("span_recall is defined without places")
	}
	// An unknown length is estimated at a token per four bytes.
	topic.Spans.Ranked = []Place{at("b", 0, 9, 0)}
	if v, _ := MustParse("span_recall@2tok").Value(topic); v != 0 {
		t.Error("nine bytes fit in two tokens")
	}
	if v, _ := MustParse("span_recall@3tok").Value(topic); !near(v, 9.0/40) {
		t.Errorf("span_recall@3tok = %v", v)
	}
}

func TestMeans(t *testing.T) {
	set, err := NewSet(MustParse("p@2"), MustParse("gm_map"), MustParse("num_ret"))
	if err != nil {
		t.Fatal(err)
	}
	rows := []Row{
		{Query: "1", Outcome: Scored, Values: []float64{1, 1, 10}},
		{Query: "2", Outcome: Empty, Values: []float64{0, 0, 0}},
		{Query: "3", Outcome: Failed},
		{Query: "4", Outcome: Unjudged},
		{Query: "5", Outcome: Scored, Values: []float64{math.NaN(), math.NaN(), 4}},
		{Query: "6", Outcome: Scored, Values: []float64{0.5, 0.25, 2}},
	}
	means := set.Means(rows)
	if m := means[0]; m != (Mean{Measure: "p@2", Value: 0.5, Scored: 3, Empty: 1, Failed: 1, Unjudged: 1, Undefined: 1}) {
		t.Errorf("p@2: %+v", m)
	}
	if want := math.Pow(1*0.00001*0.25, 1.0/3); !near(means[1].Value, want) {
		t.Errorf("gm_map = %v, want %v", means[1].Value, want)
	}
	if m := means[2]; m.Value != 16 || m.Scored != 4 {
		t.Errorf("num_ret: %+v", m)
	}
	if m := set.Means(rows[2:4])[0]; m.Value != 0 || m.Scored != 0 || m.Failed != 1 {
		t.Errorf("no scored query: %+v", m)
	}
	if _, err := NewSet(MustParse("p@2"), MustParse("P.2")); err == nil {
		t.Error("a set takes one measure twice")
	}
}
