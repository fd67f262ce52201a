package wire

import (
	"slices"

	"github.com/assay-eval/assay"
)

// TokenLogprobs is one token with its alternatives, in the form that OpenAI gave it and the others took.
type TokenLogprobs struct {
	Token   string          `json:"token"`
	Logprob float64         `json:"logprob"`
	Top     []TokenLogprobs `json:"top_logprobs"`
}

// Logprobs converts them. The alternatives of a token come best first.
func Logprobs(in []TokenLogprobs) []assay.TokenProbs {
	if len(in) == 0 {
		return nil
	}
	out := make([]assay.TokenProbs, len(in))
	for i, t := range in {
		out[i] = assay.TokenProbs{Token: t.Token, Logprob: t.Logprob, Top: Logprobs(t.Top)}
		slices.SortStableFunc(out[i].Top, func(a, b assay.TokenProbs) int {
			switch {
			case a.Logprob > b.Logprob:
				return -1
			case a.Logprob < b.Logprob:
				return 1
			}
			return 0
		})
	}
	return out
}
