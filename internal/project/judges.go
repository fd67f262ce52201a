package project

import "github.com/assay-eval/assay/label"

// Cards are the cards of the judges that have labelled this test set.
func (p *Project) Cards() (label.Cards, error) { return label.ReadCards(p.Config.Testset) }

// judgeDoubt says why a judge is not to be believed; "" when it is.
func (p *Project) judgeDoubt() (func(who string) string, error) {
	cards, err := p.Cards()
	if err != nil {
		return nil, err
	}
	return func(who string) string { return cards.Doubt(who, p.Config.Judge.MinKappa) }, nil
}
