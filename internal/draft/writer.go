package draft

import (
	"fmt"

	"github.com/assay-eval/assay/internal/discover"
)

// Writer is a chat model that can write queries.
type Writer struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	URL      string `json:"url"`

	server *discover.Server
}

// chooseWriter takes the first chat model on this machine.
func (d *Draft) chooseWriter(found discover.Found) {
	n := 0
	for i := range found.Servers {
		s := &found.Servers[i]
		for _, m := range s.Models {
			if !m.Chats || !s.Local() {
				continue
			}
			if n++; d.Writer == nil {
				d.Writer = &Writer{s.Kind, m.Name, s.URL, s}
			}
		}
	}
	switch {
	case d.Writer == nil:
		d.note(Unknown, "writer", "no model that could write queries was found: they are simulated from words of a chunk until you name one")
	case n == 1:
		d.note(Guessed, "writer", d.Writer.Model+" writes queries: the only chat model that was found")
	default:
		d.note(Guessed, "writer", fmt.Sprintf("%s writes queries: the first of %d chat models; a larger one writes better ones", d.Writer.Model, n))
	}
}

// unknowns notes what no probe can tell.
func (d *Draft) unknowns() {
	if d.Live() {
		d.note(Unknown, "k", "how many hits your application uses: 10 is written")
		d.note(Unknown, "filter", "whether your application filters its searches, or reranks them")
	}
}
