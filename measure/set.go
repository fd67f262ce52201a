package measure

import (
	"fmt"
	"math"
)

// Set is a list of measures that are scored together: each topic is prepared once. It is safe for
// concurrent use.
type Set struct {
	measures []Measure
}

// NewSet makes a Set. Two measures of one name are refused: their columns could not be told apart.
func NewSet(measures ...Measure) (*Set, error) {
	seen := map[string]bool{}
	for _, m := range measures {
		if seen[m.Name()] {
			return nil, fmt.Errorf("measure %s is given twice", m.Name())
		}
		seen[m.Name()] = true
	}
	return &Set{measures: measures}, nil
}

// Measures lists the measures in the order of the columns.
func (s *Set) Measures() []Measure { return s.measures }

// Names lists the canonical names in the order of the columns.
func (s *Set) Names() []string {
	names := make([]string, len(s.measures))
	for i, m := range s.measures {
		names[i] = m.Name()
	}
	return names
}

// Score appends the value of every measure for one topic to dst and returns it, one per measure in
// their order, NaN where a measure is undefined for the topic. It does not allocate beyond dst.
func (s *Set) Score(t *Topic, dst []float64) []float64 {
	v := newView(t)
	defer v.release()
	for _, m := range s.measures {
		var x float64
		var ok bool
		if b, is := m.(*measure); is && b.eval != nil {
			x, ok = b.eval(v)
		} else {
			x, ok = m.Value(t)
		}
		if !ok {
			x = math.NaN()
		}
		dst = append(dst, x)
	}
	return dst
}
