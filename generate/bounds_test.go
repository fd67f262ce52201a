package generate

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
)

// TestLongestRun compares the table of one row with the definition.
func TestLongestRun(t *testing.T) {
	word := rapid.SampledFrom([]string{"a", "b", "c"})
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.SliceOfN(word, 0, 9).Draw(t, "a"), rapid.SliceOfN(word, 0, 9).Draw(t, "b")
		want := 0
		for i := range a {
			for j := range b {
				n := 0
				for i+n < len(a) && j+n < len(b) && a[i+n] == b[j+n] {
					n++
				}
				want = max(want, n)
			}
		}
		if got := longestRun(a, b); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	})
}

// TestBounds fixes the figures that the documentation gives, on both sides of each.
func TestBounds(t *testing.T) {
	for refused, idle := range map[int]bool{3: true, 4: true, 6: false} { // of 100
		r := Report{Rules: []RuleCount{{Rule: "copy", Seen: 100, Refused: refused}}}
		if got := len(r.YieldWarnings()) > 0; got != idle {
			t.Errorf("%d of 100 refused warns: %v", refused, got)
		}
	}
	half := strings.Repeat("word 1234 ", 40) // half of the characters are letters
	if got := Ineligible(&assay.Chunk{Text: half}, 12); got != "not prose" {
		t.Errorf("half of it digits: %q", got)
	}
	if temperature(0) != 0 || temperature(1) <= 0 {
		t.Errorf("temperatures %v and %v: further questions would be the first one", temperature(0), temperature(1))
	}
	if replyTokens > 1000 {
		t.Errorf("a model that repeats itself may write %d tokens", replyTokens)
	}
}

// TestCopyOfTheTitle: the writer sees the title, so that copying it is copying.
func TestCopyOfTheTitle(t *testing.T) {
	c := Candidate{Question: "When do two keys open the red door?", Chunk: assay.Chunk{Title: "How two keys open the red door", Text: "Turn both."}}
	why, err := RuleCopy().Check(t.Context(), &c)
	if err != nil || !strings.Contains(why, fmt.Sprintf("copies %d words", 6)) {
		t.Errorf("%q, %v", why, err)
	}
}
