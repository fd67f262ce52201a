package assay

import "fmt"

// Span is a half-open byte range [Start, End) in a document's canonical text.
// The zero Span is empty. Touching spans do not overlap.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Len is the number of bytes covered; 0 for an empty or inverted span.
func (s Span) Len() int { return max(0, s.End-s.Start) }

// Empty reports whether the span covers no byte.
func (s Span) Empty() bool { return s.End <= s.Start }

// Overlap is the part common to both spans, in bytes.
func (s Span) Overlap(t Span) int { return max(0, min(s.End, t.End)-max(s.Start, t.Start)) }

// Contains reports whether t lies wholly inside s. An empty t is contained nowhere.
func (s Span) Contains(t Span) bool { return !t.Empty() && s.Start <= t.Start && t.End <= s.End }

// In returns the bytes of text that the span names, or an error if the span does not fit in text.
func (s Span) In(text string) (string, error) {
	if s.Start < 0 || s.End < s.Start || s.End > len(text) {
		return "", fmt.Errorf("span %s does not fit in a text of %d bytes", s, len(text))
	}
	return text[s.Start:s.End], nil
}

// String renders the span as "start-end", the form used in chunk ids.
func (s Span) String() string { return fmt.Sprintf("%d-%d", s.Start, s.End) }
