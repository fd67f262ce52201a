// Package nearest finds the valid name that somebody who mistyped one most likely meant.
package nearest

import (
	"fmt"
	"strings"
)

// Name is the valid name closest to the given one, or "" when none is close enough to be a typing
// mistake: at most a third of the letters differ, capitals aside.
func Name(given string, valid []string) string {
	best, bestDist := "", len(given)/3+2
	for _, v := range valid {
		if d := distance(strings.ToLower(given), strings.ToLower(v)); d < bestDist {
			best, bestDist = v, d
		}
	}
	return best
}

// Suggest renders Name as the tail of an error message: `; did you mean "k"?`, else the valid names.
func Suggest(given string, valid []string) string {
	if n := Name(given, valid); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	if len(valid) == 0 {
		return ""
	}
	const most = 20
	if len(valid) > most {
		return fmt.Sprintf(" (known: %s, …)", strings.Join(valid[:most], ", "))
	}
	return fmt.Sprintf(" (known: %s)", strings.Join(valid, ", "))
}

// distance is the Damerau-Levenshtein distance with adjacent transpositions, over bytes, which is enough
// for names of ours.
func distance(a, b string) int {
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
