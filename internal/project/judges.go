package project

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/label"
	"github.com/assay-eval/assay/testset"
)

// Cards are the cards of the judges that have labelled this test set, each marked stale where it was made from other labels than
// those there are now.
func (p *Project) Cards() (label.Cards, error) {
	cards, err := label.ReadCards(p.Config.Testset)
	if err != nil || len(cards) == 0 {
		return cards, err
	}
	set, err := p.Testset()
	if err != nil {
		return nil, err
	}
	for name, c := range cards {
		c.Stale = c.Human != nil && c.Labels != basis(set, name)
	}
	return cards, nil
}

// basis is a digest of the grades that a judge's agreement with people is computed from: theirs and its own, whether they count
// or not. The version of the test set holds only those that count, and not whose they are: what a person takes back and the
// judge has said too leaves it as it was.
func basis(set *testset.Set, judge string) string {
	var lines []string
	for _, q := range set.Queries() {
		for v := range grades(set, q.ID) {
			if v.By == assay.ByHuman || v.By == assay.ByJudge && v.Who == judge {
				line, _ := json.Marshal([]any{q.ID, v.By, v.Who, v.Grade, v.Target}) // plain values: it cannot fail
				lines = append(lines, string(line))
			}
		}
	}
	slices.SortFunc(lines, cmp.Compare[string])
	h := sha256.New()
	for _, l := range lines {
		h.Write([]byte(l + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// judgeDoubt says why a judge is not to be believed; "" when it is.
func (p *Project) judgeDoubt() (func(who string) string, error) {
	cards, err := p.Cards()
	if err != nil {
		return nil, err
	}
	return func(who string) string { return cards.Doubt(who, p.Config.Judge.MinKappa) }, nil
}
