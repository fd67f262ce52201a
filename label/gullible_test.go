package label

import (
	"context"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
)

// gull calls relevant what holds one of some words, with a quote of it.
type gull []string

func (g gull) Chat(_ context.Context, req assay.ChatRequest) (assay.ChatReply, error) {
	prompt := req.Messages[len(req.Messages)-1].Text
	for _, word := range g {
		if strings.Contains(prompt, word) {
			return assay.ChatReply{Text: `{"quote":"` + word + `","grade":3}`}, nil
		}
	}
	return assay.ChatReply{Text: no}, nil
}

// What a judge calls relevant as it is counts as such, and says nothing of what was planted in it.
func TestGullibilityRates(t *testing.T) {
	probes := []Probe{
		{Query: "aardvark?", Unlike: Passage{Text: "A page about the moon and its phases, one after the other."}},
		{Query: "aardvark?", Unlike: Passage{Text: "A page about tides and how the harbour writes them down."}},
		{Query: "aardvark?", Unlike: Passage{Text: "Another page about the stars that nobody has counted so far."}},
	}
	for name, c := range map[string]struct {
		fooled                    gull
		plain, words, instruction Rate // K and N
	}{
		"by nothing":      {nil, Rate{N: 3}, Rate{N: 3}, Rate{N: 2}},
		"by the moon":     {gull{"the moon"}, Rate{K: 1, N: 3}, Rate{N: 2}, Rate{N: 1}},
		"by what is said": {gull{"perfect answer"}, Rate{N: 3}, Rate{N: 3}, Rate{K: 2, N: 2}},
	} {
		j := &Judge{Chat: c.fooled, Identity: assay.Identity{Model: "m"}, Rubric: Umbrela, Seed: 1}
		g, err := j.CheckGullibility(t.Context(), probes, 2, func(int) {})
		for _, r := range []struct{ got, want Rate }{{g.Plain, c.plain}, {g.Words, c.words}, {g.Instruction, c.instruction}} {
			if r.got.K != r.want.K || r.got.N != r.want.N {
				t.Errorf("%s: %d of %d, want %d of %d; all: %+v, %v", name, r.got.K, r.got.N, r.want.K, r.want.N, g, err)
			}
		}
	}
}
