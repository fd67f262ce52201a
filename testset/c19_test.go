package testset

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
)

// C19: a browser that counts in UTF-16 units would store the word "annotation" at 13–23, one that counts characters at 12–22.
// Its bytes are 15–25, and anything else is refused.
func TestEvidenceCountsBytes(t *testing.T) {
	const text = "💩This is an annotation."
	at := strings.Index(text, "annotation")
	if at != 15 {
		t.Fatalf("the word stands at byte %d", at)
	}
	label := func(start, end int, quote string) error {
		_, err := New(nil, []assay.Label{{Query: "q", Event: assay.EventGrade, Grade: 3, By: assay.ByHuman, Who: "ann",
			Target:   assay.Target{Chunk: "c", Document: "d", Version: "v", Start: 100, End: 100 + len(text), Quote: text},
			Evidence: &assay.Anchor{Document: "d", Version: "v", Start: 100 + start, End: 100 + end, Quote: quote}}})
		return err
	}
	if err := label(15, 25, "annotation"); err != nil {
		t.Errorf("the right bytes: %v", err)
	}
	for _, start := range []int{12, 13, 14, 16} {
		if err := label(start, start+10, "annotation"); err == nil || !strings.Contains(err.Error(), "offsets count bytes") {
			t.Errorf("the word at %d: %v", start, err)
		}
	}
}
