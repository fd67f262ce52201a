package pgvector

import (
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/nearest"
)

// settle checks the settings against the columns that there are.
func (t *Table) settle(i *info) error {
	s := t.settings
	invalid := func(option, format string, args ...any) *assay.Error {
		return assay.Errorf(assay.KindInvalid, "inspect", t.where(), option+": "+format, args...)
	}
	v, ok := i.column(s.Vector)
	if !ok {
		return assay.WithHint(invalid("vector", "the table has no column %q", s.Vector), "it has%s", nearest.Suggest(s.Vector, vectors(i)))
	}
	switch v.typ {
	case "vector", "halfvec":
	case "sparsevec", "bit":
		return invalid("vector", "column %s is of type %s, and an embedding model gives dense vectors", v.name, v.typ)
	default:
		return assay.WithHint(invalid("vector", "column %s is of type %s", v.name, v.typ), "columns of vectors%s", nearest.Suggest(s.Vector, vectors(i)))
	}
	i.vector = v
	if s.Key != "" {
		i.key = s.Key
	}
	if i.key == "" {
		return assay.WithHint(invalid("key", "the table has no primary key of one column, so that nothing names a chunk"), "write key: COLUMN, one that no two rows share")
	}
	if s.JSON != "" {
		if c, ok := i.column(s.JSON); !ok || c.typ != "json" && c.typ != "jsonb" {
			return invalid("json", "%q is no column of type json or jsonb%s", s.JSON, nearest.Suggest(s.JSON, i.names()))
		}
	}
	if _, ok := i.column(i.key); !ok {
		return invalid("key", "the table has no column %q%s", i.key, nearest.Suggest(i.key, i.names()))
	}
	for _, f := range []struct{ option, path string }{{"text", s.Text}, {"title", s.Title}, {"document", s.Document}, {"start", s.Start}, {"end", s.End}} {
		if f.path != "" && !i.holds(f.path, s.JSON) {
			return invalid(f.option, "the table has no column %q%s", f.path, nearest.Suggest(f.path, i.names()))
		}
	}
	for _, name := range t.columns(i) {
		if _, ok := i.column(name); !ok {
			return invalid("columns", "the table has no column %q%s", name, nearest.Suggest(name, i.names()))
		}
	}
	return nil
}

// holds reports whether a path leads to a column, into one of JSON, or into the column of metadata.
func (i *info) holds(path, json string) bool {
	if _, ok := i.column(path); ok || json != "" {
		return true
	}
	first, _, nested := strings.Cut(path, ".")
	c, ok := i.column(first)
	return ok && nested && (c.typ == "json" || c.typ == "jsonb")
}

// vectors lists the columns of vectors.
func vectors(i *info) []string {
	var out []string
	for _, c := range i.columns {
		if c.typ == "vector" || c.typ == "halfvec" {
			out = append(out, c.name)
		}
	}
	return out
}
