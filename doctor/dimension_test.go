package doctor_test

import (
	"context"
	"slices"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/doctor"
)

// eight gives every item a vector of eight dimensions.
func eight(items []item) []item {
	for i := range items {
		items[i].vector = make([]float32, 8)
		items[i].vector[i%8] = 1
	}
	return items
}

func TestDimension(t *testing.T) {
	o := doctor.Options{Only: []string{"dimension"}}
	t.Run("healthy", func(t *testing.T) {
		r := examine(t, chromaSystem(t, collection(t, "cosine", handbook()), ""), o)
		want{status: doctor.OK, found: "384"}.check(t, finding(t, r, "dimension", "system live"))
	})
	t.Run("another model's index", func(t *testing.T) {
		r := examine(t, chromaSystem(t, collection(t, "cosine", eight(handbook())), ""), o)
		want{doctor.Fault, "wrong_dimension", "8 dimensions, and the model minilm gives 384", "systems.live.embed"}.
			check(t, finding(t, r, "dimension", "system live"))
	})
}

// sized is an embedder of a dimension.
type sized int

func (n sized) Embed(_ context.Context, r assay.EmbedRequest) (assay.EmbedReply, error) {
	v := make([]float32, n)
	v[0] = 1
	return assay.EmbedReply{Vectors: slices.Repeat([][]float32{v}, len(r.Texts))}, nil
}

// The model that fits the index is named where the project has one.
func TestDimensionNamesTheModelThatFits(t *testing.T) {
	r := examine(t, chromaSystem(t, collection(t, "cosine", eight(handbook())), ""), doctor.Options{Only: []string{"dimension"}},
		func(s *doctor.Setup) {
			s.Models = append(s.Models, &doctor.Model{Name: "tiny", Embedder: sized(8)}, &doctor.Model{Name: "large", Embedder: sized(9)})
		})
	want{doctor.Fault, "wrong_dimension", "8 dimensions", "embed: tiny (in systems.live)"}.check(t, finding(t, r, "dimension", "system live"))
}
