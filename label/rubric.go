package label

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/assay-eval/assay"
)

// Rubric says what a judge is to decide. It is a person's text, shown to whoever asks, and part of a judge's name: another
// rubric is another judge.
type Rubric struct {
	Name   string         `yaml:"name"`
	Grades map[int]string `yaml:"grades"` // what each grade that may be given means
	Decide string         `yaml:"decide"` // how to come to one; optional
	// Means maps the grades of the rubric to those of the test set, 0 to 3. It may be left out where the rubric's own are
	// 0 to 3.
	Means map[int]assay.Grade `yaml:"means"`
}

// Umbrela is the default: the scale of TREC's deep learning tracks with the criteria of UMBRELA (Upadhyay et al., arXiv
// 2406.06519), which go back to Thomas et al. (arXiv 2309.10621), in words of our own.
var Umbrela = Rubric{
	Name: "umbrela",
	Grades: map[int]string{
		0: "The passage has nothing to do with the query.",
		1: "The passage is on the subject of the query, but does not answer it.",
		2: "The passage answers the query in part, or the answer is unclear or lost among other things.",
		3: "The passage is about what the query asks and holds the exact answer.",
	},
	Decide: `First think of what a person who types this query most likely wants to know.
Weigh how well the content of the passage meets that, and how far the passage can be trusted.
Sharing words with the query is no merit. When two grades seem possible, give the lower one.`,
}

// Binary asks for relevant or not, which small models decide more reliably than four grades.
var Binary = Rubric{
	Name: "binary",
	Grades: map[int]string{
		0: "The passage does not contain an answer to the query.",
		1: "The passage contains an answer to the query, or an important part of one.",
	},
	Decide: `First think of what a person who types this query most likely wants to know.
A passage that is only on the same subject, or only shares words with the query, gets 0.`,
	Means: map[int]assay.Grade{0: 0, 1: assay.MaxGrade},
}

// maxRubric bounds a rubric file in bytes; a longer one would fill the window of a small model.
const maxRubric = 16 << 10

// LoadRubric finds a rubric by name, or reads one from a YAML file with the keys name, grades, decide and means.
func LoadRubric(ref string) (Rubric, error) {
	switch ref {
	case "", Umbrela.Name:
		return Umbrela, nil
	case Binary.Name:
		return Binary, nil
	}
	data, err := os.ReadFile(ref)
	if err != nil {
		return Rubric{}, assay.WithHint(assay.Usagef("judge.rubric: %w", err), "use umbrela, binary, or a YAML file with the keys name, grades, decide and means")
	}
	r, err := ParseRubric(data)
	if err != nil {
		return r, assay.WithHint(assay.Usagef("rubric %s: %w", ref, err),
			"a rubric is YAML such as: {name: strict, grades: {0: \"no answer\", 1: \"an answer\"}, means: {0: 0, 1: 3}}")
	}
	return r, nil
}

var rubricName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$`)

// ParseRubric reads a rubric file.
func ParseRubric(data []byte) (Rubric, error) {
	var r Rubric
	if len(data) > maxRubric {
		return r, fmt.Errorf("it is %d bytes long, more than %d", len(data), maxRubric)
	}
	if err := yaml.UnmarshalWithOptions(data, &r, yaml.Strict()); err != nil {
		return r, errors.New(yaml.FormatError(err, false, false))
	}
	if !rubricName.MatchString(r.Name) {
		return r, fmt.Errorf("name %q: give it a short name of letters, digits, dots and dashes", r.Name)
	}
	if len(r.Grades) < 2 || len(r.Grades) > 10 {
		return r, fmt.Errorf("it has %d grades; a scale has 2 to 10", len(r.Grades))
	}
	for _, g := range r.scale() {
		if g < 0 || g > 9 {
			return r, fmt.Errorf("grade %d: a grade is one digit, 0 to 9", g)
		}
		if strings.TrimSpace(r.Grades[g]) == "" {
			return r, fmt.Errorf("grade %d is not explained", g)
		}
		if m, ok := r.mean(g); !ok || m < 0 || m > assay.MaxGrade {
			return r, fmt.Errorf("means does not say which of 0 to %d the grade %d is", assay.MaxGrade, g)
		}
	}
	for g := range r.Means {
		if _, ok := r.Grades[g]; !ok {
			return r, fmt.Errorf("means speaks of a grade %d that grades does not have", g)
		}
	}
	return r, nil
}

// scale lists the grades of the rubric, ascending.
func (r *Rubric) scale() []int { return slices.Sorted(maps.Keys(r.Grades)) }

// mean is what a grade of the rubric is on the scale of the test set.
func (r *Rubric) mean(given int) (assay.Grade, bool) {
	if r.Means == nil {
		return given, given >= 0 && given <= assay.MaxGrade
	}
	g, ok := r.Means[given]
	return g, ok
}

// own reports whether the rubric's scale is that of the test set, so that there is no other grade to remember.
func (r *Rubric) own() bool {
	for _, g := range r.scale() {
		if m, _ := r.mean(g); m != g {
			return false
		}
	}
	return true
}
