package project

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/draft"
	"github.com/assay-eval/assay/stats"
)

// Precision is what a number of queries can tell, before anything was measured.
type Precision struct {
	Queries int `json:"queries"`
	// Independent is how many queries from as many documents, all of one weight, tell as much: queries from one document depend on
	// each other.
	Independent int     `json:"independent"`
	HalfWidth   float64 `json:"recall_half_width"` // of the 95 % interval of a recall of TypicalRecall
	// Detectable is the difference of recall between two systems that is found in four of five trials, if they disagree on
	// draft.Discordant of the queries; nil where none is.
	Detectable *float64 `json:"detectable_difference,omitempty"`
}

// TypicalRecall is supposed until a run has shown it.
const TypicalRecall = 0.8

// PrecisionOf says what so many queries can tell that are worth independent ones, at least 2.
func PrecisionOf(queries, independent int) Precision {
	i := stats.Wilson(TypicalRecall*float64(independent), float64(independent), 0.95)
	p := Precision{Queries: queries, Independent: independent, HalfWidth: (i.Hi - i.Lo) / 2}
	if d := stats.MinimumDetectable(stats.DiscordanceSD(draft.Discordant, 0), independent, 0.05, 0.8); d <= draft.Discordant {
		p.Detectable = &d // beyond it, the systems would have to disagree on more queries than supposed
	}
	return p
}

// mostQueries bounds what PrecisionNeeds looks through.
const mostQueries = 10_000_000

// PrecisionNeeds is the least number of independent queries with an interval of at most ± half; ok is false where
// millions would not do.
func PrecisionNeeds(half float64) (n int, ok bool) {
	n = 2 + sort.Search(mostQueries, func(n int) bool { return PrecisionOf(n+2, n+2).HalfWidth <= half })
	return n, n < mostQueries && !math.IsNaN(half)
}

// sources adds up the weights of queries by the document that they were written from.
type sources struct {
	queries int
	weight  map[string]float64
}

func (s *sources) add(document string, weight float64) {
	if s.weight == nil {
		s.weight = map[string]float64{}
	}
	if weight <= 0 {
		weight = 1
	}
	s.queries++
	if document == "" { // from nothing that others could be from
		document = fmt.Sprint("\x00", s.queries)
	}
	s.weight[document] += weight
}

// precision is what the queries tell; nil for fewer than two documents.
func (s *sources) precision() *Precision {
	if len(s.weight) < 2 {
		return nil
	}
	// Kish's effective size, over documents. A hair is added, for rounding must not decide where it is a whole number.
	independent := int(math.Floor(stats.EffectiveSize(slices.Collect(maps.Values(s.weight))) + 1e-6))
	if independent < 2 {
		return nil
	}
	p := PrecisionOf(s.queries, independent)
	return &p
}

// precisionOf is what queries tell.
func precisionOf(queries []assay.Query) *Precision {
	var s sources
	for i := range queries {
		s.add(queries[i].SourceDocument(), queries[i].Weight)
	}
	return s.precision()
}

// precisionOfPlan is what one query from each of the first n chunks would tell.
func (g *generation) precisionOfPlan(chunks []assay.Chunk, n int) *Precision {
	var s sources
	for i := range chunks[:min(n, len(chunks))] {
		s.add(chunks[i].Document, g.weights[g.group(&chunks[i])])
	}
	return s.precision()
}
