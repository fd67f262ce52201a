package measure

import (
	"maps"
	"math"
	"strings"
	"testing"
)

// TestRegister: a family of one's own is parsed, scored in a set, summarised and suggested like the others.
func TestRegister(t *testing.T) {
	restoreTable(t)
	family := Family{
		Definition: Definition{Name: "test_depth", Title: "depth", Formula: "n / k", Range: Unit, Cutoff: RankCutoff, Aliases: []string{"Test-Depth"},
			Params: []Param{{Name: "w", Default: 1, Range: Unit}}, Source: "this test"},
		New: func(a Args) (func(*Topic) (float64, bool), error) {
			k, w := float64(a.K), a.Value("w")
			return func(t *Topic) (float64, bool) { return min(1, w*float64(len(t.Ranked))/k), true }, nil
		},
	}
	if err := Register(family); err != nil {
		t.Fatal(err)
	}
	m, err := Parse("test-depth(w=0.5)@4")
	if err != nil || m.Name() != "test_depth(w=0.5)@4" {
		t.Fatalf("%v %v", m, err)
	}
	set, err := NewSet(m, MustParse("p@4"))
	if err != nil {
		t.Fatal(err)
	}
	values := set.Score(&Topic{Ranked: []float64{1, 0}, Gold: []float64{1}}, nil)
	if values[0] != 0.25 || values[1] != 0.25 {
		t.Errorf("values %v", values)
	}
	if _, err := Parse("test_depht@4"); err == nil || Nearest("test_depht") != "test_depth" {
		t.Errorf("not suggested: %v", err)
	}
	if _, err := Parse("test_depth@0"); err == nil {
		t.Error("a cutoff of 0 is accepted")
	}
	for name, bad := range map[string]Family{
		"taken":   {Definition: Definition{Name: "ndcg", Range: Unit}, New: family.New},
		"alias":   {Definition: Definition{Name: "test_other", Range: Unit, Aliases: []string{"RR"}}, New: family.New},
		"name":    {Definition: Definition{Name: "Test@1", Range: Unit}, New: family.New},
		"range":   {Definition: Definition{Name: "test_range", Range: Range{1, math.NaN()}}, New: family.New},
		"nothing": {Definition: Definition{Name: "test_nothing", Range: Unit}},
	} {
		if err := Register(bad); err == nil || !strings.HasPrefix(err.Error(), "measure.Register: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// restoreTable takes out at the end of the test what it registered, which would be in the way of other tests.
func restoreTable(t *testing.T) {
	families, byName := table.families, maps.Clone(table.byName)
	t.Cleanup(func() {
		table.Lock()
		defer table.Unlock()
		table.families, table.byName = families, byName
	})
}

func TestFunc(t *testing.T) {
	m := Func(Definition{Name: "mine", Range: Unit}, func(t *Topic) (float64, bool) { return 0.5, len(t.Gold) > 0 })
	set, err := NewSet(m)
	if err != nil {
		t.Fatal(err)
	}
	rows := []Row{
		{Outcome: Scored, Values: set.Score(&Topic{Gold: []float64{1}}, nil)},
		{Outcome: Scored, Values: set.Score(&Topic{}, nil)},
	}
	if mean := set.Means(rows)[0]; mean.Measure != "mine" || mean.Value != 0.5 || mean.Scored != 1 || mean.Undefined != 1 {
		t.Errorf("%+v", mean)
	}
}

// TestEveryDefinitionIsComplete: what docs/metrics.md and `assay measures` print is there for every row.
func TestEveryDefinitionIsComplete(t *testing.T) {
	for _, f := range Families() {
		if f.Name == "" || f.Title == "" || f.Formula == "" || f.Source == "" {
			t.Errorf("%s lacks a title, formula or source", f.Name)
		}
		for _, p := range f.Params {
			if !p.Range.Contains(p.Default) {
				t.Errorf("%s: default of %s is out of range", f.Name, p.Name)
			}
		}
	}
}
