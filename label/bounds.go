package label

import (
	"strings"

	"github.com/assay-eval/assay/internal/untrusted"
)

// Bounds on what a judge is shown, in bytes. A passage is graded as a whole or not at all, since its end may be what answers.
// Everything else that is longer is cut, with a mark where, and counted.
const (
	MaxPassage = 64 << 10 // of a passage that is graded
	MaxQuery   = 8 << 10
	MaxTitle   = 1 << 10
	MaxTried   = 24 << 10 // of a passage in a bias check: two stand in one prompt, or one with something planted
)

// material is the query and the passage, under its title, as a judge is shown them.
func material(query string, p *Passage) (shownQuery, shownPassage string) {
	query, _ = untrusted.Cut(query, MaxQuery)
	text := p.Text
	if title, _ := untrusted.Cut(strings.TrimSpace(p.Title), MaxTitle); title != "" {
		text = title + "\n\n" + text
	}
	return untrusted.Text(query), untrusted.Text(text)
}

// beyond tells whether material cuts anything.
func beyond(query string, p *Passage) bool {
	return len(query) > MaxQuery || len(strings.TrimSpace(p.Title)) > MaxTitle
}

// tried is a passage as it enters a bias check.
func tried(p Passage) Passage {
	p.Text, _ = untrusted.Cut(p.Text, MaxTried)
	return p
}
