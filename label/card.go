package label

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonl"
	"github.com/assay-eval/assay/stats"
)

// CardsFile holds the cards of judges, in the folder of the test set beside the labels they are about. It only grows: a
// later line of a judge replaces those parts of its card that it has.
const CardsFile = "judge_cards.jsonl"

// Card is what is known about a judge: a model under a rubric and a prompt. A change of any of them is another judge.
type Card struct {
	Judge  string         `json:"judge"` // who of its labels
	Model  assay.Identity `json:"model"`
	Rubric string         `json:"rubric"`
	Prompt string         `json:"prompt"` // id of the prompt
	Time   time.Time      `json:"time"`
	// Human is how far it agrees with people; nil while nobody graded what it graded.
	Human *Pair `json:"human,omitempty"`
	// Labels is a digest of the grades that Human was computed from. With it and without Human, a card says that people and
	// the judge have nothing in common any more.
	Labels string `json:"labels,omitempty"`
	// Stale says that there are other grades now than those of Labels. It is found on reading and never kept.
	Stale bool `json:"-"`
	// Gullibility and Order are the outcomes of the bias checks; nil while they were not made.
	Gullibility *Gullibility `json:"gullibility,omitempty"`
	Order       *Order       `json:"order,omitempty"`
}

// Cards are cards by the name of the judge.
type Cards map[string]*Card

// ReadCards reads the cards in the folder of a test set. A folder without any is no error.
func ReadCards(dir string) (Cards, error) {
	out := Cards{}
	for rec, err := range jsonl.Read[Card](filepath.Join(dir, CardsFile)) {
		if err != nil {
			return nil, assay.Classify(fmt.Errorf("judge cards: %w", err), assay.ErrUsage)
		}
		c := rec.Value
		old := out[c.Judge]
		if old == nil {
			out[c.Judge] = &c
			continue
		}
		if c.Human == nil && c.Labels == "" {
			c.Human, c.Labels = old.Human, old.Labels
		}
		if c.Gullibility == nil {
			c.Gullibility = old.Gullibility
		}
		if c.Order == nil {
			c.Order = old.Order
		}
		out[c.Judge] = &c
	}
	return out, nil
}

// WriteCard appends a card.
func WriteCard(dir string, c Card) (err error) {
	a, err := jsonl.Open(filepath.Join(dir, CardsFile))
	if err != nil {
		return err
	}
	defer func() {
		if cerr := a.Close(); err == nil {
			err = cerr
		}
	}()
	return a.Append(c)
}

// MinItems is the number of items that people and a judge must both have graded before the judge may be believed: the
// least for which an interval of kappa says anything.
const MinItems = stats.MinQueries

// MinUnits is the number of queries that these items must come from. Items of one query are no independent draws, and the
// interval resamples queries whole: of fewer than about ten it is known to be too narrow (Cameron, Gelbach and Miller 2008).
const MinUnits = 10

// Doubt says why numbers must not rest on a judge's labels, in a clause that a warning can end with; "" when they may. The
// lower bound of kappa with people, relevant or not, must reach least.
func (c Cards) Doubt(judge string, least float64) string {
	card := c[judge]
	switch {
	case card == nil || card.Human == nil:
		return "it was never measured against people"
	case card.Stale:
		return "the labels are no longer those that its card was made from: run `assay agree` again"
	case card.Human.Items < MinItems:
		return fmt.Sprintf("people graded only %d of the passages it graded, and %d are the least", card.Human.Items, MinItems)
	case card.Human.Queries < MinUnits:
		return fmt.Sprintf("the passages that people graded are of only %d independent %s, and %d are the least", card.Human.Queries, queriesWord(card.Human.Queries), MinUnits)
	case card.Human.Weighted && card.Human.NEff < MinItems-1e-9:
		return fmt.Sprintf("the passages that people graded weigh as much as %.0f, and %d are the least: have more of those graded that it calls not relevant", math.Floor(card.Human.NEff), MinItems)
	case card.Human.Binary.Value == nil:
		return "its kappa with people has no value, since everything got the same grade"
	case card.Human.Binary.Lo < least:
		return fmt.Sprintf("its kappa with people is %s, and the lower bound is under judge.min_kappa %.2f", card.Human.Binary.Short(), least)
	}
	return ""
}

func queriesWord(n int) string {
	if n == 1 {
		return "query"
	}
	return "queries"
}

// Names lists the judges that have a card.
func (c Cards) Names() []string {
	var out []string
	for name := range c {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
