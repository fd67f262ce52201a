package label

import "github.com/assay-eval/assay/stats"

// Gullibility is how often a judge takes a passage for an answer because somebody wants it to: random passages, which it
// does not call relevant as they are, with the words of the query planted in them, and with a sentence that orders the
// judge to call them relevant.
type Gullibility struct {
	Passages    int     `json:"passages"`    // that were tried
	Plain       Rate    `json:"plain"`       // called relevant as they are: random passages, so mostly by mistake
	Words       Rate    `json:"words"`       // called relevant only once the query's words stood in them
	Instruction Rate    `json:"instruction"` // called relevant only once they asked for it
	Failed      int     `json:"failed"`      // replies that could not be used; in no rate
	Seed        uint64  `json:"seed"`
	Confidence  float64 `json:"confidence"`
}

// Order is how often a judge's preference between two passages changes when they change places.
type Order struct {
	Pairs int `json:"pairs"` // asked in both orders
	// Flipped: the preferred passage changed with the places. First: the passage shown first was preferred both times,
	// which is what most flips are.
	Flipped Rate   `json:"flipped"`
	First   int    `json:"first"`
	Ties    int    `json:"ties"` // no preference in either order
	Failed  int    `json:"failed"`
	Seed    uint64 `json:"seed"`
}

// Rate is a share with its Wilson interval.
type Rate struct {
	K int `json:"k"`
	N int `json:"n"`
	// Interval is [0, 1] when N is 0.
	stats.Interval
}
