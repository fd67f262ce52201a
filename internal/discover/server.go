package discover

import (
	"time"

	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/internal/secret"
)

// The kinds of server, as a configuration names them: the providers of models and the kinds of retriever.
const (
	Ollama   = "ollama"
	OpenAI   = "openai"
	Qdrant   = "qdrant"
	Chroma   = "chroma"
	Postgres = "pgvector"
)

// Server is one server that answered.
type Server struct {
	Kind    string `json:"kind"`
	URL     string `json:"url"`               // as a configuration writes it; never with a password
	From    string `json:"from"`              // what named it: "usual address", a variable such as OLLAMA_HOST, or "--at"
	Product string `json:"product,omitempty"` // what it says it is
	Problem string `json:"problem,omitempty"` // what kept it from telling more, such as a missing key

	Models      []Model      `json:"models,omitempty"`
	Collections []Collection `json:"collections,omitempty"`

	KeyEnv   string `json:"key_env,omitempty"` // environment variable that holds its key or password
	Tenant   string `json:"tenant,omitempty"`  // of Chroma, where it is not the default
	Database string `json:"database,omitempty"`

	// Connection says that the variable KeyEnv holds the whole connection string of a Postgres, password included.
	Connection bool `json:"connection,omitempty"`

	asked bool // the person named it by a flag
}

// Local reports whether text of the person's may be sent to the server: it is on this machine, or the person
// named it on the command line. A host that only an environment variable names is somebody else's until then.
func (s *Server) Local() bool { return s.asked || rest.Loopback(s.URL) }

// client makes a client of the server with its key, for short questions.
func (s *Server) client(o *Options) (*rest.Client, error) {
	c := rest.Config{BaseURL: s.URL, Timeout: o.Timeout, MaxBody: maxReply}
	if v, ok := o.lookup(s.KeyEnv); ok {
		c.APIKey = secret.New(v)
	} else {
		s.KeyEnv = ""
	}
	switch s.Kind {
	case Qdrant:
		c.APIKeyHeader = "api-key"
	case Chroma:
		c.APIKeyHeader = ChromaKeyHeader
	}
	return rest.New(c)
}

// ChromaKeyHeader carries the key of a Chroma server.
const ChromaKeyHeader = "X-Chroma-Token"

// maxReply bounds a list of models or collections in bytes.
const maxReply = 8 << 20

// Model is a model that a server offers.
type Model struct {
	Name      string `json:"name"`
	Embeds    bool   `json:"embeds,omitempty"`
	Chats     bool   `json:"chats,omitempty"`
	Dimension int    `json:"dimension,omitempty"` // of its vectors; 0 when unknown
}

// Collection is a set of vectors that a store holds: a collection, a named vector of one, or a vector column.
type Collection struct {
	Name      string `json:"name"`
	Using     string `json:"using,omitempty"` // name of the vector in the collection, or the vector column of the table
	Count     int    `json:"count"`           // chunks; -1 when unknown
	Dimension int    `json:"dimension,omitempty"`
	Distance  string `json:"distance,omitempty"` // "cosine", "dot", "euclid" or "manhattan"

	Columns []Column `json:"columns,omitempty"` // of a table, the vector column aside
}

// Column is a column of a table, by Postgres' name of its type.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Key  bool   `json:"key,omitempty"` // the table's primary key
}

// Options say where to look.
type Options struct {
	option.Env               // environment variables; Dir is not used
	At         []string      // addresses to look at instead of the usual ones and those of the environment
	Timeout    time.Duration // of one short question; 0 means DefaultTimeout
}
