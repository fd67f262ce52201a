package project

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/label"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/testset"
)

// Ratings are what each rater says of each item of the test set, near-duplicates being one item.
func (p *Project) Ratings(ctx context.Context) ([]label.Rating, error) {
	set, texts, err := p.rated(ctx)
	if err != nil {
		return nil, err
	}
	var out []label.Rating
	for _, q := range set.Queries() {
		item := texts.items(set, q.ID)
		for v := range grades(set, q.ID) {
			out = append(out, rating(v, item))
		}
	}
	return out, nil
}

// grades are the grades of a query that stand, each rater's own.
func grades(set *testset.Set, query string) iter.Seq[*assay.Label] {
	return func(yield func(*assay.Label) bool) {
		voices := set.Voices(query)
		for i := range voices {
			if v := &voices[i]; v.Event == assay.EventGrade && !yield(v) {
				return
			}
		}
	}
}

func (p *Project) rated(ctx context.Context) (*testset.Set, *passageTexts, error) {
	set, err := p.Testset()
	if err != nil {
		return nil, nil, err
	}
	texts, err := p.passageTexts(ctx)
	return set, texts, err
}

func rating(l *assay.Label, item namer) label.Rating {
	return label.Rating{Rater: label.Rater{By: l.By, Who: l.Who}, Query: l.Query, Item: item(&l.Target), Grade: l.Grade, P: l.P}
}

// repeats are the grades that raters gave twice, the second time unannounced.
func (p *Project) repeats(ctx context.Context) ([]label.Repeated, error) {
	set, texts, err := p.rated(ctx)
	if err != nil {
		return nil, err
	}
	type key struct {
		rater label.Rater
		item  string
	}
	var out []label.Repeated
	for _, q := range set.Queries() {
		first, item := map[key]label.Rating{}, texts.items(set, q.ID)
		events := set.Events(q.ID)
		slices.SortStableFunc(events, func(a, b assay.Label) int { return a.Time.Compare(b.Time) })
		for i := range events {
			l := &events[i]
			if l.Event != assay.EventGrade {
				continue
			}
			r := rating(l, item)
			k := key{r.Rater, r.Item}
			if before, ok := first[k]; ok && l.Repeat {
				out = append(out, label.Repeated{First: before, Second: r})
			} else if !l.Repeat {
				first[k] = r
			}
		}
	}
	return out, nil
}

// Agree compares the raters of the test set and brings the cards of its judges up to date.
func (p *Project) Agree(ctx context.Context) (*label.Agreement, label.Cards, error) {
	ratings, err := p.Ratings(ctx)
	if err != nil {
		return nil, nil, err
	}
	repeats, err := p.repeats(ctx)
	if err != nil {
		return nil, nil, err
	}
	found, err := label.Agree(ratings, repeats, stats.Options{Seed: p.Config.Judge.Seed})
	if err != nil {
		return nil, nil, err
	}
	cards, err := p.updateCards(found)
	return found, cards, err
}

// updateCards writes a card for every judge whose agreement with people is not that on its card.
func (p *Project) updateCards(found *label.Agreement) (label.Cards, error) {
	cards, err := p.Cards()
	if err != nil {
		return nil, err
	}
	set, err := p.Testset()
	if err != nil {
		return nil, err
	}
	for _, r := range found.Raters {
		if r.By != assay.ByJudge {
			continue
		}
		if err := p.updateCard(cards, found, r.Who, basis(set, r.Who)); err != nil {
			return nil, err
		}
	}
	for _, name := range cards.Names() { // of judges without any label left
		if cards[name].Stale {
			if err := p.updateCard(cards, found, name, basis(set, name)); err != nil {
				return nil, err
			}
		}
	}
	return cards, nil
}

// updateCard writes the card of a judge where it was made from other grades; without Human where nothing is in common.
func (p *Project) updateCard(cards label.Cards, found *label.Agreement, judge, version string) error {
	card := label.Card{Judge: judge}
	if old := cards[judge]; old != nil {
		card = *old
	}
	pair, ok := found.With(judge)
	had := card.Human
	if !ok && had == nil || ok && had != nil && card.Labels == version && had.Items == pair.Items && had.Of == pair.Of {
		return nil
	}
	card.Human, card.Stale = nil, false
	if ok {
		card.Human = &pair
	}
	card.Time, card.Labels = time.Now().UTC().Truncate(time.Second), version
	cards[judge] = &card
	return label.WriteCard(p.Config.Testset, card)
}

// Proposal is a passage that people should grade next.
type Proposal struct {
	Query string `json:"query"`
	Text  string `json:"query_text"`
	// Target is what a label on it would judge. What judges said of it is left out on purpose.
	Target assay.Target `json:"target"`
}

// Next proposes up to n passages for people to grade, the most valuable first.
func (p *Project) Next(ctx context.Context, n int) ([]Proposal, error) {
	set, texts, err := p.rated(ctx)
	if err != nil {
		return nil, err
	}
	var ratings []label.Rating
	proposals := map[[2]string]Proposal{} // by query and item
	for _, q := range set.Queries() {
		item := texts.items(set, q.ID)
		for v := range grades(set, q.ID) {
			r := rating(v, item)
			ratings = append(ratings, r)
			if key := [2]string{r.Query, r.Item}; proposals[key].Query == "" {
				proposals[key] = Proposal{Query: q.ID, Text: q.Text, Target: v.Target}
			}
		}
	}
	out := []Proposal{}
	for _, c := range label.Next(ratings, n, p.Config.Judge.Seed) {
		out = append(out, proposals[[2]string{c.Query, c.Item}])
	}
	return out, nil
}

// judgeNames lists the judges whose labels the test set has, by name.
func (p *Project) judgeNames(set *testset.Set) []string {
	var out []string
	for _, q := range set.Queries() {
		for v := range grades(set, q.ID) {
			if v.By == assay.ByJudge && !slices.Contains(out, v.Who) {
				out = append(out, v.Who)
			}
		}
	}
	slices.Sort(out)
	return out
}
