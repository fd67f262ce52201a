package draft

import (
	"strings"

	"github.com/assay-eval/assay/internal/discover"
)

// setting is one key of a retriever, in the order of the file.
type setting struct {
	key     string
	value   any // text, or map[string]any{"env": NAME}
	comment string
}

// settings are the retriever's settings but for kind.
func (s *Store) settings() []setting {
	if s.Kind == discover.Postgres {
		return s.tableSettings()
	}
	out := []setting{{"url", s.URL, ""}}
	add := func(key, value, comment string) {
		if value != "" {
			out = append(out, setting{key, value, comment})
		}
	}
	add("tenant", s.server.Tenant, "")
	add("database", s.server.Database, "")
	add("collection", s.Name, "")
	add("using", s.Using, "the vector of that name")
	if s.server.KeyEnv != "" {
		out = append(out, setting{"api_key", map[string]any{"env": s.server.KeyEnv}, "the variable's value is never written anywhere"})
		if s.Kind == discover.Chroma {
			add("api_key_header", discover.ChromaKeyHeader, "")
		}
	}
	return append(out, s.Fields.settings(map[string]string{discover.Qdrant: "payload.", discover.Chroma: "metadata."}[s.Kind])...)
}

// settings are those that name the places of a chunk's parts.
func (f Fields) settings(prefix string) []setting {
	var out []setting
	for _, x := range []struct{ key, path, comment string }{
		{"key", f.Key, "what a label calls the chunk"}, {"text", f.Text, "what was embedded, and is matched with labels"}, {"title", f.Title, ""},
		{"document", f.Document, "which document the chunk comes from"}, {"start", f.Start, "first byte in the document"},
		{"end", f.End, "first byte behind the chunk"},
	} {
		if x.path != "" {
			out = append(out, setting{x.key, prefix + x.path, x.comment})
		}
	}
	return out
}

// The names of what a draft configures.
const (
	system   = "live"
	lexical  = "lexical"
	embedder = "embedder"
	writer   = "writer"
)

// from is what queries are generated from.
func (d *Draft) from() string {
	if d.corpus() {
		return "corpus"
	}
	return system
}

// corpus reports whether the documents belong into the configuration: they are what the collection holds, or all there is.
func (d *Draft) corpus() bool { return d.Documents != nil && (d.SameText || !d.Live()) }

// tableSettings are those of a Postgres table.
func (s *Store) tableSettings() []setting {
	out := []setting{{"url", s.URL, ""}}
	env := map[string]any{"env": s.server.KeyEnv}
	switch {
	case s.server.Connection:
		out = []setting{{"connection", env, "the whole connection string; it is never written anywhere"}}
	case s.server.KeyEnv != "":
		out = append(out, setting{"password", env, "the variable's value is never written anywhere"})
	}
	out = append(out, setting{"table", s.Name, ""}, setting{"vector", s.Using, ""})
	if s.Distance == "" {
		out = append(out, setting{"distance", "cosine", "GUESS: no index says how vectors are compared"})
	}
	if j := s.jsonColumn(); j != "" {
		out = append(out, setting{"json", j, "its keys are fields, beside the columns"})
	}
	f := s.Fields
	if f.Key == "" {
		f.Key = s.keyColumn()
	}
	return append(out, f.settings("")...)
}

// jsonColumn is the only column of JSON of a table, where metadata is kept then.
func (s *Store) jsonColumn() string {
	found := ""
	for _, c := range s.Columns {
		if c.Type == "json" || c.Type == "jsonb" {
			if found != "" {
				return ""
			}
			found = c.Name
		}
	}
	return found
}

// keyColumn names a column that could be the key of a table without a primary key; "" where there is one, or none could.
func (s *Store) keyColumn() string {
	for _, c := range s.Columns {
		if c.Key {
			return ""
		}
	}
	for _, name := range keyNames {
		for _, c := range s.Columns {
			if strings.EqualFold(c.Name, name) {
				return c.Name
			}
		}
	}
	return ""
}
