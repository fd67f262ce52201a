package draft

import (
	"fmt"
	"math"

	"github.com/assay-eval/assay/stats"
)

// Margin is the drop that a gate can hold against noise.
type Margin struct {
	Queries    int     `json:"queries"`     // that the margin supposes
	Supposed   bool    `json:"supposed"`    // no test set of a size that can pass a gate is there yet
	Discordant float64 `json:"discordant"`  // share of queries supposed to be answered by one system and not by the other
	Detectable float64 `json:"detectable"`  // smallest true difference found with a power of 80 %
	Drop       float64 `json:"margin_drop"` // Detectable, rounded up to a hundredth: what is written
}

const (
	wanted = 200 // queries that generate makes when nothing is said
	fewest = 30  // below it, nothing passes a gate
)

// Discordant is the share of queries on which two versions of a system are supposed to disagree at rank 10 before any run has shown it; a
// careful guess.
const Discordant = 0.2

// margin works out the margin of the gate's rule, for the test set that is there or, while that is missing or too small to
// pass a gate at all, the one that generate will make.
func (d *Draft) margin(queries int) {
	m := Margin{Queries: queries, Discordant: Discordant}
	if queries < fewest {
		m.Queries, m.Supposed = wanted, true
	}
	m.Detectable = stats.MinimumDetectable(stats.DiscordanceSD(Discordant, 0), m.Queries, 0.05, 0.8)
	m.Drop = math.Ceil(100*m.Detectable) / 100
	d.Margin = m
	whose := "the test set has"
	if m.Supposed {
		whose = "supposed"
	}
	d.note(Guessed, "gate", fmt.Sprintf("recall@10 may drop by less than %.2f: the smallest loss found four times in five with the %d queries %s, were one in five answered by "+
		"only one of two versions", m.Drop, m.Queries, whose))
}
