package doctor

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-eval/assay/internal/vector"
)

var distance = Check{
	Name:   "distance",
	Asks:   "does the index compare vectors in the way the model's vectors are meant for?",
	Effect: "long vectors win over right ones: rankings are by length as much as by meaning",
	Of:     "systems with a store and a model",
	run: func(ctx context.Context, x *exam) error {
		return x.systems(ctx, embeds, one(x.distance))
	},
}

// The distances of an index, as an inspection names them.
const (
	byCosine    = "cosine"
	byDot       = "dot"
	byEuclid    = "euclid"
	byManhattan = "manhattan"
)

// lengthProbes are texts whose vectors would differ in length where a model does not normalise.
var lengthProbes = []string{"dimension", "A short sentence about backups.", "How long are deleted pages kept, and who can restore them before they are gone for good?"}

func (x *exam) distance(ctx context.Context, s *System) Finding {
	i, err := x.inspect(ctx, s)
	if err != nil {
		return unchecked(err)
	}
	if i.Distance == "" {
		return unchecked(errors.New("the store does not say how it compares vectors"))
	}
	if i.Distance == byCosine {
		return healthy("cosine, for which the length of a vector does not matter")
	}
	shortest, longest := 0.0, 0.0
	for n, text := range lengthProbes {
		e, err := x.embed(ctx, s.Embed, text)
		if err != nil {
			return unchecked(err)
		}
		l := vector.Length(e.vector)
		if n == 0 || l < shortest {
			shortest = l
		}
		longest = max(longest, l)
	}
	f := Finding{Figures: map[string]float64{"shortest": shortest, "longest": longest}}
	unit := isUnit(shortest) && isUnit(longest)
	switch {
	case i.Distance == byManhattan:
		f.Status, f.Cause = Warning, "unusual_distance"
		f.Found = "the index compares by Manhattan distance, for which no common embedding model is trained"
		f.Effect = "the order differs from that by cosine even for vectors of length 1"
		f.Fix = "build the collection anew with cosine, unless the model's card asks for this"
	case unit:
		f.Status, f.Found = OK, fmt.Sprintf("%s, which ranks as cosine does: the model's vectors have length 1", i.Distance)
	default:
		f.Status, f.Cause = Fault, "not_normalised"
		f.Found = fmt.Sprintf("the index compares by %s, and the lengths of the model's vectors go from %.3g to %.3g", i.Distance, shortest, longest)
		f.Fix = "build the collection anew with cosine, or have the server normalise (llama.cpp: --embd-normalize 2; Ollama: /api/embed instead of /api/embeddings) and embed all chunks again"
	}
	return f
}
