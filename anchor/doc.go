// Package anchor ties labels to text. An anchor is a verbatim quote with its byte span and a little
// context; this package makes anchors, finds quotes that a person or a model gave, finds an anchor again
// after its document was edited, and says how much of a labelled span a retrieved chunk covers.
//
// It is opinionated about three things. Offsets are bytes of the canonical text, half open, never
// characters or tokens, and spans that only touch do not overlap. A quote that occurs more than once is
// never settled by taking the first occurrence: context decides, or the answer is "ambiguous". And a
// span whose bytes differ from its quote is refused, because a label that points at the wrong text makes
// every number after it wrong without anyone noticing.
package anchor
