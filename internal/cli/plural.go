package cli

import (
	"cmp"
	"fmt"
)

// plural is a count with the right form of its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// orDash marks what is not known.
func orDash(s string) string { return cmp.Or(s, "-") }
