package testset

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// gradeScale is the one scale on which qrels are written: that which the labels came on, else 0 and 1 where that says all,
// else assay's own.
type gradeScale struct {
	like    map[assay.Grade]float64 // the grade of the foreign scale for each of assay's
	means   map[float64]assay.Grade // what each grade of the foreign scale means
	given   bool                    // every label knows the grade it was imported with, or like says which one is its like
	binary  bool                    // every label says relevant or not, and no more
	foreign int                     // labels that came with a grade

	own, turned int // labels written on assay's scale, and on the scale of others
}

// commonScale looks for the scale that all labels can be written on.
func commonScale(queries []exportQuery) gradeScale {
	s := gradeScale{binary: true}
	var all []exportLabel
	for i := range queries {
		all = append(all, queries[i].labels...)
	}
	for i := range all {
		if all[i].Given != nil {
			s.foreign++
		}
		s.binary = s.binary && saysBinary(all[i].Label)
	}
	s.like, s.means, s.given = inverse(all, s.foreign, s.binary)
	return s
}

// silent reports whether an import without a map would read the scale without complaint, and wrongly.
func (s *gradeScale) silent() bool {
	differs := false
	for given, grade := range s.means {
		plain, ok := Scale(nil).grade(given)
		if !ok && given >= 0 {
			return false // import asks for the map
		}
		differs = differs || plain != grade || given < 0
	}
	return s.given && differs
}

// saysBinary reports whether a label says what a plain 0 or 1 says on import.
func saysBinary(l *assay.Label) bool {
	switch l.Grade {
	case 0:
		return l.Given == nil || *l.Given == 0
	case assay.MaxGrade:
		return l.Given == nil || *l.Given == 1
	}
	return false
}

// inverse is the grade of the foreign scale for each of assay's, where the labels that came on a scale agree on one and
// every other label finds its grade there. ok is false where one file could not hold them all.
func inverse(all []exportLabel, foreign int, binary bool) (like map[assay.Grade]float64, means map[float64]assay.Grade, ok bool) {
	if foreign == 0 || foreign < len(all) && binary {
		return nil, nil, false
	}
	like = map[assay.Grade]float64{}
	agree := true
	for i := range all {
		l := all[i].Label
		if l.Given == nil {
			continue
		}
		if other, known := like[l.Grade]; known && other != *l.Given {
			agree = false
		}
		like[l.Grade] = *l.Given
	}
	means = map[float64]assay.Grade{}
	for i := range all {
		l := all[i].Label
		if l.Given == nil {
			continue
		}
		if other, known := means[*l.Given]; known && other != l.Grade {
			return nil, nil, false // no map reads that again
		}
		means[*l.Given] = l.Grade
	}
	if foreign == len(all) {
		return like, means, true // nothing has to be turned around
	}
	if _, known := means[0]; !known {
		if _, known := like[0]; !known {
			like[0], means[0] = 0, 0 // as a map says that says nothing of it
		}
	}
	for i := range all {
		if _, known := like[all[i].Grade]; !known || !agree {
			return nil, nil, false
		}
	}
	return like, means, true
}

// grade renders a grade on the scale, and counts it.
func (s *gradeScale) grade(l *exportLabel) string {
	switch {
	case s.given && l.Given != nil:
		return formatGrade(*l.Given)
	case s.given:
		s.turned++
		return formatGrade(s.like[l.Grade])
	case s.binary:
		return fmt.Sprint(min(l.Grade, 1))
	}
	s.own++
	return fmt.Sprint(l.Grade)
}

// mapping is the argument of --map that reads the scale.
func (s *gradeScale) mapping() string {
	var parts []string
	for _, given := range slices.SortedFunc(maps.Keys(s.means), func(a, b float64) int {
		return cmp.Or(cmp.Compare(s.means[a], s.means[b]), cmp.Compare(a, b))
	}) {
		if grade := s.means[given]; given != 0 || grade != 0 {
			parts = append(parts, fmt.Sprintf("%s=%d", formatGrade(given), grade))
		}
	}
	return strings.Join(parts, ",")
}
