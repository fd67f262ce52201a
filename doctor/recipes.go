package doctor

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/vector"
)

// recipe is a way to make a vector of a chunk.
type recipe struct {
	model  *Model
	prefix string
	shape  shape
}

// shape is what of a chunk is embedded.
type shape string

const (
	plainText shape = "the text"
	withTitle shape = "the title and the text"
	onlyTitle shape = "the title alone"
)

// text is what of a chunk is embedded, without prefix; "" when the chunk has no title.
func (s shape) text(c *assay.Chunk) string {
	switch {
	case s == plainText:
		return c.Text
	case c.Title == "":
		return ""
	case s == onlyTitle:
		return c.Title
	}
	return c.Title + "\n" + c.Text
}

func (r recipe) make(ctx context.Context, x *exam, c *assay.Chunk) ([]float32, error) {
	e, err := x.embed(ctx, r.model, r.prefix+r.shape.text(c))
	return e.vector, err
}

// explainOf is how many chunks a recipe is tried on, which bounds the work: recipes times chunks calls.
const explainOf = 5

// explain looks for the recipe that gives the vectors which disagree: other prefixes, the title with the text,
// the other embedding models of the project. nil when none does.
func (x *exam) explain(ctx context.Context, s *System, c *comparison) (*recipe, float64) {
	var best *recipe
	highest := 0.0
	for _, r := range x.recipes(s) {
		if best != nil && best.model != r.model {
			break // the system's own model comes first, and another with the same weights explains nothing more
		}
		var cosines []float64
		for _, n := range c.off[:min(len(c.off), explainOf)] {
			if r.shape.text(&c.chunks[n]) == "" {
				continue
			}
			v, err := r.make(ctx, x, &c.chunks[n])
			if err != nil {
				break // a model that cannot be asked explains nothing
			}
			cosines = append(cosines, vector.Cosine(v, c.chunks[n].Vector))
			if len(cosines) == 2 && max(cosines[0], cosines[1]) < nearlySame {
				break // two that are far off: not this one
			}
		}
		if m := median(cosines); m >= sameVector && m > highest {
			best, highest = &r, m
		}
	}
	return best, highest
}

// recipes are the ways tried, the likelier first.
func (x *exam) recipes(s *System) []recipe {
	var out []recipe
	seen := map[recipe]bool{{s.Embed, s.Embed.Document, plainText}: true} // what did not fit
	add := func(m *Model, prefixes ...string) {
		for _, shape := range []shape{plainText, withTitle, onlyTitle} {
			for _, p := range prefixes {
				if r := (recipe{m, p, shape}); !seen[r] {
					seen[r] = true
					out = append(out, r)
				}
			}
		}
	}
	add(s.Embed, x.prefixes(s.Embed)...)
	for _, m := range x.setup.Models {
		if m != s.Embed && m.Embedder != nil && (m.Role == Embeds || m.Role == Unused) && !x.down[m.subject()] {
			add(m, x.prefixes(m)...)
		}
	}
	return out
}

// prefixes are those that a model's documents may have been given: the configured ones, none, those it was
// trained with, on either side.
func (x *exam) prefixes(m *Model) []string {
	out := []string{m.Document, "", m.Query}
	if m.Trained != nil {
		out = append(out, m.Trained.Document, m.Trained.query())
	}
	return append(out, commonPrefixes...)
}

// commonPrefixes are tried for every model: a name on a server need not say what the model is.
var commonPrefixes = []string{"search_document: ", "passage: ", "search_query: ", "query: "}

// differs says in words how a recipe differs from what a system is configured with.
func (r recipe) differs(s *System) (cause, words string) {
	switch {
	case r.model != s.Embed:
		cause, words = "wrong_model", fmt.Sprintf("the model %s", r.model.Name)
		if r.prefix != "" {
			words += fmt.Sprintf(" with the prefix %q", r.prefix)
		}
	case r.prefix == "" && s.Embed.Document != "":
		cause, words = "wrong_prefix", "no prefix"
	case r.prefix != s.Embed.Document:
		cause, words = "wrong_prefix", fmt.Sprintf("the prefix %q", r.prefix)
	default:
		return "other_text", string(r.shape)
	}
	if r.shape != plainText {
		words += " before " + string(r.shape)
	}
	return cause, words
}
