package session

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay"
)

// Options decide what is handed out, and in which order.
type Options struct {
	Seed    uint64
	Second  float64 // share of the items that two people judge, in [0,1]; beside it every item on which person and judge differ
	Repeats float64 // share of a rater's items that are asked again, hidden among the others, in [0,0.5]
	Gold    float64 // share of a rater's items whose adjudicated grade is known, hidden among the others, in [0,0.5]
	// Adjudicate hands out only what people disagree on, with what they said, and stores the answers as adjudications.
	Adjudicate bool
	// Idle is how long an item stays with a rater who is silent before somebody else may get it; 0 means DefaultIdle.
	Idle time.Duration
	// Now is the clock of events and of silence; nil means time.Now.
	Now func() time.Time
}

// Check refuses shares that are none.
func (o *Options) Check() error {
	for _, s := range []struct {
		name  string
		value float64
		most  float64
	}{{"second", o.Second, 1}, {"repeats", o.Repeats, 0.5}, {"gold", o.Gold, 0.5}} {
		if !(s.value >= 0 && s.value <= s.most) {
			return assay.Usagef("%s %v: it is a share from 0 to %v", s.name, s.value, s.most)
		}
	}
	if o.Idle < 0 {
		return assay.Usagef("idle %v: it is no time to wait", o.Idle)
	}
	return nil
}

// maxName bounds the name of a rater in characters.
const maxName = 64

// CheckName refuses a name that cannot stand in the label file for one person.
func CheckName(who string) error {
	switch {
	case strings.TrimSpace(who) == "":
		return assay.Usagef("whose judgments are these? A name is needed")
	case who != strings.TrimSpace(who) || !utf8.ValidString(who) || strings.ContainsFunc(who, unicode.IsControl):
		return assay.Usagef("the name %q has blanks at an end or characters that cannot be seen", who)
	case utf8.RuneCountInString(who) > maxName:
		return assay.Usagef("the name is longer than %d characters", maxName)
	case who == assay.Adjudicated:
		return assay.Usagef("the name %q stands for settled disagreements: use your own", who)
	}
	return nil
}
