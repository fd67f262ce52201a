package reply

import (
	"strings"
	"unicode/utf8"
)

// Limits of the search for a loop. A loop is longer than a stutter ("ha ha ha") and covers a good part
// of what was written, so that a table or a list of equal cells is not taken for one.
const (
	searchTail = 4096 // bytes at the end of the reply that are looked at
	minTimes   = 3    // repetitions, the last one possibly cut
	minCovered = 48   // bytes covered by the loop
)

// Repetition finds the loop that a reply ends in: the shortest unit that, repeated at least three times,
// reaches the end of text (the last round may be cut). Blanks count, since a model that fills its limit
// with them is stuck too. Times is 0 when the text does not end in a loop.
func Repetition(text string) (unit string, times int) {
	tail := text
	if len(tail) > searchTail {
		tail = tail[len(tail)-searchTail:]
	}
	period := tailPeriod(tail)
	if period == 0 {
		return "", 0
	}
	covered := coveredBy(tail, period)
	if covered < minCovered || covered < minTimes*period {
		return "", 0
	}
	unit = tail[len(tail)-covered : len(tail)-covered+period]
	return strings.ToValidUTF8(unit, ""), covered / period
}

// tailPeriod is the period whose loop covers the most bytes at the end of s, the shortest on a tie:
// by the failure function of Knuth, Morris and Pratt over the reversed text, in linear time.
func tailPeriod(s string) int {
	n := len(s)
	at := func(i int) byte { return s[n-1-i] }
	fail := make([]int, n+1)
	best, bestCovered := 0, 0
	for i, k := 1, 0; i < n; i++ {
		for k > 0 && at(i) != at(k) {
			k = fail[k]
		}
		if at(i) == at(k) {
			k++
		}
		fail[i+1] = k
		// The last i+1 bytes of s have the period p.
		if p := i + 1 - k; i+1 >= minTimes*p && i+1 > bestCovered {
			best, bestCovered = p, i+1
		}
	}
	return best
}

// coveredBy is how many bytes at the end of s continue the loop of the given period.
func coveredBy(s string, period int) int {
	n := len(s)
	i := n - period - 1
	for i >= 0 && s[i] == s[i+period] {
		i--
	}
	return n - (i + 1)
}

// Shorten makes a unit of repetition fit into a message.
func Shorten(unit string) string {
	if strings.TrimSpace(unit) == "" {
		return "white space"
	}
	unit = strings.Join(strings.Fields(unit), " ")
	const limit = 60
	if len(unit) <= limit {
		return `"` + unit + `"`
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(unit[cut]) {
		cut--
	}
	return `"` + unit[:cut] + `…"`
}
