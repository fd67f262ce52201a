package draft

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/discover"
)

// Every server and every named address without one is spoken of; where nothing answers, it is said where was looked.
func TestServersAreSpokenOf(t *testing.T) {
	for name, c := range map[string]struct {
		found discover.Found
		want  []string
	}{
		"none":           {discover.Found{Looked: []string{"http://127.0.0.1:11434", "http://127.0.0.1:6333"}}, []string{"unknown servers none answers at http://127.0.0.1:11434, http://127.0.0.1:6333"}},
		"not looked for": {discover.Found{}, nil},
		"absent":         {discover.Found{Looked: []string{"http://h:1"}, Absent: []discover.Absent{{URL: "http://h:1", From: "QDRANT_URL", Reason: "nothing listens there"}}}, []string{"unknown QDRANT_URL http://h:1: nothing"}},
		"locked": {discover.Found{Servers: []discover.Server{{Kind: discover.Qdrant, URL: "http://q", From: "QDRANT_URL", Product: "Qdrant 1.17.1", Problem: "it wants a key"}}},
			[]string{"found qdrant Qdrant 1.17.1 at http://q (QDRANT_URL); it wants a key"}},
		"empty": {discover.Found{Servers: []discover.Server{{Kind: discover.Chroma, URL: "http://c", From: "usual address", Product: "Chroma API v2"}}}, []string{"found chroma Chroma API v2 at http://c: nothing in it"}},
	} {
		d := &Draft{}
		d.servers(c.found)
		if len(d.Notes) != len(c.want) {
			t.Errorf("%s: %v", name, d.Notes)
			continue
		}
		for i, n := range d.Notes {
			if got := string(n.Status) + " " + n.What + " " + n.Text; !strings.HasPrefix(got, c.want[i]) {
				t.Errorf("%s: %s", name, got)
			}
		}
	}
}
