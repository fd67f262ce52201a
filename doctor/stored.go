package doctor

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/vector"
)

var stored = Check{
	Name: "vectors",
	Asks: "are the vectors in the index those that the model gives for the chunks' texts?",
	Effect: "queries are compared with vectors that mean something else: what is found is near by chance, and no change of k, " +
		"prompt or reranker can make up for it",
	Of: "systems with a model whose store gives vectors",
	run: func(ctx context.Context, x *exam) error {
		return x.systems(ctx, embeds, one(x.stored))
	},
}

// sameVector is the cosine from which two vectors come from the same model and text: another server of the
// same weights agrees to three digits and more, a prefix or a small change of the text does not.
const sameVector = 0.999

// unlike is the cosine below which a vector has nothing to do with the text as this model sees it.
const unlike = 0.3

func (x *exam) stored(ctx context.Context, s *System) Finding {
	c, err := x.compareStored(ctx, s)
	if err != nil {
		return unchecked(err)
	}
	f := c.finding(s)
	f.Figures = map[string]float64{"sample": float64(len(c.chunks)), "agree": float64(len(c.chunks) - len(c.off)), "median_cosine": c.median,
		"shortest": c.shortest, "longest": c.longest}
	return f
}

// comparison is stored vectors held against those that the model gives now.
type comparison struct {
	chunks            []assay.Chunk
	median            float64    // cosine between stored and embedded, as configured
	off               []int      // chunks whose vectors disagree
	made              *recipe    // how those were made instead, if a recipe explains them
	explained         float64    // its median cosine
	elsewhere         *misplaced // where they stand, if other chunks have them
	disagree          float64    // median cosine of the chunks that are off, as configured
	shortest, longest float64    // lengths of the stored vectors
	length            float64    // median length of those the model gives
	distance          string
}

// compareStored embeds the sample of a system as its configuration says, and looks for another recipe where
// that does not give the stored vectors.
func (x *exam) compareStored(ctx context.Context, s *System) (*comparison, error) {
	return x.comparisons.get(s, func() (*comparison, error) {
		if i, err := x.inspect(ctx, s); err == nil && i.Dimension > 0 {
			e, err := x.embed(ctx, s.Embed, lengthProbes[0])
			if err == nil && len(e.vector) != i.Dimension {
				return nil, fmt.Errorf("the dimensions differ: see %s", dimension.Name)
			}
		}
		chunks, err := x.withVectors(ctx, s)
		if err != nil {
			return nil, err
		}
		c := &comparison{chunks: chunks}
		if i, err := x.inspect(ctx, s); err == nil {
			c.distance = i.Distance
		}
		configured := recipe{model: s.Embed, prefix: s.Embed.Document, shape: plainText}
		var all, off, lengths []float64
		for n := range chunks {
			v, err := configured.make(ctx, x, &chunks[n])
			if err != nil {
				return nil, err
			}
			cos := vector.Cosine(v, chunks[n].Vector)
			all, lengths = append(all, cos), append(lengths, vector.Length(v))
			if cos < sameVector {
				c.off, off = append(c.off, n), append(off, cos)
			}
			l := vector.Length(chunks[n].Vector)
			if n == 0 || l < c.shortest {
				c.shortest = l
			}
			c.longest = max(c.longest, l)
		}
		c.median, c.disagree, c.length = median(all), median(off), median(lengths)
		if len(c.off) > 0 {
			if c.made, c.explained = x.explain(ctx, s, c); c.made == nil {
				c.elsewhere = x.misplaced(ctx, s, c, configured)
			}
		}
		return c, nil
	})
}
