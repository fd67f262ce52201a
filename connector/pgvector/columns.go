package pgvector

import (
	"slices"
	"strings"
)

// unshown are types that are no metadata: vectors, indexes of words, and bytes, as large as the text itself.
var unshown = []string{"vector", "halfvec", "sparsevec", "bit", "tsvector", "bytea"}

// columns lists the columns to fetch: those of the settings, and what the other options name.
func (t *Table) columns(i *info) []string {
	var out []string
	s := t.settings
	switch {
	case s.Columns == nil || slices.Equal(s.Columns, []string{"all"}):
		for _, c := range i.columns {
			if !slices.Contains(unshown, c.typ) {
				out = append(out, c.name)
			}
		}
		return out
	case !slices.Equal(s.Columns, []string{"none"}):
		out = slices.Clone(s.Columns)
	}
	add := func(name string) {
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, path := range []string{s.Text, s.Title, s.Document, s.Start, s.End} {
		if _, ok := i.column(path); ok || path == "" {
			add(path)
			continue
		}
		if first, _, _ := strings.Cut(path, "."); first != path {
			if _, ok := i.column(first); ok {
				add(first)
			}
		}
	}
	add(s.JSON)
	return out
}
