package anchor_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestC19SpanMustHoldItsQuote: an emoji before the quote shifts bytes, characters and UTF-16 units
// differently; only the byte span is accepted.
func TestC19SpanMustHoldItsQuote(t *testing.T) {
	doc := &assay.Document{ID: "a.md", Text: "💩This is an annotation."}
	m, ok := anchor.Find(doc.Text, "annotation")
	if !ok || m.Span != (assay.Span{Start: 15, End: 25}) {
		t.Fatalf("found %+v, %v; want bytes 15-25", m, ok)
	}
	a, err := anchor.New(doc, m.Span)
	if err != nil {
		t.Fatal(err)
	}
	want := assay.Anchor{Document: "a.md", Version: assay.HashText(doc.Text), Start: 15, End: 25,
		Quote: "annotation", Before: "💩This is an ", After: "."}
	if diff := cmp.Diff(want, a); diff != "" {
		t.Error(diff)
	}
	if err := anchor.Verify(&a, doc.Text); err != nil {
		t.Error(err)
	}
	for name, span := range map[string]assay.Span{
		"characters": {Start: 12, End: 22}, "UTF-16": {Start: 13, End: 23}, "beyond": {Start: 20, End: 30},
		"inverted": {Start: 25, End: 15}, "negative": {Start: -1, End: 9},
	} {
		bad := a
		bad.Start, bad.End = span.Start, span.End
		if err := anchor.Verify(&bad, doc.Text); err == nil || assay.Hint(err) == "" || !strings.Contains(err.Error(), "a.md") {
			t.Errorf("%s: Verify says %v (hint %q)", name, err, assay.Hint(err))
		}
		if r, err := anchor.Relocate(bad, doc.Text); err == nil {
			t.Errorf("%s: Relocate accepts a span that does not hold its quote: %+v", name, r)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	doc := &assay.Document{ID: "d", Text: "a💩b"}
	for _, span := range []assay.Span{{Start: 1, End: 1}, {Start: 0, End: 7}, {Start: 2, End: 5}, {Start: 0, End: 3}, {Start: -1, End: 1}} {
		if a, err := anchor.New(doc, span); err == nil {
			t.Errorf("span %s gave %+v", span, a)
		}
	}
}

// text draws texts with repeats, white space of every kind and characters of every width.
func text(label string) *rapid.Generator[string] {
	word := rapid.SampledFrom([]string{
		"backup", "keep", "30", "days", "a", ".", "“quoted”", "—", "…", "💩", "é", "备份", "\n", "\r\n", "  ", "\u00a0",
		"\u00ad", "ﬁ", "# ", "`code`", "\t",
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(word, 0, 60).Draw(t, label), rapid.SampledFrom([]string{"", " "}).Draw(t, "sep"))
	})
}

// span draws a non-empty span of s at rune boundaries; s must not be empty.
func span(t *rapid.T, s string) assay.Span {
	var cuts []int
	for i := range s {
		cuts = append(cuts, i)
	}
	cuts = append(cuts, len(s))
	i := rapid.IntRange(0, len(cuts)-2).Draw(t, "start")
	j := rapid.IntRange(i+1, len(cuts)-1).Draw(t, "end")
	return assay.Span{Start: cuts[i], End: cuts[j]}
}

func TestAnchorsHoldTheirText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := &assay.Document{ID: "d", Text: text("text").Filter(func(s string) bool { return s != "" }).Draw(t, "doc")}
		s := span(t, doc.Text)
		a, err := anchor.New(doc, s)
		if err != nil {
			t.Fatal(err)
		}
		if err := anchor.Verify(&a, doc.Text); err != nil {
			t.Fatal(err)
		}
		around := a.Before + a.Quote + a.After
		if doc.Text[a.Start-len(a.Before):a.End+len(a.After)] != around || !utf8.ValidString(around) {
			t.Fatalf("context %q", around)
		}
		if len(a.Before) > anchor.ContextBytes || len(a.After) > anchor.ContextBytes {
			t.Fatalf("context of %d and %d bytes", len(a.Before), len(a.After))
		}
		if r, err := anchor.Relocate(a, doc.Text); err != nil || r.Status != anchor.Kept || r.Anchor != a {
			t.Fatalf("relocated in its own text: %+v, %v", r, err)
		}
	})
}
