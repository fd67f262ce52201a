package scifact

import "math"

// Effectiveness is the mean nDCG@10 and recall@100 over the queries, with the gain and discount of trec_eval. ranking
// gives the document ids found for query i, best first. It is a second, plain reading of the definitions: the tests of
// the retrievers do not lean on the package that measures them.
func (c *Collection) Effectiveness(ranking func(i int) []string) (ndcg10, recall100 float64) {
	for i, q := range c.Queries {
		grades := c.Qrels[q.ID]
		dcg, found := 0.0, 0.0
		for rank, id := range ranking(i) {
			if grades[id] <= 0 || rank >= 100 {
				continue
			}
			found++
			if rank < 10 {
				dcg += float64(grades[id]) / math.Log2(float64(rank)+2)
			}
		}
		ideal := 0.0
		for rank := range min(len(grades), 10) { // every judged document of SciFact has grade 1
			ideal += 1 / math.Log2(float64(rank)+2)
		}
		ndcg10 += dcg / ideal
		recall100 += found / float64(len(grades))
	}
	n := float64(len(c.Queries))
	return ndcg10 / n, recall100 / n
}
