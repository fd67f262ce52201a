// Package plural counts things in English, so that no message speaks of "1 queries".
package plural

import (
	"strconv"
	"strings"
)

// Count renders a number with its noun: "1 query", "2 queries". The plural is that of the last word, unless it
// is given.
func Count(n int, noun string, plural ...string) string {
	switch {
	case n == 1:
	case len(plural) > 0:
		noun = plural[0]
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ay") && !strings.HasSuffix(noun, "ey") && !strings.HasSuffix(noun, "oy"):
		noun = strings.TrimSuffix(noun, "y") + "ies"
	default:
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
