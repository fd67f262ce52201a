package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/term"
)

// A synonym leads to a command that there is, and is none itself.
func TestSynonymsLeadSomewhere(t *testing.T) {
	root := newRoot(&app{streams: &term.Streams{}})
	for path, names := range synonyms {
		cmd, rest, err := root.Find(strings.Fields(path)[1:])
		if err != nil || len(rest) > 0 {
			t.Errorf("there is no %s", path)
			continue
		}
		have := subcommands(cmd)
		for name, meant := range names {
			if !slices.Contains(have, meant) || slices.Contains(have, name) {
				t.Errorf("%s: %q leads to %q, of %q", path, name, meant, have)
			}
		}
	}
}
