package label

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
)

// probabilities reads the probability of each grade of the test set, 0 to 3, off the log probabilities of a reply's tokens:
// those of the token that is the grade, among the grades of the rubric and scaled to sum to 1 and rounded to six digits. It is nil where the server
// told none, or the tokens are not those of the text.
func (r *Rubric) probabilities(text string, tokens []assay.TokenProbs) []float64 {
	if len(tokens) == 0 {
		return nil
	}
	at, ok := gradeAt(text)
	if !ok {
		return nil
	}
	var all strings.Builder
	for _, t := range tokens {
		all.WriteString(t.Token)
	}
	base := strings.Index(all.String(), text)
	if base < 0 {
		return nil
	}
	at += base
	for _, t := range tokens {
		if at < len(t.Token) {
			return r.spread(t)
		}
		at -= len(t.Token)
	}
	return nil
}

// spread is the distribution over grades at the token that gives one.
func (r *Rubric) spread(t assay.TokenProbs) []float64 {
	mass := map[int]float64{}
	for _, alt := range append([]assay.TokenProbs{{Token: t.Token, Logprob: t.Logprob}}, t.Top...) {
		g, err := strconv.Atoi(strings.TrimSpace(alt.Token))
		if _, ok := r.Grades[g]; err != nil || !ok {
			continue
		}
		// A digit may come with and without a blank before it; the token that was taken stands among the alternatives, too.
		if alt.Token == t.Token && mass[g] > 0 {
			continue
		}
		mass[g] += math.Exp(alt.Logprob)
	}
	out, sum := make([]float64, Grades), 0.0
	for _, g := range r.scale() {
		m, _ := r.mean(g)
		out[m] += mass[g]
		sum += mass[g]
	}
	if !(sum > 0) || math.IsInf(sum, 1) {
		return nil
	}
	for i := range out {
		out[i] = math.Round(1e6*out[i]/sum) / 1e6
	}
	return out
}

// gradeAt is the offset of the grade's digit in a reply that parsed.
func gradeAt(text string) (int, bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	for {
		t, err := d.Token()
		if err != nil {
			return 0, false
		}
		if n, ok := t.(json.Number); ok { // the only number of a reply
			return int(d.InputOffset()) - len(n.String()), true
		}
	}
}

// expected is the grade of the rubric whose meaning lies nearest to the expectation Σ g·p(g), the lower one on a tie (Zhuang
// et al., arXiv 2310.14122, who score by the expectation).
func (r *Rubric) expected(p []float64) (given int) {
	e := 0.0
	for g, share := range p {
		e += float64(float64(g) * share)
	}
	best, far := assay.Grade(0), math.Inf(1)
	for _, candidate := range r.scale() {
		g, _ := r.mean(candidate)
		if d := math.Abs(e - float64(g)); d < far-1e-9 || d < far+1e-9 && g < best {
			given, best, far = candidate, g, d
		}
	}
	return given
}
