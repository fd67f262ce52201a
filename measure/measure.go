package measure

import (
	"strconv"
	"strings"
)

// Measure gives one number per query. The built-in ones come from Parse; a caller may bring any other
// type, and Set, Mean and everything downstream treat it alike. A Measure is safe for concurrent use.
type Measure interface {
	// Name is the canonical spelling, unique among the measures of a run: "ndcg@10".
	Name() string
	// Definition describes the family. It is shared: callers do not change it.
	Definition() *Definition
	// Value scores one topic. ok is false where the measure is undefined for it (recall without a
	// relevant item); v is then 0, which is what trec_eval prints.
	Value(t *Topic) (v float64, ok bool)
}

// Depth is how many ranks a measure looks at, as its name says; ok is false where it looks at all of them, or at a part that is no
// number of ranks.
func Depth(m Measure) (k int, ok bool) {
	name := m.Name()
	switch at := strings.LastIndexByte(name, '@'); m.Definition().Cutoff {
	case OptionalRank, RankCutoff, SpanCutoff: // that of a span may be a number of tokens
		k, err := strconv.Atoi(name[at+1:])
		return k, at >= 0 && err == nil
	}
	return 0, false
}

// Func makes a measure of one's own from a definition and a function, for use in a program. To have it
// parsed from names too, Register a Family. The name is the definition's.
func Func(def Definition, value func(*Topic) (v float64, ok bool)) Measure {
	return &measure{name: def.Name, def: &def, user: value}
}

// evalFunc scores a prepared topic.
type evalFunc func(v *view) (float64, bool)

// measure is the Measure that Parse and Func return.
type measure struct {
	name string
	def  *Definition
	eval evalFunc                     // built-in
	user func(*Topic) (float64, bool) // from Func or Register
}

func (m *measure) Name() string            { return m.name }
func (m *measure) Definition() *Definition { return m.def }
func (m *measure) String() string          { return m.name }

func (m *measure) Value(t *Topic) (float64, bool) {
	if m.user != nil {
		return m.user(t)
	}
	v := newView(t)
	defer v.release()
	return m.eval(v)
}

// Ceiling is the value of the best ranking that t's labels allow: 0.25 for recall@1 with four relevant
// items. Print it beside a value whenever it is below the top of the range.
func Ceiling(m Measure, t *Topic) (v float64, ok bool) { return m.Value(t.Ideal()) }

// Bounds is the interval that unjudged items leave open: low counts them as not relevant, which is what
// Value does, high counts each as relevant at the highest grade, in the ranking and among the gold items.
// No other judgment of them gives p, recall, success, mrr or dcg a value outside. The denominators of
// ndcg and map grow with every item found relevant, so for these high is one assumption, not a limit;
// it is still never reported below low.
func Bounds(m Measure, t *Topic) (low, high float64, ok bool) {
	low, ok = m.Value(t)
	high, okHigh := m.Value(t.Optimistic())
	if !ok && !okHigh {
		return 0, 0, false
	}
	return min(low, high), max(low, high), true
}
