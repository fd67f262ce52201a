package doctor

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay/internal/plural"
)

var ids = Check{
	Name:   "ids",
	Asks:   "does each chunk have a key of its own?",
	Effect: "chunks that share a key count as one hit, so labels and rankings mean one of them by chance",
	Of:     "systems that can list",
	run: func(ctx context.Context, x *exam) error {
		return x.systems(ctx, live, one(x.ids))
	},
}

func (x *exam) ids(ctx context.Context, s *System) Finding {
	l, err := x.list(ctx, s)
	if err != nil {
		return unchecked(err)
	}
	count := make(map[string]int, len(l.chunks))
	var shared []string
	for i := range l.chunks {
		id := l.chunks[i].ID
		if count[id]++; count[id] == 2 {
			shared = append(shared, id)
		}
	}
	if len(shared) == 0 {
		return healthy("%s, each once, such as %s", plural.Count(len(count), "key"), l.chunks[0].ID)
	}
	return Finding{Status: Fault, Cause: "shared_key", Figures: map[string]float64{"shared": float64(len(shared)), "chunks": float64(len(l.chunks))},
		Found: fmt.Sprintf("%s of several chunks: %s", plural.Count(len(shared), "key is that", "keys are those"), some(shared)),
		Fix:   fmt.Sprintf("leave key: out of systems.%s.retriever, so that the store's own id counts, or name a field that is different in each chunk", s.Name)}
}
