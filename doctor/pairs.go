package doctor

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/vector"
)

// pairing is questions with the passages that answer them, and passages that answer none of them.
type pairing struct {
	pairs    []pair
	others   []string // texts of other chunks
	labelled bool     // the pairs are from labels, not made of chunks
}

type pair struct{ query, passage string }

// what says where the pairs are from.
func (p *pairing) what() string {
	if p.labelled {
		return fmt.Sprintf("%d labelled queries among %d passages", len(p.pairs), len(p.passages()))
	}
	return fmt.Sprintf("%d first sentences as queries for the rest of their chunks, among %d passages", len(p.pairs), len(p.passages()))
}

// passages are all passages, those of the pairs first.
func (p *pairing) passages() []string {
	out := make([]string, 0, len(p.pairs)+len(p.others))
	for _, q := range p.pairs {
		out = append(out, q.passage)
	}
	return append(out, p.others...)
}

// fewest is the number of pairs below which a mean over them says nothing.
const fewest = 5

// pairs makes a sample of pairs from a system's labels, or where those are too few from its chunks.
func (x *exam) pairs(ctx context.Context, s *System) (*pairing, error) {
	return x.pairings.get(s, func() (*pairing, error) {
		l, err := x.list(ctx, s)
		if err != nil {
			return nil, err
		}
		p := &pairing{pairs: x.labelled(l), labelled: true}
		if len(p.pairs) < fewest {
			p = &pairing{pairs: x.split(l)}
		}
		if len(p.pairs) < fewest {
			return nil, fmt.Errorf("fewer than %d labelled queries, and fewer chunks of two sentences", fewest)
		}
		taken := map[string]bool{}
		for _, q := range p.pairs {
			taken[q.passage] = true
		}
		for _, c := range l.sample(2*x.opts.Sample, x.opts.Seed) {
			if !p.labelled || taken[c.Text] || len(p.others) == x.opts.Sample {
				continue
			}
			taken[c.Text] = true
			p.others = append(p.others, c.Text)
		}
		return p, nil
	})
}

// labelled pairs queries with the text of a chunk that is labelled as relevant. Passages are distinct.
func (x *exam) labelled(l *listing) []pair {
	set := x.setup.Testset
	if set == nil || set.Err != nil {
		return nil
	}
	text := map[string]string{}
	for i := range l.chunks {
		text[l.chunks[i].ID] = l.chunks[i].Text
	}
	var out []pair
	taken := map[string]bool{}
	for _, i := range rand.New(rand.NewPCG(x.opts.Seed, 2)).Perm(len(set.Queries)) {
		q := set.Queries[i]
		for _, label := range set.Labels(q.ID) {
			if label.Grade < assay.RelevantGrade {
				continue
			}
			passage := text[label.Target.Chunk]
			if passage == "" {
				passage = holding(l, label.Target.Quote)
			}
			if passage != "" && !taken[passage] {
				taken[passage] = true
				out = append(out, pair{q.Text, passage})
				break
			}
		}
		if len(out) == x.opts.Sample {
			break
		}
	}
	return out
}

// holding is the text of the first chunk that holds a quote; "" when none does.
func holding(l *listing, quote string) string {
	if quote == "" {
		return ""
	}
	for i := range l.chunks {
		if strings.Contains(l.chunks[i].Text, quote) {
			return l.chunks[i].Text
		}
	}
	return ""
}

// split makes pairs of chunks: the first sentence as the query, the rest as the passage.
func (x *exam) split(l *listing) []pair {
	var out []pair
	for _, c := range l.sample(len(l.chunks), x.opts.Seed) {
		head, rest := firstSentence(c.Text)
		if len(strings.Fields(head)) < 3 || len(strings.Fields(rest)) < 3 {
			continue
		}
		if out = append(out, pair{head, rest}); len(out) == x.opts.Sample {
			break
		}
	}
	return out
}

// firstSentence cuts a text behind its first sentence or line; rest is "" when there is only one.
func firstSentence(text string) (head, rest string) {
	text = strings.TrimSpace(text)
	for _, mark := range []string{". ", "? ", "! ", "\n", "。"} {
		if h, r, ok := strings.Cut(text, mark); ok && (rest == "" || len(h) < len(head)) {
			head, rest = strings.TrimSpace(h+strings.TrimSpace(mark)), strings.TrimSpace(r)
		}
	}
	if rest == "" {
		return text, ""
	}
	return head, rest
}

// ranked is what a pairing gives under one way of embedding it.
type ranked struct {
	mrr    float64 // mean reciprocal rank of the passage among all passages
	margin float64 // mean cosine to the passage less that to the best other one
}

// rank embeds a pairing with prefixes and ranks all passages for each query.
func (x *exam) rank(ctx context.Context, m *Model, p *pairing, query, document string) (ranked, error) {
	passages := p.passages()
	vectors := make([][]float32, len(passages))
	for i, text := range passages {
		e, err := x.embed(ctx, m, document+text)
		if err != nil {
			return ranked{}, err
		}
		vectors[i] = e.vector
	}
	var out ranked
	for i, q := range p.pairs {
		e, err := x.embed(ctx, m, query+q.query)
		if err != nil {
			return ranked{}, err
		}
		own, best, rank := vector.Cosine(e.vector, vectors[i]), -1.0, 1
		for j, v := range vectors {
			if j == i {
				continue
			}
			c := vector.Cosine(e.vector, v)
			best = max(best, c)
			if c >= own { // a tie is lost: which comes first would be chance
				rank++
			}
		}
		out.mrr += 1 / float64(rank)
		out.margin += own - best
	}
	n := float64(len(p.pairs))
	if n == 0 {
		return out, errors.New("there are no pairs")
	}
	return ranked{out.mrr / n, out.margin / n}, nil
}
