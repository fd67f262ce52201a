package anchor

import (
	"strings"

	"github.com/assay-eval/assay"
)

// Method is how a quote was found, from the surest to the least sure.
type Method string

// The methods of Find.
const (
	Exact      Method = "exact"      // byte for byte
	Normalised Method = "normalised" // equal after Fold
	Fuzzy      Method = "fuzzy"      // few edits after Fold
)

// FuzzyThreshold is the least similarity at which Find accepts a quote that is not verbatim. It lets
// through a dropped comma or a corrected typing error; at 0.9 a model's paraphrase begins to pass.
const FuzzyThreshold = 0.95

// Match is where a quote was found.
type Match struct {
	Span       assay.Span // in the original text, at rune boundaries
	Method     Method
	Similarity float64 // 1 − edits ÷ bytes of the folded quote; 1 unless fuzzy
	Unique     bool    // no other place matches by the same method
}

// Find looks for a quote in a text: exactly, else folded, else with few edits, and stops at the first
// method that finds it. The first place is returned where there are several, with Unique false. A blank
// quote is found nowhere.
//
// The fuzzy search costs one pass over the text plus at most a fixed number of steps, whatever the sizes;
// where those run out, places not looked at count as not found and the match found so far as not unique.
func Find(text, quote string) (Match, bool) {
	if strings.TrimSpace(quote) == "" {
		return Match{}, false
	}
	if spans := occurrences(text, quote, 2); len(spans) > 0 {
		return Match{spans[0], Exact, 1, len(spans) == 1}, true
	}
	doc, q := Fold(text), foldQuote(quote)
	if q == "" {
		return Match{}, false
	}
	if spans := occurrences(doc.text, q, 2); len(spans) > 0 {
		return Match{doc.Original(spans[0]), Normalised, 1, len(spans) == 1}, true
	}
	return findFuzzy(doc, q, FuzzyThreshold)
}

// foldQuote folds a quote; white space at its ends never matters.
func foldQuote(quote string) string { return strings.Trim(Fold(quote).text, " ") }

// occurrences lists the places of quote in text, overlapping ones included, up to limit.
func occurrences(text, quote string, limit int) []assay.Span {
	var out []assay.Span
	for at := 0; len(out) < limit; {
		i := strings.Index(text[at:], quote)
		if i < 0 {
			break
		}
		start := at + i
		out = append(out, assay.Span{Start: start, End: start + len(quote)})
		at = start + 1
	}
	return out
}

// findFuzzy looks for the best match of a folded quote at or above a similarity.
func findFuzzy(doc *Folded, quote string, threshold float64) (Match, bool) {
	m := len(quote)
	edits := int(float64(m)*(1-threshold) + 1e-9)
	if edits == 0 {
		return Match{}, false
	}
	best, places := searchRegions(doc.text, quote, edits)
	if places == 0 {
		return Match{}, false
	}
	span := assay.Span{Start: ceilRune(doc.text, best.start), End: best.end}
	for !onRune(doc.text, span.End) {
		span.End++
	}
	for span.Start < span.End && doc.text[span.Start] == ' ' {
		span.Start++
	}
	for span.End > span.Start && doc.text[span.End-1] == ' ' {
		span.End--
	}
	if span.Empty() {
		return Match{}, false
	}
	sim := 1 - float64(best.edits)/float64(m)
	return Match{doc.Original(span), Fuzzy, sim, places == 1}, true
}
