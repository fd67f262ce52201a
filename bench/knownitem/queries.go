package main

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
)

// query is a text and what answers it.
type query struct {
	text     string
	relevant map[string]int
}

// ndcg is nDCG@10 where every relevant document has grade 1.
func (q *query) ndcg(hits []assay.Hit) float64 {
	gain, ideal := 0.0, 0.0
	for rank, h := range hits {
		if q.relevant[h.ID] > 0 {
			gain += 1 / math.Log2(float64(rank)+2)
		}
	}
	for rank := range min(len(q.relevant), 10) {
		ideal += 1 / math.Log2(float64(rank)+2)
	}
	return gain / ideal
}

// claims are real queries with their qrels.
func claims(queries []assay.Query, qrels map[string]map[string]int) []query {
	var out []query
	for _, q := range queries {
		out = append(out, query{q.Text, qrels[q.ID]})
	}
	return out
}

// simulated writes a known-item query about each of a random sample of documents.
func simulated(chunks []assay.Chunk, writer *generate.KnownItem) ([]query, error) {
	rng := rand.New(rand.NewPCG(writer.Seed, 5))
	var out []query
	for _, i := range rng.Perm(len(chunks)) {
		c, err := writer.Write(context.Background(), chunks[i], 0)
		if assay.KindOf(err) == assay.KindEmpty {
			continue // a few abstracts have hardly a word
		}
		if err != nil {
			return nil, err
		}
		if out = append(out, query{c.Question, map[string]int{chunks[i].ID: 1}}); len(out) == size {
			break
		}
	}
	return out, nil
}
