package project

import (
	"context"
	"strconv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/corpus"
)

// byDocument is the value of generate.by that stands for documents.
const byDocument = "document"

// GroupCount says what was drawn of one group of generate.by.
type GroupCount struct {
	Group    string  `json:"group"` // "" for chunks without the field
	Eligible int     `json:"eligible"`
	Drawn    int     `json:"drawn"`
	Weight   float64 `json:"weight,omitempty"` // of its queries, where they stand for more or fewer chunks than others
	Short    int     `json:"short,omitempty"`  // queries that it lacks of its equal share, for want of chunks
}

// draw draws the chunks to ask about, more than wanted, so that rejected ones can be replaced. A sample by
// category settles how many queries are wanted.
func (g *generation) draw(ctx context.Context, src *corpus.Source) (*corpus.Sample, error) {
	req := &g.req
	opts := corpus.SampleOptions{Size: oversample * req.Sample, Seed: req.Seed, PerDocument: req.PerDoc, Eligible: g.eligible,
		Balanced: req.Allot == "balanced" || req.PerCat > 0, PerGroup: oversample * req.PerCat, Distinct: true}
	switch {
	case req.By != byDocument:
		opts.By = func(c *assay.Chunk) string { return topic(c, req.By) }
	case opts.Balanced:
		opts.By = func(c *assay.Chunk) string { return c.Document }
	}
	sample, err := corpus.Draw(ctx, src.Chunks(ctx), opts)
	if err != nil {
		return nil, g.explainEmpty(err)
	}
	if err := checkField("generate.by", req.By, sample.Chunks); err != nil {
		return nil, err
	}
	if req.PerCat > 0 {
		req.Sample = req.PerCat * len(sample.Groups)
	}
	g.chunks.Seen, g.chunks.Eligible, g.chunks.Drawn, g.chunks.Repeats = sample.Seen, sample.Eligible, len(sample.Chunks), sample.Repeats
	g.weights = map[string]float64{}
	g.groupOf = opts.By
	planned, wanted := g.planned(sample.Chunks)
	for _, s := range sample.Groups {
		c := GroupCount{Group: s.Name, Eligible: s.Eligible, Drawn: s.Drawn}
		if n := planned[s.Name]; opts.Balanced && n > 0 {
			c.Weight = weight(s.Eligible, sample.Eligible, n, wanted)
			c.Short = max(0, req.Sample/len(sample.Groups)-n)
			g.weights[s.Name] = c.Weight
		}
		if req.By != byDocument {
			g.chunks.Groups = append(g.chunks.Groups, c)
		}
	}
	return sample, nil
}

// planned counts the chunks of each group among those that are asked about first. Chunks come in the order in which groups have their
// turn, so that this is the share of each group in the queries, also of one that has too few chunks for an equal share.
func (g *generation) planned(chunks []assay.Chunk) (by map[string]int, all int) {
	by = map[string]int{}
	chunks = chunks[:min(len(chunks), g.req.Sample)]
	for i := range chunks {
		by[g.group(&chunks[i])]++
	}
	return by, len(chunks)
}

// weight is what a query of a balanced group stands for: the group's share of the chunks over its share of
// the queries, n of all that are wanted. Its third digit is the last, since more would only make lines long.
func weight(eligible, all, n, wanted int) float64 {
	w := float64(eligible) / float64(all) * float64(wanted) / float64(n)
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(w, 'g', 3, 64), 64)
	if err != nil {
		panic(err) // it was written a moment ago
	}
	return rounded
}

// weigh gives a query the weight of its chunk's group.
func (g *generation) weigh(q *assay.Query, c *assay.Chunk) {
	if w, ok := g.weights[g.group(c)]; ok {
		q.Weight = w
	}
}

func (g *generation) group(c *assay.Chunk) string {
	if g.groupOf == nil {
		return ""
	}
	return g.groupOf(c)
}
