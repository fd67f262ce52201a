package doctor

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-eval/assay"
)

// errDown is why nothing more is known of a subject that does not answer.
var errDown = errors.New("it does not answer: see " + reachableName)

// inspect is what a live index says of itself. The error says why it says nothing.
func (x *exam) inspect(ctx context.Context, s *System) (*assay.Inspection, error) {
	return x.inspections.get(s, func() (*assay.Inspection, error) {
		i, ok := assay.As[assay.Inspector](s.Store)
		if !ok {
			return nil, fmt.Errorf("a retriever of kind %s cannot say what its index is", s.Kind)
		}
		info, err := i.Inspect(ctx)
		return &info, err
	})
}

// embedding is the vector of one text, embedded alone.
type embedding struct {
	vector []float32
	tokens int  // as the server counted them; 0 when it does not say
	cut    bool // the client says that only the start was read
}

type embedKey struct {
	model *Model
	text  string
}

// embed embeds one text exactly as it is given, without a prefix, in a call of its own.
func (x *exam) embed(ctx context.Context, m *Model, text string) (embedding, error) {
	return x.embeddings.get(embedKey{m, text}, func() (embedding, error) {
		if x.down[m.subject()] {
			return embedding{}, fmt.Errorf("the model %s does not answer: see %s", m.Name, reachableName)
		}
		r, err := m.Embedder.Embed(ctx, assay.EmbedRequest{Texts: []string{text}, Role: assay.RoleDocument})
		if err != nil {
			return embedding{}, err
		}
		if len(r.Vectors) != 1 {
			return embedding{}, assay.Errorf(assay.KindMalformed, "embed", m.Name, "%d vectors for one text", len(r.Vectors))
		}
		return embedding{r.Vectors[0], r.Tokens, len(r.Truncated) > 0}, nil
	})
}
