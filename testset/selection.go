package testset

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// Selection picks queries by what is stored with them. A zero field picks all; of a list, one value must
// match, and of several fields, each.
type Selection struct {
	Tags      []string
	Styles    []string // forms that were asked for, see assay.Origin
	Methods   []string // llm, known-item, import, add
	Languages []string
	Document  string // source document, or the beginning of its id
	Text      string // part of the query's text, without regard to case
	Filtered  *bool  // sent with a filter, or without
	// Leakage of the query from its source; a query whose leakage is not known is picked by neither bound.
	MinCoverage *float64 // least share of its content words that the source holds
	MaxCoverage *float64
	MinCopied   int // least number of words in a row that stand in the source
}

// Match reports whether a query is picked.
func (s *Selection) Match(q *assay.Query) bool {
	origin, leakage := assay.Origin{}, q.Leakage
	if q.Origin != nil {
		origin = *q.Origin
	}
	switch {
	case len(s.Tags) > 0 && !slices.ContainsFunc(s.Tags, func(t string) bool { return slices.Contains(q.Tags, t) }),
		len(s.Styles) > 0 && !slices.Contains(s.Styles, origin.Style),
		len(s.Methods) > 0 && !slices.Contains(s.Methods, origin.Method),
		len(s.Languages) > 0 && !slices.Contains(s.Languages, origin.Language),
		!strings.HasPrefix(q.SourceDocument(), s.Document),
		!strings.Contains(strings.ToLower(q.Text), strings.ToLower(s.Text)),
		s.Filtered != nil && *s.Filtered != (q.Filter != nil):
		return false
	case s.MinCoverage == nil && s.MaxCoverage == nil && s.MinCopied == 0:
		return true
	case leakage == nil,
		s.MinCoverage != nil && leakage.ContentCoverage < *s.MinCoverage,
		s.MaxCoverage != nil && leakage.ContentCoverage > *s.MaxCoverage:
		return false
	}
	return leakage.LongestSharedNgram >= s.MinCopied
}
