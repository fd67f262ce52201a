package measure

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Family is a row of the table: a definition and how to make one of its measures.
type Family struct {
	Definition
	// New makes the scoring function for parsed arguments. It refuses arguments that make no sense; the
	// kind of cutoff and the ranges of parameters are checked before.
	New func(Args) (func(*Topic) (v float64, ok bool), error)

	build     func(Args) evalFunc // built-in families work on the prepared topic instead
	takesGain bool                // accepts grade=gain pairs
	takesList bool                // accepts at=x/y/z
}

// Args are the parsed arguments of a name: what stands in its parentheses and after its @.
type Args struct {
	K        int                // rank cutoff; 0 means the whole ranking
	Tokens   int                // token budget; 0 means none
	At       float64            // recall level or multiple of R
	Level    float64            // relevance level given as rel=, meaningful when HasLevel
	HasLevel bool               // a level was given; otherwise the topic's counts
	Gains    []Gained           // gains given as grade=gain, ascending by grade
	List     []float64          // recall levels given as at=
	Params   map[string]float64 // named parameters; Value fills in defaults

	hasAt bool
}

// Gained replaces the gain of one grade.
type Gained struct {
	Grade int
	Gain  float64
}

// Value is the value of a named parameter, its default if the name did not give it.
func (a Args) Value(param string) float64 { return a.Params[param] }

// level gives the binary view the arguments ask for.
func (a *Args) level(v *view) *levelView {
	if a.HasLevel {
		return v.at(a.Level)
	}
	return v.at(v.Topic.level())
}

// table is the registry. Names and aliases are looked up folded (see fold).
var table = struct {
	sync.RWMutex
	families []*Family
	byName   map[string]*Family
}{byName: map[string]*Family{}}

func init() {
	for _, f := range builtin() {
		if err := Register(f); err != nil {
			panic(err) // a clash in the built-in table, found by any test
		}
	}
}

// Register adds a family to the table, for instance from an init function of a program that embeds
// assay. Its name is lower case letters, digits and _, beginning with a letter or digit; a name or alias
// that is taken is an error.
func Register(f Family) error {
	if f.New == nil && f.build == nil {
		return errors.New("measure.Register: New is nil")
	}
	if f.Name == "" || strings.Trim(f.Name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || f.Name[0] == '_' {
		return fmt.Errorf("measure.Register: name %q is not made of a-z, 0-9 and _", f.Name)
	}
	if !(f.Range.Min <= f.Range.Max) {
		return fmt.Errorf("measure.Register: range of %s is empty", f.Name)
	}
	table.Lock()
	defer table.Unlock()
	var keys []string
	for _, name := range append([]string{f.Name}, f.Aliases...) {
		key := fold(name)
		if other := table.byName[key]; other != nil {
			return fmt.Errorf("measure.Register: %s of %s is taken by %s", name, f.Name, other.Name)
		}
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		table.byName[key] = &f
	}
	table.families = append(table.families, &f)
	return nil
}

// Families lists the table: the built-in families in the order of the documentation, then those
// registered, in their order.
func Families() []*Family {
	table.RLock()
	defer table.RUnlock()
	return slices.Clone(table.families)
}

// Describe is the definition of a family by its name or an alias, without arguments; nil if there is none.
func Describe(name string) *Definition {
	if f := lookup(name); f != nil {
		return &f.Definition
	}
	return nil
}

// lookup finds a family by its name or an alias.
func lookup(name string) *Family {
	table.RLock()
	defer table.RUnlock()
	return table.byName[fold(name)]
}

// fold makes spellings comparable: ASCII lower case, - and blanks as _. The length stays.
func fold(name string) string {
	out := []byte(name)
	for i, c := range out {
		switch {
		case 'A' <= c && c <= 'Z':
			out[i] = c + 'a' - 'A'
		case c == '-' || c == ' ':
			out[i] = '_'
		}
	}
	return string(out)
}
