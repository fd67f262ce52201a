package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

var truncation = Check{
	Name: "truncation",
	Asks: "does the model read the longest chunks whole, from the first word to the last?",
	Effect: "what was not read is not in the vector: no query finds it, though the chunk that holds it is in the index and its " +
		"text is shown",
	Of: "systems with a model that can list their chunks",
	run: func(ctx context.Context, x *exam) error {
		return x.systems(ctx, func(s *System) bool { return s.Embed != nil }, one(x.truncation))
	},
}

func (x *exam) truncation(ctx context.Context, s *System) Finding {
	l, err := x.list(ctx, s)
	if err != nil {
		return unchecked(err)
	}
	text := s.Embed.Document + longest(s, l.chunks)
	if strings.TrimSpace(text) == "" {
		return unchecked(errors.New("no chunk has a text"))
	}
	whole, err := x.reads(ctx, s.Embed, text)
	if err != nil {
		return unchecked(err)
	}
	if whole == readWhole {
		e, _ := x.embed(ctx, s.Embed, text) // embedded a moment ago
		f := healthy("the longest chunk (%d bytes%s) is read whole", len(text), tokensOf(e))
		f.Figures = map[string]float64{"bytes": float64(len(text)), "tokens": float64(e.tokens)}
		return f
	}
	limit, err := x.limit(ctx, s.Embed, text)
	if err != nil {
		return unchecked(err)
	}
	over := 0
	for i := range l.chunks {
		if len(s.Embed.Document)+len(s.embedded(&l.chunks[i])) > limit.bytes {
			over++
		}
	}
	f := Finding{Status: Fault, Cause: string(limit.beyond), Figures: map[string]float64{"limit_bytes": float64(limit.bytes), "limit_tokens": float64(limit.tokens),
		"chunks_over": float64(over), "chunks": float64(len(l.chunks)), "longest_bytes": float64(len(text))}}
	f.Found = fmt.Sprintf("%s reads %d bytes%s and %s: about %s are longer (%.1f %%), the longest by %d bytes", s.Embed.Served, limit.bytes, limit.inTokens(), limit.beyond.words(),
		l.of(over), 100*float64(over)/float64(len(l.chunks)), len(text)-limit.bytes)
	if limit.next != limit.beyond {
		f.Found += "; right above the limit it " + limit.next.words()
	}
	f.Fix = fmt.Sprintf("cut chunks to %d bytes or less and embed them again", limit.bytes*9/10)
	if s.Embedded {
		f.Fix = fmt.Sprintf("corpus: {chunk: {size: %d, unit: byte, overlap: %d}}", limit.bytes*9/10, limit.bytes/10)
	}
	f.Fix += ", or take a model that reads more"
	return f
}

// longest is the text that takes the most of a model: the one with the most signs that are a token of their
// own, where they weigh more than plain length does.
func longest(s *System, chunks []assay.Chunk) string {
	best, most := "", -1
	for i := range chunks {
		text := s.embedded(&chunks[i])
		if w := weight(text); w > most {
			best, most = text, w
		}
	}
	return best
}

// embedded is what of a chunk is embedded: assay's own index puts the title before the text.
func (s *System) embedded(c *assay.Chunk) string {
	if s.Embedded && c.Title != "" {
		return c.Title + " " + c.Text
	}
	return c.Text
}

// weight guesses at the tokens of a text: one for four letters, for each mark, and for each sign of a script
// without an alphabet. It only ranks texts.
func weight(text string) int {
	quarters := 0
	for _, r := range text {
		switch {
		case r == ' ' || r == '\n':
		case r >= 0x2e80:
			quarters += 4
		case 'a' <= r|0x20 && r|0x20 <= 'z' || r > 0x7f:
			quarters++
		default:
			quarters += 3
		}
	}
	return quarters / 4
}

func tokensOf(e embedding) string {
	if e.tokens == 0 {
		return ""
	}
	return fmt.Sprintf(", %d tokens", e.tokens)
}
