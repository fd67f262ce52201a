package cli

import (
	"cmp"

	count "github.com/assay-eval/assay/internal/plural"
)

// plural is a count with the right form of its noun.
func plural(n int, one, many string) string { return count.Count(n, one, many) }

// orDash marks what is not known.
func orDash(s string) string { return cmp.Or(s, "-") }
