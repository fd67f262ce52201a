package doctor

import (
	"context"
	"strings"

	"github.com/assay-eval/assay"
)

// Setup is what is examined: the systems, models and labels of one assay.yaml, opened but not used.
type Setup struct {
	Models  []*Model
	Corpus  *Corpus // nil when no system is built over documents
	Systems []*System
	Testset *Testset // nil when there is none

	// Classes puts near-duplicate texts into classes: class[i] is the index of the text that stands for
	// texts[i]. nil leaves duplicates unchecked.
	Classes func(texts []string) []int
	// Elsewhere finds servers of a kind (a retriever's kind or a model's provider) at the usual addresses of this
	// machine, for a server that does not answer where it should. nil looks nowhere.
	Elsewhere func(ctx context.Context, kind string) []string
	// FilterFields are the metadata fields that generated queries will be filtered by.
	FilterFields []string
}

// Role is what a model is used for.
type Role string

// The roles of a model. A model that nothing in the configuration uses has none.
const (
	Embeds  Role = "embed"
	Writes  Role = "chat"
	Reranks Role = "rerank"
	Unused  Role = ""
)

// Model is a model under examination. Its clients are bare: no cache, no prefix, so that what is measured
// is the server.
type Model struct {
	Name     string // in the configuration
	Provider string // what its server speaks: "ollama", "openai", "rerank"
	Served   string // name of the model on its server
	Server   string // address, for messages
	Role     Role
	Where    string // file:line
	Err      error  // why it could not be opened

	Embedder assay.Embedder
	Chat     assay.Chat
	Reranker assay.Reranker
	Identify assay.Identifier // nil when it cannot say what it is

	Query, Document string    // prefixes as configured
	Trained         *Prefixes // nil for a model that is not known to need any
}

// Prefixes are the task prefixes that a model was trained with.
type Prefixes struct {
	Family          string
	Query, Document string // may hold {task}, for a sentence of the user's own
	Task            string // a sentence to put there
	Optional        bool   // the model does nearly as well without
}

// query is the query prefix with a task in it.
func (p *Prefixes) query() string { return strings.ReplaceAll(p.Query, taskMark, p.Task) }

const taskMark = "{task}"

// Corpus is the project's own documents, cut into the chunks that embedded systems index.
type Corpus struct {
	Chunks assay.ChunkLister
	Where  string
}

// System is a system under examination. An embedded one, which assay itself builds over the corpus, has no
// store: what can be wrong with it is wrong with the corpus or the model.
type System struct {
	Name     string
	Kind     string // of its retriever: "qdrant", "chroma", "http"
	Embedded bool
	Where    string
	Err      error // why it could not be opened

	Store  assay.Retriever // the store or service behind it; nil when embedded
	Whole  assay.Retriever // all stages, as a query goes through them; nil where building them is work
	Embed  *Model          // nil when it embeds nothing
	Rerank *Model
	K      int

	Fields Fields
	Mend   Mend
}

// Fields are the places in a record where the configuration says the parts of a chunk are.
type Fields struct {
	Text   string // path as configured; "" when none is
	Prefix string // what stands before a metadata path in this kind's settings: "payload.", "metadata."
}

// Mend holds what a command that mends a store is written with.
type Mend struct {
	URL        string
	Collection string
}

// Testset is the queries and the labels that count.
type Testset struct {
	Dir     string
	Queries []assay.Query
	Labels  func(query string) []assay.Label
	Orphans int   // labels of queries that are not there
	Err     error // why it could not be read
}

func (m *Model) subject() string  { return "model " + m.Name }
func (s *System) subject() string { return "system " + s.Name }

const (
	corpusSubject  = "corpus"
	testsetSubject = "test set"
)
