package doctest

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// anything is the wildcard of documents.
const anything = "…"

var (
	gap     = regexp.MustCompile(`\t+ *| {2,}`)
	runID   = regexp.MustCompile(`\b\d{8}-\d{6}\.\d{3}-[0-9a-f]{6}\b`)
	instant = regexp.MustCompile(`\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?Z?)?`)
	latency = regexp.MustCompile(`\b\d+(\.\d+)? ms\b`)
	stage   = regexp.MustCompile(`^(embed|search|fuse|rerank|total)( {2}\d+(\.\d+)?){3}$`)
	shift   = regexp.MustCompile(`^(p\d+)( {2}[-+]?\d+(\.\d+)?){3} \[[^]]*\]$`) // a percentile of two runs
	bounds  = regexp.MustCompile(`\bN ms \[[^]]*\]`)
	decimal = regexp.MustCompile(`-?\d+\.\d+`)
	load    = regexp.MustCompile(`^latencies were measured with up to \d+ queries at once$`)
)

// canonical is a line without what differs from run to run and from terminal to pipe; "" for a line that
// does not count.
func canonical(line string) string {
	line = gap.ReplaceAllString(strings.TrimSpace(line), "  ")
	if load.MatchString(line) { // comes and goes with the load of the machine
		return ""
	}
	line = runID.ReplaceAllString(line, "RUN")
	line = instant.ReplaceAllString(line, "TIME")
	line = latency.ReplaceAllString(line, "N ms")
	line = bounds.ReplaceAllString(line, "N ms [N, N]")
	line = shift.ReplaceAllString(line, "$1  N  N  N [N, N]")
	return stage.ReplaceAllString(line, "$1  N  N  N")
}

func canonicalLines(lines []string) []string {
	var out []string
	for _, l := range lines {
		if c := canonical(l); c != "" {
			out = append(out, c)
		}
	}
	return out
}

// Match reports whether output is what a document shows. Numbers with a decimal point may differ by near.
func Match(want, got []string, near float64) bool {
	return matchLines(canonicalLines(want), canonicalLines(got), near)
}

func matchLines(want, got []string, near float64) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if want[0] == anything {
		for skip := range len(got) + 1 {
			if matchLines(want[1:], got[skip:], near) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && matchLine(want[0], got[0], near) && matchLines(want[1:], got[1:], near)
}

// matchLine compares two canonical lines.
func matchLine(want, got string, near float64) bool {
	if near > 0 {
		got = snap(want, got, near)
	}
	parts := strings.Split(want, anything)
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(p)
	}
	return regexp.MustCompile("^" + strings.Join(parts, ".*") + "$").MatchString(got)
}

// snap replaces each decimal of got that is near its counterpart in want by that. Lines with another number
// of decimals have no counterparts.
func snap(want, got string, near float64) string {
	w := decimal.FindAllString(want, -1)
	if len(w) != len(decimal.FindAllString(got, -1)) {
		return got
	}
	n := -1
	return decimal.ReplaceAllStringFunc(got, func(s string) string {
		n++
		a, errA := strconv.ParseFloat(w[n], 64)
		b, errB := strconv.ParseFloat(s, 64)
		if errA == nil && errB == nil && math.Abs(a-b) <= near {
			return w[n]
		}
		return s
	})
}
