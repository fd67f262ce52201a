package anchor

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
)

// A part of a document that knows what stands around it anchors as the document does, at places that count from the part.
func TestWithinIsAtOfTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runes := []rune(rapid.StringOfN(rapid.SampledFrom([]rune("aü漢 \n")), 1, 120, -1).Draw(t, "document"))
		cut := func(name string, from int) int { return rapid.IntRange(from, len(runes)).Draw(t, name) }
		from := cut("from", 0)
		start := cut("start", from)
		end := cut("end", start)
		to := cut("to", end)
		at := func(i int) int { return len(string(runes[:i])) }
		doc, part := string(runes), string(runes[from:to])
		before, after := Around(doc, assay.Span{Start: at(from), End: at(to)})
		got, err := Within(before, part, after, assay.Span{Start: at(start) - at(from), End: at(end) - at(from)})
		want, wantErr := At(doc, assay.Span{Start: at(start), End: at(end)})
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%v and %v", err, wantErr)
		}
		if err != nil {
			return
		}
		want.Start, want.End = want.Start-at(from), want.End-at(from)
		if got != want {
			t.Errorf("got %+v\nwant %+v", got, want)
		}
	})
}

func TestWithinRefuses(t *testing.T) {
	for _, span := range []assay.Span{{Start: -1, End: 2}, {Start: 1, End: 9}, {Start: 2, End: 1}, {Start: 1, End: 1}, {Start: 1, End: 2}} {
		if a, err := Within("before ", "aüb", " after", span); err == nil {
			t.Errorf("%v: %+v", span, a)
		}
	}
}
