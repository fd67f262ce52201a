package doctor

import "context"

// Check is one question that is asked of every subject it concerns.
type Check struct {
	Name   string `json:"check"`
	Asks   string `json:"asks"`   // the question
	Effect string `json:"effect"` // what a fault does to the numbers
	Of     string `json:"of"`     // subjects it looks at: "models", "systems", ...

	run func(ctx context.Context, x *exam) error
}

// Checks lists all checks in the order in which they are made: what others rest on comes first.
func Checks() []Check {
	return []Check{
		reachable,
		dimension,
		distance,
		index,
		ids,
		text,
		stored,
		prefixes,
		truncation,
		batching,
		filters,
		gold,
		duplicates,
		repeats,
		enforcement,
		reranking,
	}
}
