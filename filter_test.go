package assay

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func parse(t testing.TB, s string) *Filter {
	t.Helper()
	f, err := ParseFilter([]byte(s))
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return f
}

func TestParseFilter(t *testing.T) {
	yes := true
	for in, want := range map[string]Filter{
		`{"field":"lang","eq":"de"}`:                                     {Field: "lang", Eq: "de"},
		` {"gte":2024 , "field" : "year","lt":2026.5} `:                  {Field: "year", Gte: int64(2024), Lt: 2026.5},
		`{"field":"id","in":[2637283987631399371,18446744073709551615]}`: {Field: "id", In: []any{int64(2637283987631399371), uint64(18446744073709551615)}},
		`{"field":"x","exists":true}`:                                    {Field: "x", Exists: &yes},
		`{"not":{"field":"a","ne":false}}`:                               {Not: &Filter{Field: "a", Ne: false}},
		`{"and":[{"field":"a","eq":1},{"or":[{"field":"b","eq":1.0},{"field":"c","gt":-1e3}]}]}`: {And: []Filter{{Field: "a", Eq: int64(1)},
			{Or: []Filter{{Field: "b", Eq: 1.0}, {Field: "c", Gt: -1000.0}}}}},
		`{"native":{"must":[ {"a" : 1} ]}}`: {Native: json.RawMessage(`{"must":[ {"a" : 1} ]}`)},
	} {
		got, err := ParseFilter([]byte(in))
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if d := cmp.Diff(&want, got); d != "" {
			t.Errorf("%s:\n%s", in, d)
		}
	}
}

func TestParseFilterErrors(t *testing.T) {
	deep := strings.Repeat(`{"not":`, 40) + `{"field":"a","eq":1}` + strings.Repeat("}", 40)
	for in, want := range map[string]string{
		``:                    "EOF",
		`null`:                "not an object",
		`[]`:                  "not an object",
		`"x"`:                 "not an object",
		`{}`:                  "exactly one of and, or, not, field, native, has 0",
		`{"field":"a"}`:       `field "a" has no operator`,
		`{"eq":1}`:            "has 0",
		`{"field":"","eq":1}`: "has 0",
		`{"field":"a","eq":1,"not":{"field":"b","eq":1}}`: "has 2",
		`{"and":[],"field":"a","eq":1}`:                   "has 2",
		`{"and":[]}`:                                      "empty list",
		`{"or":[]}`:                                       "empty list",
		`{"and":null}`:                                    "empty list",
		`{"and":[null]}`:                                  "not an object",
		`{"and":{"field":"a","eq":1}}`:                    "cannot unmarshal object",
		`{"not":null}`:                                    "not an object",
		`{"not":[]}`:                                      "not an object",
		`{"field":"a","in":[]}`:                           "an empty list matches nothing",
		`{"field":"a","in":"x"}`:                          "in: ",
		`{"field":"a","in":[null]}`:                       "in: null is not a string",
		`{"field":"a","eq":null}`:                         "eq: null is not a string, number or boolean",
		`{"field":"a","eq":[1]}`:                          "eq: [1] is not",
		`{"field":"a","eq":{"b":1}}`:                      "is not a string",
		`{"field":"a","eq":1e999}`:                        "beyond what a 64-bit number holds",
		`{"field":"a","eq":18446744073709551616}`:         "beyond what a 64-bit integer holds",
		`{"field":"a","eq":-9223372036854775809}`:         "beyond what a 64-bit integer holds",
		`{"field":"a","eq":1,"eq":2}`:                     `key "eq" stands twice`,
		`{"field":"a","eq":1,"Eq":2}`:                     `unknown key "Eq"`,
		`{"field":"a","equals":1}`:                        `unknown key "equals" (known: and, or`,
		`{"field":"a","exists":"yes"}`:                    "exists: ",
		`{"field":"a","exists":null}`:                     "no operator",
		`{"field":7,"eq":1}`:                              "field: ",
		`{"field":"a","eq":1} x`:                          "more follows",
		`{"field":"a","eq":1`:                             "EOF",
		`{"field":"a","eq":NaN}`:                          "invalid character",
		`{"and":[{"or":[{"field":"a"}]}]}`:                `field "a" has no operator`,
		deep:                                              "nested deeper than 32",
		strings.Repeat(`{"and":[`, 9000):                  "max depth",
	} {
		_, err := ParseFilter([]byte(in))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "filter: ") {
			t.Errorf("%.80s: got %v, want %q", in, err, want)
		}
	}
	ok := strings.Repeat(`{"not":`, MaxFilterDepth-1) + `{"field":"a","eq":1}` + strings.Repeat("}", MaxFilterDepth-1)
	if _, err := ParseFilter([]byte(ok)); err != nil {
		t.Errorf("depth %d: %v", MaxFilterDepth, err)
	}
}

func TestValidateOfBuiltFilters(t *testing.T) {
	for _, f := range []Filter{
		{Field: "a", Eq: math.NaN()}, {Field: "a", Gt: math.Inf(1)}, {Field: "a", Eq: []string{"x"}}, {Field: "a", In: []any{map[string]any{}}}, {Field: "a", Eq: struct{}{}},
		{And: []Filter{{}}}, {Not: &Filter{}}, {Eq: "x"}, {Native: json.RawMessage("{}"), Exists: new(bool)},
	} {
		if err := f.Validate(); err == nil {
			t.Errorf("%+v is valid", f)
		}
	}
	for _, f := range []Filter{{Field: "a", Eq: 1}, {Field: "a", Lt: uint8(3)}, {Field: "a", In: []any{float32(1), "x"}}, {Field: "a", Exists: new(bool)}} {
		if err := f.Validate(); err != nil {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

func TestFilterCanonicalForm(t *testing.T) {
	want := `{"and":[{"field":"a<b>&","eq":"ü","exists":false},{"not":{"or":[{"field":"n","in":[1,"x"]},{"native":{"k":[1,2]}}]}}]}`
	a := parse(t, `{"and":[{"exists":false,"eq":"ü","field":"a<b>&"},{"not":{"or":[{"in":[1,"x"],"field":"n"},{"native":{"k":[ 1, 2 ]}}]}}]}`)
	if a.String() != want {
		t.Errorf("got  %s\nwant %s", a, want)
	}
	if s := (*Filter)(nil).String(); s != "" {
		t.Errorf("nil is %q", s)
	}
	// Inside another document the text is the same value, escaped or not.
	b, err := json.Marshal(struct{ F *Filter }{a})
	if err != nil {
		t.Fatal(err)
	}
	var back struct{ F *Filter }
	if err := json.Unmarshal(b, &back); err != nil || back.F.String() != want {
		t.Errorf("%s, %v", back.F, err)
	}
}

func TestFilterFields(t *testing.T) {
	f := parse(t, `{"and":[{"field":"b","eq":1},{"not":{"or":[{"field":"a.c","eq":1},{"field":"b","ne":2}]}},{"native":{"z":1}}]}`)
	if d := cmp.Diff([]string{"a.c", "b"}, f.Fields()); d != "" {
		t.Error(d)
	}
}

func TestMatch(t *testing.T) {
	var m map[string]any
	if err := json.Unmarshal([]byte(`{"lang":"de","year":2024,"price":7.5,"draft":false,"tags":["a","b"],"none":null,"empty":[],"nest":{"x":{"y":1}},"a.b":"dotted","a":{"b":"path"},
		"c.d":{"e":"half"},"mixed":[1,"x",true]}`), &m); err != nil {
		t.Fatal(err)
	}
	m["id"] = json.Number("2637283987631399371")
	m["strings"] = []string{"p", "q"}
	for in, want := range map[string]bool{
		`{"field":"lang","eq":"de"}`: true, `{"field":"lang","eq":"De"}`: false, `{"field":"lang","ne":"de"}`: false, `{"field":"lang","ne":"en"}`: true,
		`{"field":"year","eq":2024}`: true, `{"field":"year","eq":2024.0}`: true, `{"field":"year","eq":"2024"}`: false, `{"field":"year","ne":"2024"}`: true,
		`{"field":"draft","eq":false}`: true, `{"field":"draft","eq":0}`: false,
		`{"field":"tags","eq":"b"}`: true, `{"field":"tags","ne":"b"}`: false, `{"field":"tags","ne":"c"}`: true, `{"field":"tags","in":["x","a"]}`: true, `{"field":"tags","in":["x"]}`: false,
		`{"field":"strings","eq":"q"}`: true, `{"field":"mixed","eq":true}`: true, `{"field":"mixed","gt":0}`: true,
		`{"field":"price","gt":7,"lt":8}`: true, `{"field":"price","gt":7.5}`: false, `{"field":"price","gte":7.5,"lte":7.5}`: true, `{"field":"lang","gt":"a"}`: true, `{"field":"lang","gt":1}`: false,
		`{"field":"id","eq":2637283987631399371}`: true, `{"field":"id","eq":2637283987631399372}`: false, `{"field":"id","gt":2637283987631399370}`: true, // C10
		`{"field":"nope","eq":1}`: false, `{"field":"nope","ne":1}`: true, `{"field":"nope","exists":false}`: true, `{"field":"nope","exists":true}`: false, `{"field":"nope","lt":1}`: false,
		`{"field":"none","exists":true}`: false, `{"field":"none","ne":1}`: true, `{"field":"empty","exists":true}`: false, `{"field":"empty","exists":false}`: true, `{"field":"tags","exists":true}`: true,
		`{"field":"nest.x.y","eq":1}`: true, `{"field":"nest.x","eq":1}`: false, `{"field":"nest.x.y.z","eq":1}`: false, `{"field":"a.b","eq":"dotted"}`: true, `{"field":"c.d.e","eq":"half"}`: true,
		`{"field":"year","gte":2020,"ne":2024}`: false, `{"field":"year","gte":2020,"ne":2023}`: true,
		`{"not":{"field":"lang","eq":"de"}}`: false, `{"not":{"field":"nope","gt":1}}`: true,
		`{"and":[{"field":"lang","eq":"de"},{"field":"year","lt":2024}]}`: false, `{"or":[{"field":"lang","eq":"en"},{"field":"year","lte":2024}]}`: true,
		`{"native":{"lang":"de"}}`: false,
	} {
		if got := parse(t, in).Match(m); got != want {
			t.Errorf("%s: %v", in, got)
		}
	}
	if !(*Filter)(nil).Match(nil) {
		t.Error("no filter does not match")
	}
}

// One element of a list has to satisfy all bounds: 1 and 9 hold no value between 4 and 6.
func TestBoundsAreOfOneValue(t *testing.T) {
	m := map[string]any{"n": []any{1, 9}}
	if parse(t, `{"field":"n","gt":4,"lt":6}`).Match(m) {
		t.Error("two elements satisfied one bound each")
	}
	if !parse(t, `{"field":"n","gt":4,"lt":16}`).Match(m) {
		t.Error("9 is between 4 and 16")
	}
}

func TestNormalizeValue(t *testing.T) {
	for _, c := range []struct{ in, want any }{
		{json.Number("7"), int64(7)}, {json.Number("-9223372036854775808"), int64(math.MinInt64)}, {json.Number("18446744073709551615"), uint64(math.MaxUint64)},
		{json.Number("1.0"), 1.0}, {json.Number("1e3"), 1000.0}, {json.Number("1e999"), "1e999"}, {7, int64(7)}, {uint(7), int64(7)}, {uint64(math.MaxUint64), uint64(math.MaxUint64)},
		{uint64(7), int64(7)}, {int8(-1), int64(-1)}, {uint16(5), int64(5)}, {float32(0.5), 0.5}, {"x", "x"}, {true, true}, {nil, nil},
	} {
		if got := NormalizeValue(c.in); got != c.want {
			t.Errorf("%T %v: got %T %v", c.in, c.in, got, got)
		}
	}
}

// Numbers of any type compare as the numbers they are.
func TestCompareValuesAgainstBig(t *testing.T) {
	value := rapid.OneOf(
		rapid.Map(rapid.Int64(), func(i int64) any { return i }),
		rapid.Map(rapid.Uint64(), func(u uint64) any { return u }),
		rapid.Map(rapid.Float64(), func(f float64) any { return f }),
		rapid.Map(rapid.Int64Range(1<<53-3, 1<<53+3), func(i int64) any { return i }),
		rapid.Map(rapid.Int64Range(1<<53-3, 1<<53+3), func(i int64) any { return float64(i) }),
		rapid.SampledFrom([]any{int64(math.MaxInt64), int64(math.MinInt64), uint64(math.MaxUint64), float64(1 << 63), -float64(1 << 63), float64(1 << 64), 0.0, math.Copysign(0, -1), -0.5, int64(0), int64(-1)}),
	)
	exact := func(v any) *big.Float {
		x := new(big.Float).SetPrec(2000)
		switch v := v.(type) {
		case int64:
			return x.SetInt64(v)
		case uint64:
			return x.SetUint64(v)
		}
		return x.SetFloat64(v.(float64))
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := value.Draw(t, "a"), value.Draw(t, "b")
		got, ok := CompareValues(a, b)
		if want := exact(a).Cmp(exact(b)); !ok || got != want {
			t.Fatalf("%T %v and %T %v: got %d %v, want %d", a, a, b, b, got, ok, want)
		}
	})
	const edge = 1 << 53 // from here on float64 has no odd integers
	for _, c := range []struct {
		a, b any
		want int
	}{
		{int64(edge + 1), float64(edge), 1}, {int64(edge + 1), float64(edge + 2), -1}, {float64(edge), int64(edge + 1), -1}, {int64(edge), float64(edge), 0},
		{uint64(1<<63 + 1), float64(1 << 63), 1}, {float64(1 << 63), uint64(1<<63 + 1), -1}, {int64(math.MaxInt64), float64(1 << 63), -1},
	} {
		if got, ok := CompareValues(c.a, c.b); got != c.want || !ok {
			t.Errorf("%T %v and %T %v: %d, want %d", c.a, c.a, c.b, c.b, got, c.want)
		}
	}
	for _, pair := range [][2]any{{"1", int64(1)}, {true, int64(1)}, {true, "true"}, {math.NaN(), 1.0}, {int64(1), math.NaN()}, {math.NaN(), uint64(math.MaxUint64)}, {nil, nil}, {[]any{}, []any{}}} {
		if _, ok := CompareValues(pair[0], pair[1]); ok {
			t.Errorf("%v and %v can be compared", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]any{{false, true}, {"a", "b"}, {"", "a"}} {
		if c, ok := CompareValues(pair[0], pair[1]); c >= 0 || !ok {
			t.Errorf("%v is not below %v", pair[0], pair[1])
		}
	}
}

// draw makes a filter over three fields.
func draw(t *rapid.T, depth int) Filter {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth == 0 {
		kind = 5
	}
	subs := func() []Filter {
		out := make([]Filter, rapid.IntRange(1, 3).Draw(t, "n"))
		for i := range out {
			out[i] = draw(t, depth-1)
		}
		return out
	}
	switch kind {
	case 0:
		return Filter{And: subs()}
	case 1:
		return Filter{Or: subs()}
	case 2:
		f := draw(t, depth-1)
		return Filter{Not: &f}
	}
	f := Filter{Field: rapid.SampledFrom([]string{"s", "n", "l"}).Draw(t, "field")}
	value := func() any { return rapid.SampledFrom([]any{"x", "y", int64(1), int64(2), 1.5, true}).Draw(t, "value") }
	switch rapid.IntRange(0, 5).Draw(t, "op") {
	case 0:
		f.Eq = value()
	case 1:
		f.Ne = value()
	case 2:
		f.In = []any{value(), value()}
	case 3:
		f.Gte, f.Lt = value(), value()
	case 4:
		yes := rapid.Bool().Draw(t, "yes")
		f.Exists = &yes
	case 5:
		f.Gt = value()
	}
	return f
}

func drawMetadata(t *rapid.T) map[string]any {
	m := map[string]any{}
	for _, field := range []string{"s", "n", "l"} {
		if v := rapid.SampledFrom([]any{nil, "x", "y", int64(1), 2.0, 1.5, true, []any{"x", int64(2)}, []any{}}).Draw(t, field); v != nil {
			m[field] = v
		}
	}
	return m
}

func TestFilterLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, m := draw(t, 3), draw(t, 2), drawMetadata(t)
		not := func(f Filter) Filter { return Filter{Not: &f} }
		same := func(what string, x, y Filter) {
			if x.Match(m) != y.Match(m) {
				t.Fatalf("%s: %s and %s differ over %v", what, &x, &y, m)
			}
		}
		same("double negation", not(not(a)), a)
		same("De Morgan", not(Filter{And: []Filter{a, b}}), Filter{Or: []Filter{not(a), not(b)}})
		same("De Morgan", not(Filter{Or: []Filter{a, b}}), Filter{And: []Filter{not(a), not(b)}})
		same("order", Filter{And: []Filter{a, b}}, Filter{And: []Filter{b, a}})
		if a.Ne != nil {
			same("ne is not eq", a, not(Filter{Field: a.Field, Eq: a.Ne}))
		}
		if err := a.Validate(); err != nil {
			t.Fatal(err)
		}
		back, err := ParseFilter([]byte(a.String()))
		if err != nil {
			t.Fatalf("%s: %v", &a, err)
		}
		if back.String() != a.String() || back.Match(m) != a.Match(m) {
			t.Fatalf("%s came back as %s", &a, back)
		}
		if !slices.IsSorted(a.Fields()) {
			t.Fatalf("fields %v", a.Fields())
		}
	})
}

func FuzzParseFilter(f *testing.F) {
	for _, s := range []string{`{"field":"a","eq":"x"}`, `{"and":[{"field":"a","gte":1,"lt":2.5},{"not":{"field":"b","in":["x",true]}}]}`, `{"native":{"a":[1]}}`,
		`{"field":"a","exists":false}`, `{"or":[{"field":"id","eq":18446744073709551615}]}`, `{"field":"\u2028","eq":"\ud800"}`, `{"field":"a","eq":1e400}`, `{"not":{"not":`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseFilter([]byte(s))
		if err != nil {
			return
		}
		b, err := ParseFilter([]byte(a.String()))
		if err != nil {
			t.Fatalf("%q gives %s, which does not parse: %v", s, a, err)
		}
		if a.String() != b.String() {
			t.Fatalf("%q gives %s, then %s", s, a, b)
		}
		m := map[string]any{"a": "x", "b": []any{1, 2.5, true}, "id": uint64(math.MaxUint64)}
		if a.Match(m) != b.Match(m) {
			t.Fatal(fmt.Sprint(a, b))
		}
	})
}
