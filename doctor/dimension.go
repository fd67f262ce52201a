package doctor

import (
	"context"
	"fmt"
	"strings"
)

var dimension = Check{
	Name:   "dimension",
	Asks:   "do the model's vectors have as many dimensions as those in the index?",
	Effect: "every query is refused, or compared with vectors of another model",
	Of:     "systems with a store and a model",
	run: func(ctx context.Context, x *exam) error {
		return x.systems(ctx, embeds, one(x.dimension))
	},
}

// embeds reports that a system has a store and a model that embeds for it.
func embeds(s *System) bool { return live(s) && s.Embed != nil }

func (x *exam) dimension(ctx context.Context, s *System) Finding {
	i, err := x.inspect(ctx, s)
	if err != nil {
		return unchecked(err)
	}
	if i.Dimension == 0 {
		return unchecked(fmt.Errorf("the store does not say how many dimensions its vectors have"))
	}
	e, err := x.embed(ctx, s.Embed, "dimension")
	if err != nil {
		return unchecked(err)
	}
	figures := map[string]float64{"index": float64(i.Dimension), "model": float64(len(e.vector))}
	if len(e.vector) == i.Dimension {
		f := healthy("%d in the index and from the model %s", i.Dimension, s.Embed.Name)
		f.Figures = figures
		return f
	}
	fix := fmt.Sprintf("name the model that the index was built with, one of %d dimensions: systems.%s.embed", i.Dimension, s.Name)
	if others := x.modelsOf(ctx, i.Dimension); len(others) > 0 {
		fix = fmt.Sprintf("embed: %s (in systems.%s), if that is what the index was built with", strings.Join(others, " or embed: "), s.Name)
	}
	return Finding{Status: Fault, Cause: "wrong_dimension", Figures: figures,
		Found: fmt.Sprintf("the index holds vectors of %d dimensions, and the model %s gives %d", i.Dimension, s.Embed.Name, len(e.vector)), Fix: fix}
}

// modelsOf names the embedding models of the project whose vectors have a number of dimensions.
func (x *exam) modelsOf(ctx context.Context, dimension int) []string {
	var out []string
	for _, m := range x.setup.Models {
		if m.Embedder == nil || m.Role != Embeds && m.Role != Unused {
			continue
		}
		if e, err := x.embed(ctx, m, "dimension"); err == nil && len(e.vector) == dimension {
			out = append(out, m.Name)
		}
	}
	return out
}
