package draft

import "github.com/assay-eval/assay/internal/discover"

// setting is one key of a retriever, in the order of the file.
type setting struct {
	key     string
	value   any // text, or map[string]any{"env": NAME}
	comment string
}

// settings are the retriever's settings but for kind.
func (s *Store) settings() []setting {
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
	prefix := map[string]string{discover.Qdrant: "payload.", discover.Chroma: "metadata."}[s.Kind]
	for _, f := range []struct{ key, path, comment string }{
		{"key", s.Fields.Key, "what a label calls the chunk"}, {"text", s.Fields.Text, "what was embedded, and is matched with labels"}, {"title", s.Fields.Title, ""},
		{"document", s.Fields.Document, "which document the chunk comes from"}, {"start", s.Fields.Start, "first byte in the document"},
		{"end", s.Fields.End, "first byte behind the chunk"},
	} {
		if f.path != "" {
			add(f.key, prefix+f.path, f.comment)
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
