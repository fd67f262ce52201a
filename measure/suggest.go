package measure

import (
	"github.com/assay-eval/assay"
)

// unknown is the error for a name that is not in the table, with the nearest one that is. rest is what
// followed the base name, repeated in the advice.
func unknown(name, base, rest string) error {
	err := assay.Usagef("unknown measure %q", name)
	if near := Nearest(base); near != "" {
		return assay.WithHint(err, "did you mean %s%s? assay measures lists them all", near, rest)
	}
	return assay.WithHint(err, "assay measures lists them all")
}

// Nearest is the canonical name of the family whose name or alias is closest to base, or "" when none
// is close: up to a third of the letters may differ, two in a name of at least four.
func Nearest(base string) string {
	base = fold(base)
	if len(base) > 64 {
		return ""
	}
	limit := max(2, len(base)/3)
	if len(base) < 4 {
		limit = 1
	}
	best, bestName := limit+1, ""
	for _, f := range Families() {
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			if len(name) < 3 && len(base) != len(name) {
				continue // everything short is near a one-letter alias
			}
			if d := editDistance(base, fold(name)); d < best {
				best, bestName = d, f.Name
			}
		}
	}
	return bestName
}

// editDistance counts insertions, deletions, replacements and swaps of neighbours.
func editDistance(a, b string) int {
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
