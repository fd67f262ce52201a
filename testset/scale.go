package testset

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
)

// Scale maps the grades of a foreign scale to assay's 0 to 3. A nil Scale takes binary grades only: 0 is
// 0 and 1 is 3.
type Scale map[float64]assay.Grade

// ParseScale reads the form of --map: "1=2,2=3". Grade 0 means 0 unless it is mapped. The word "same"
// stands for 0=0,1=1,2=2,3=3.
func ParseScale(text string) (Scale, error) {
	if strings.TrimSpace(text) == "same" {
		return Scale{0: 0, 1: 1, 2: 2, 3: 3}, nil
	}
	s := Scale{}
	for part := range strings.SplitSeq(text, ",") {
		from, to, ok := strings.Cut(part, "=")
		f, err := numberOf(strings.TrimSpace(from))
		g, err2 := strconv.Atoi(strings.TrimSpace(to))
		if !ok || err != nil || err2 != nil {
			return nil, assay.WithHint(assay.Usagef("cannot read %q in the grade map %q", part, text),
				"write a given=grade pair for every grade there is, ranges are not read: --map 1=2,2=3 or --map=-2=0,0.5=1,1=3")
		}
		if g < 0 || g > assay.MaxGrade {
			return nil, assay.Usagef("the grade map %q maps to %d, outside 0 to %d", text, g, assay.MaxGrade)
		}
		if old, ok := s[*f]; ok && old != g {
			return nil, assay.Usagef("the grade map %q maps %s twice, to %d and to %d", text, formatGrade(*f), old, g)
		}
		s[*f] = g
	}
	if _, ok := s[0]; !ok {
		s[0] = 0
	}
	return s, nil
}

// grade maps one given grade.
func (s Scale) grade(given float64) (assay.Grade, bool) {
	if s == nil {
		return map[float64]assay.Grade{0: 0, 1: assay.MaxGrade}[given], given == 0 || given == 1
	}
	g, ok := s[given]
	return g, ok
}

// check refuses given grades that the scale does not cover, all of them at once, with the place of the first. Negative
// grades that it does not cover mark pooled but unjudged documents in TREC files; they are dropped before.
func (s Scale) check(counts map[float64]*given) error {
	var bad []float64
	var seen []string
	for _, g := range slices.Sorted(maps.Keys(counts)) {
		seen = append(seen, fmt.Sprintf("%s (%s)", formatGrade(g), plural.Count(counts[g].labels, "label")))
		if _, ok := s.grade(g); !ok {
			bad = append(bad, g)
		}
	}
	if len(bad) == 0 {
		return nil
	}
	if more := len(seen) - maxProblems; more > 0 {
		seen = append(seen[:maxProblems], fmt.Sprintf("and %d more", more))
	}
	refuse := func(format string, args ...any) error {
		return assay.Classify(assay.Errorf(assay.KindInvalid, "", counts[bad[0]].first, format, args...), assay.ErrUsage)
	}
	const meaning = "0 not relevant, 1 related but no answer, 2 answers in part, 3 answers"
	if s != nil {
		return assay.WithHint(refuse("the grade map does not say what grade %s means; the input holds grades %s", formatGrade(bad[0]), strings.Join(seen, ", ")),
			"name every grade in --map; assay's are: %s", meaning)
	}
	return assay.WithHint(refuse("the input grades on a scale of its own: %s", strings.Join(seen, ", ")),
		"say what each grade means, for instance --map 1=2,2=3 (or --map same); assay's are: %s", meaning)
}

func formatGrade(g float64) string { return strconv.FormatFloat(g, 'g', -1, 64) }
