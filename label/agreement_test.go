package label

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

var (
	ann   = Rater{assay.ByHuman, "ann"}
	bob   = Rater{assay.ByHuman, "bob"}
	model = Rater{assay.ByJudge, "model"}
)

// rate makes ratings of the items 0, 1, …, of which a query holds five; -1 is no rating.
func rate(r Rater, grades ...int) []Rating {
	var out []Rating
	for i, g := range grades {
		if g >= 0 {
			out = append(out, Rating{Rater: r, Query: fmt.Sprint("q", i/5), Item: fmt.Sprint("i", i), Grade: g})
		}
	}
	return out
}

func join(lists ...[]Rating) []Rating {
	var out []Rating
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

var quick = stats.Options{Draws: 200, Seed: 1}

func TestAgree(t *testing.T) {
	a, err := Agree(join(
		rate(ann, 0, 1, 2, 3, 0, 3, 3, 0, 1, 2),
		rate(bob, 0, 2, 2, 3, 0, 3, 2, 1, -1, -1),
		rate(model, 0, 1, 3, 3, 1, 3, 3, 0, 0, 3),
		rate(Rater{assay.BySynthetic, "writer"}, 3, 3),
		rate(Rater{assay.ByHuman, assay.Adjudicated}, -1, 0),
	), []Repeated{{rate(ann, 0)[0], rate(ann, 0)[0]}, {rate(ann, 0, 2)[1], rate(ann, 0, 1)[1]}, {rate(ann, 0, 0, 3)[2], rate(ann, 0, 0, 3)[2]}}, quick)
	if err != nil {
		t.Fatal(err)
	}
	var pairs []string
	for _, p := range a.Pairs {
		pairs = append(pairs, fmt.Sprintf("%s %s %d/%d", p.A, p.B, p.Items, p.Queries))
	}
	want := []string{"ann bob 8/2", "ann model 10/2", "bob model 8/2", "(people) model 10/2"}
	if diff := cmp.Diff(want, pairs); diff != "" {
		t.Errorf("pairs (-want +got):\n%s", diff)
	}
	// By hand: ann and bob agree on 5 of 8; expected agreement (3·2 + 1·1 + 1·3 + 3·2)/64 = 16/64.
	if k := *a.Pairs[0].Kappa.Value; math.Abs(k-(5.0/8-0.25)/0.75) > 1e-12 {
		t.Errorf("kappa of ann and bob is %v", k)
	}
	// Relevant or not: 7 of 8 agree; ann calls 4 relevant, bob 5: expected (4·5 + 4·3)/64 = 1/2.
	if k := *a.Pairs[0].Binary.Value; math.Abs(k-(7.0/8-0.5)/0.5) > 1e-12 {
		t.Errorf("binary kappa of ann and bob is %v", k)
	}
	p, ok := a.With("model")
	if !ok {
		t.Fatal("the judge was not compared with people")
	}
	// People: adjudicated to 0 on item 1, the lower median elsewhere.
	if diff := cmp.Diff(confusionByHand(), p.Confusion); diff != "" {
		t.Errorf("confusion of people and judge (-want +got):\n%s", diff)
	}
	if len(a.Self) != 1 || a.Self[0].Items != 3 || a.Self[0].Confusion[2][1] != 1 || a.Self[0].Confusion[3][3] != 1 {
		t.Errorf("self-agreement: %+v", a.Self)
	}
	if a.People == nil || a.People.Items != 8 {
		t.Errorf("alpha of people: %+v", a.People)
	}
	if c := a.Raters[1]; c.Who != "ann" || c.Items != 10 || c.Grades != [4]int{3, 2, 2, 3} || math.Abs(c.Mean-1.5) > 1e-12 {
		t.Errorf("raters: %+v", a.Raters)
	}
}

// confusionByHand is people (rows) against the judge of TestAgree: people are 0 0 2 3 0 3 2 0 1 2, the judge 0 1 3 3 1 3 3 0 0 3.
func confusionByHand() [4][4]int {
	var m [4][4]int
	people, judge := []int{0, 0, 2, 3, 0, 3, 2, 0, 1, 2}, []int{0, 1, 3, 3, 1, 3, 3, 0, 0, 3}
	for i := range people {
		m[people[i]][judge[i]]++
	}
	return m
}

// People who look at a judge's positives first see another judge than there is. Weights make up for it: over many such
// samples the weighted kappa is that of all items, and the plain one is not.
func TestAgreeWeighted(t *testing.T) {
	chance := rand.New(rand.NewPCG(7, 70))
	const items, samples = 2000, 40
	truth, judge := make([]int, items), make([]int, items)
	for i := range truth {
		if truth[i] = chance.IntN(8) - 4; truth[i] < 0 {
			truth[i] = 0
		}
		if judge[i] = truth[i]; chance.IntN(3) == 0 {
			judge[i] = chance.IntN(4)
		}
	}
	whole, err := Agree(join(rate(ann, truth...), rate(model, judge...)), nil, quick)
	if err != nil {
		t.Fatal(err)
	}
	want := *whole.Pairs[0].Binary.Value
	weighted, plain := 0.0, 0.0
	for range samples {
		seen := make([]int, items)
		for i := range seen {
			seen[i] = -1
			if n := chance.IntN(20); judge[i] >= 2 && n < 8 || n == 0 {
				seen[i] = truth[i]
			}
		}
		a, err := Agree(join(rate(ann, seen...), rate(model, judge...)), nil, quick)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := a.With("model")
		if !p.Weighted || p.Of != items {
			t.Fatalf("not weighted: %+v", p)
		}
		weighted += *p.Binary.Value / samples
		x, y := []int{}, []int{}
		for i := range seen {
			if seen[i] >= 0 {
				x, y = append(x, seen[i]), append(y, judge[i])
			}
		}
		k, err := stats.CohenKappa(relevance(x), relevance(y), stats.Unweighted, stats.Design{}, quick)
		if err != nil {
			t.Fatal(err)
		}
		plain += *k.Value / samples
	}
	t.Logf("kappa of all %.3f, of samples weighted %.3f, plain %.3f", want, weighted, plain)
	if math.Abs(weighted-want) > 0.02 || math.Abs(plain-want) < 0.05 {
		t.Errorf("kappa of all items is %.3f; of samples weighted %.3f, plain %.3f", want, weighted, plain)
	}
}

func TestAgreeNothingInCommon(t *testing.T) {
	a, err := Agree(join(rate(ann, 1, -1), rate(model, -1, 1)), nil, quick)
	if err != nil || len(a.Pairs) != 0 || a.People != nil {
		t.Errorf("%+v, %v", a, err)
	}
	// Where nobody looked at what a judge calls relevant, nothing can stand for it.
	a, err = Agree(join(rate(ann, 1, 0, -1), rate(model, 1, 0, 3)), nil, quick)
	if err != nil || a.Pairs[0].Weighted {
		t.Errorf("%+v, %v", a.Pairs, err)
	}
}

// Passages of a grade that nobody looked at are stood for by the nearest on their side of relevance.
func TestAgreeStandIn(t *testing.T) {
	a, err := Agree(join(rate(ann, 0, 0, 2, 2, -1, -1, -1), rate(model, 0, 0, 2, 2, 1, 3, 3)), nil, quick)
	if err != nil {
		t.Fatal(err)
	}
	// Two of grade 0 stand for three, two of 2 for four: (3 + 4)²/(2·1.5² + 2·2²).
	if p, ok := a.With(model.Who); !ok || !p.Weighted || p.Of != 7 || math.Abs(p.NEff-49/12.5) > 1e-12 {
		t.Errorf("%+v", p)
	}
	for _, c := range []struct {
		seen []int
		g    assay.Grade
		want assay.Grade
		ok   bool
	}{{[]int{0, 2}, 1, 0, true}, {[]int{0, 2}, 3, 2, true}, {[]int{1, 2}, 1, 1, true}, {[]int{2, 3}, 1, 0, false}, {[]int{0, 1}, 2, 0, false}} {
		var seen [Grades]bool
		for _, g := range c.seen {
			seen[g] = true
		}
		if got, ok := standIn(c.g, seen); ok != c.ok || ok && got != c.want {
			t.Errorf("grade %d by %v: %d, %v", c.g, c.seen, got, ok)
		}
	}
}

func TestCards(t *testing.T) {
	dir := t.TempDir()
	if c, err := ReadCards(dir); err != nil || len(c) != 0 {
		t.Fatalf("%v, %v", c, err)
	}
	// Sixty items of forty queries on which people and judge agree but for six.
	grades, other := make([]int, 60), make([]int, 60)
	for i := range grades {
		grades[i] = 3 * (i % 2)
		if other[i] = grades[i]; i%10 == 9 {
			other[i] = 0
		}
	}
	a, err := Agree(join(rate(ann, grades...), rate(model, other...)), nil, quick)
	if err != nil {
		t.Fatal(err)
	}
	p, _ := a.With("model")
	for _, c := range []Card{
		{Judge: "model", Rubric: "umbrela", Human: &p, Labels: "v1"},
		{Judge: "model", Rubric: "umbrela", Gullibility: &Gullibility{Passages: 3}},
		{Judge: "weak", Human: &Pair{Items: MinItems - 1}},
	} {
		if err := WriteCard(dir, c); err != nil {
			t.Fatal(err)
		}
	}
	cards, err := ReadCards(dir)
	if err != nil {
		t.Fatal(err)
	}
	if c := cards["model"]; c.Human == nil || c.Gullibility == nil || c.Labels != "v1" || *c.Human.Binary.Value != *p.Binary.Value {
		t.Errorf("the card lost a part: %+v", c)
	}
	for _, tc := range []struct {
		judge string
		least float64
		want  string // part of the doubt
	}{
		{"model", 0.4, ""},
		{"model", 0.99, "lower bound is under judge.min_kappa 0.99"},
		{"weak", 0, "people graded only 29 of the passages"},
		{"unknown", 0, "never measured against people"},
	} {
		if got := cards.Doubt(tc.judge, tc.least); (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) {
			t.Errorf("doubt about %s at %v: %q, want %q", tc.judge, tc.least, got, tc.want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, CardsFile), []byte("{\"judge\":1}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadCards(dir); err == nil || !strings.Contains(err.Error(), CardsFile+":1") {
		t.Errorf("a broken card: %v", err)
	}
}

// What is doubted is the lower bound, and what rests on a few queries however many passages they have.
// Where people looked at 54 of 500 positives of a judge and at 6 of 5,000 others, the 6 are nearly all that the weights leave: a kappa
// of that holds the truth in 43 of 100 samples, not 95. With a third of the proposals drawn at random there is enough.
func TestEffectiveItems(t *testing.T) {
	for _, tc := range []struct {
		positives, others int
		want              float64 // (500 + 5000)²/(500²/positives + 5000²/others)
	}{{54, 6, 7.2519}, {180, 20, 24.1730}, {60, 30, 36.1194}} {
		var ratings []Rating
		add := func(n, seen, grade int) {
			for i := range n {
				r := Rating{Rater: model, Query: fmt.Sprint("q", i%40), Item: fmt.Sprint(grade, "-", i), Grade: grade}
				ratings = append(ratings, r)
				if i < seen {
					r.Rater = ann
					ratings = append(ratings, r)
				}
			}
		}
		add(500, tc.positives, 3)
		add(5000, tc.others, 0)
		a, err := Agree(ratings, nil, stats.Options{Draws: 100})
		if err != nil {
			t.Fatal(err)
		}
		if p, ok := a.With(model.Who); !ok || math.Abs(p.NEff-tc.want) > 1e-3 || !p.Weighted {
			t.Errorf("%d and %d: %+v, want %v", tc.positives, tc.others, p.NEff, tc.want)
		}
	}
}

func TestDoubt(t *testing.T) {
	card := func(change func(*Pair)) *Card {
		value := 0.7
		p := &Pair{Items: 100, Queries: MinUnits}
		p.Binary.Value, p.Binary.Interval = &value, stats.Interval{Lo: 0.5, Hi: 0.9}
		change(p)
		return &Card{Judge: "model", Human: p}
	}
	for name, tc := range map[string]struct {
		change func(*Pair)
		want   string
	}{
		"good":                       {func(*Pair) {}, ""},
		"lower bound on the limit":   {func(p *Pair) { p.Binary.Lo = 0.4 }, ""},
		"value above, bound below":   {func(p *Pair) { p.Binary.Lo = 0.39 }, "kappa with people is 0.70 [0.39, 0.90], and the lower bound is under judge.min_kappa 0.40"},
		"one query too few":          {func(p *Pair) { p.Queries = MinUnits - 1 }, "only 9 independent queries, and 10 are the least"},
		"many passages of a query":   {func(p *Pair) { p.Items, p.Queries = 1000, 1 }, "only 1 independent query,"},
		"a few stand for nearly all": {func(p *Pair) { p.Weighted, p.NEff = true, 7.2 }, "weigh as much as 7, and 30 are the least"},
		"just enough weight":         {func(p *Pair) { p.Weighted, p.NEff = true, MinItems }, ""},
		"everything the same grade":  {func(p *Pair) { p.Binary.Value = nil }, "has no value"},
	} {
		got := Cards{"model": card(tc.change)}.Doubt("model", 0.4)
		if (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
