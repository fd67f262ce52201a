package score

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// shown is how many ids a message shows of each side.
const shown = 5

// sample keeps the first few different ids.
type sample []string

func (s *sample) add(id string) {
	if len(*s) < shown && !slices.Contains(*s, id) {
		*s = append(*s, id)
	}
}

func (s *sample) addAll(ids map[string]assay.Grade) {
	if len(*s) >= shown {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		s.add(id)
	}
}

func (s sample) String() string {
	if len(s) == 0 {
		return "(none)"
	}
	quoted := make([]string, len(s))
	for i, id := range s {
		quoted[i] = fmt.Sprintf("%q", id)
	}
	return strings.Join(quoted, ", ")
}
