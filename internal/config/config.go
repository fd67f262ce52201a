package config

import (
	"time"

	"github.com/assay-eval/assay/internal/secret"
)

// Config is the whole of assay.yaml with defaults applied and paths made absolute.
type Config struct {
	Version  int       `key:"version" doc:"version of this file's format; 1"`
	Corpus   *Corpus   `key:"corpus" doc:"the documents that embedded systems index and labels point into"`
	Models   []Model   `key:"models" doc:"embedding, chat and rerank models by name"`
	Systems  []System  `key:"systems" doc:"the retrieval systems under test by name; without any, a bm25 index over the corpus"`
	Generate Generate  `key:"generate" doc:"how synthetic queries are written"`
	Testset  string    `key:"testset" doc:"folder of queries and labels"`
	Measures []string  `key:"measures" doc:"measures to compute; the first is the headline"`
	Run      Run       `key:"run" doc:"how queries are driven through a system"`
	Judge    Judge     `key:"judge" doc:"the language model that judges passages"`
	Label    Label     `key:"label" doc:"how people judge passages"`
	Gate     Gate      `key:"gate" doc:"rules that a run must hold"`
	File     string    `key:"-"` // absolute path of the file; "" when the defaults are used without one
	Dir      string    `key:"-"` // folder that relative paths are relative to
	places   positions // where each key stands, for later checks
}

// Corpus says where documents are and how they are cut.
type Corpus struct {
	Path  string `key:"path" doc:"folder, file or glob of .md .txt .html; .jsonl; or a BEIR folder" required:"true"`
	Chunk Chunk  `key:"chunk" doc:"how documents are cut into chunks"`
}

// Chunk configures the chunker of the corpus.
type Chunk struct {
	By      string `key:"by" doc:"heading, sentence, fixed or none" enum:"heading,sentence,fixed,none"`
	Size    int    `key:"size" doc:"largest chunk, in units"`
	Overlap int    `key:"overlap" doc:"units repeated at the start of the next chunk"`
	Unit    string `key:"unit" doc:"word, char or byte" enum:"word,char,byte"`
}

// Remote is what every server we talk to can be given.
type Remote struct {
	URL         string            `key:"url" doc:"base address of the server"`
	APIKey      secret.Ref        `key:"api_key" doc:"{env: NAME} or {file: PATH}"`
	Headers     map[string]Header `key:"headers" doc:"extra request headers; a value is text or {env: NAME} or {file: PATH}"`
	CAFile      string            `key:"ca_file" doc:"PEM file of a private certificate authority"`
	Timeout     time.Duration     `key:"timeout" doc:"deadline of one call; when not given that of run.timeout, and 5m for a model that writes or embeds documents"`
	Concurrency int               `key:"concurrency" doc:"calls under way at once; 0 leaves it to the run"`
	Rate        float64           `key:"rate" doc:"calls a second at most; 0 for no limit"`
}

// Header is the value of a request header: text, or where a secret lies.
type Header struct {
	Text string
	Ref  secret.Ref
}

// Model is a named model on a server.
type Model struct {
	Name           string        `key:"-"`
	Provider       string        `key:"provider" doc:"ollama, openai (any OpenAI-compatible server) or rerank" enum:"ollama,openai,rerank" required:"true"`
	Model          string        `key:"model" doc:"name of the model on the server" required:"true"`
	Remote         Remote        `key:",inline"`
	QueryPrefix    string        `key:"query_prefix" doc:"put before every query that is embedded"`
	DocumentPrefix string        `key:"document_prefix" doc:"put before every document that is embedded"`
	Batch          int           `key:"batch" doc:"texts per embedding call; 16 when not given"`
	Truncate       bool          `key:"truncate" doc:"let the server cut texts that are too long instead of failing"`
	MaxTokens      int           `key:"max_tokens" doc:"cap on a reply of a chat model, in tokens"`
	NumCtx         int           `key:"num_ctx" doc:"fixed context size for ollama; 0 sizes it by the prompt"`
	KeepAlive      time.Duration `key:"keep_alive" doc:"how long ollama keeps the model loaded"`
}

// System is one pipeline under test.
type System struct {
	Name      string         `key:"-"`
	Retriever Retriever      `key:"retriever" doc:"the store or index and its settings" required:"true"`
	Embed     string         `key:"embed" doc:"name of the embedding model"`
	Rerank    *Rerank        `key:"rerank" doc:"rerank stage"`
	K         int            `key:"k" doc:"length of the final ranking"`
	Config    map[string]any `key:"config" doc:"free keys, copied into the history record"`
}

// Retriever is a kind and the options of that kind; the options are checked by the kind's own table.
type Retriever struct {
	Kind    string         `key:"kind" doc:"bm25, exact, fuse, qdrant, chroma, pgvector, http or command" required:"true"`
	Options map[string]any `key:",rest"`
}

// Rerank puts a reranker behind the retriever.
type Rerank struct {
	Model string `key:"model" doc:"name of a model with provider rerank" required:"true"`
	Depth int    `key:"depth" doc:"candidates to rerank"`
}

// Generate configures the writing of synthetic queries.
type Generate struct {
	From     string          `key:"from" doc:"corpus, or a system whose chunks can be listed"`
	Model    string          `key:"model" doc:"name of the chat model that writes"`
	Method   string          `key:"method" doc:"llm, or known-item which needs no model" enum:"llm,known-item"`
	Sample   int             `key:"sample" doc:"queries wanted"`
	PerChunk int             `key:"per_chunk" doc:"queries written per chunk"`
	PerDoc   int             `key:"per_document" doc:"chunks sampled from one document at most"`
	By       string          `key:"by" doc:"groups to sample from: document, folder (the first of the document's path), or a metadata field"`
	Allot    string          `key:"allocation" doc:"proportional to the groups' chunks, or balanced: as many of each, weighted back to their share" enum:"proportional,balanced"`
	PerCat   int             `key:"per_category" doc:"queries wanted of each group of by, in place of sample; balanced"`
	Seed     uint64          `key:"seed" doc:"seed of the sample"`
	Examples string          `key:"examples" doc:"file with real queries, one a line, that show the style"`
	Filters  GenerateFilters `key:"filters" doc:"metadata filters attached to a share of the queries"`

	Styles       map[string]float64 `key:"styles" doc:"share of each form: question, keywords, how-to, typo, paraphrase, other-language; together 1"`
	Lengths      map[string]float64 `key:"lengths" doc:"share of each length: short (to 5 words), medium (to 10), long; together 1"`
	Topics       GenerateTopics     `key:"topics" doc:"share of each part of the corpus"`
	Languages    []string           `key:"languages" doc:"languages of the corpus, as de or en, for the style other-language; found in the sample when not given"`
	Unanswerable float64            `key:"unanswerable" doc:"share of queries that nothing in the corpus answers, 0 to 1; scored apart"`
	MinWords     int                `key:"min_words" doc:"least words of a chunk to ask about; 0 is 40, and 12 for known-item"`
	Thorough     bool               `key:"thorough" doc:"also have the model and the retrievers check every question, at several calls each"`
	Retrievers   []string           `key:"retrievers" doc:"systems that thorough checks search with, beside a bm25 index; the first that embeds when not given"`
}

// GenerateTopics declares a mix over the parts of a corpus.
type GenerateTopics struct {
	By     string             `key:"by" doc:"folder (the first of the document's path), or a metadata field"`
	Shares map[string]float64 `key:"shares" doc:"share of each folder or value; together 1"`
}

// GenerateFilters attaches filters from the source's own metadata.
type GenerateFilters struct {
	Fields []string `key:"fields" doc:"metadata fields to filter by"`
	Share  float64  `key:"share" doc:"share of queries that get a filter, 0 to 1"`
}

// Run configures the run loop.
type Run struct {
	Workers   Workers       `key:"workers" doc:"auto, or a number of queries under way at once"`
	Timeout   time.Duration `key:"timeout" doc:"deadline of one call to a retriever or a model that names none of its own"`
	Retries   int           `key:"retries" doc:"further tries of a query that failed for a passing reason"`
	MaxFailed float64       `key:"max_failed" doc:"share of failed queries above which a run is incomplete (exit 5)"`
}

// Workers is a fixed number of workers, or 0 for auto.
type Workers int

// Gate holds the rules of `assay gate`.
type Gate struct {
	Rules []string `key:"rules" doc:"what a run must hold, such as \"recall@10 drop < 0.03\", \"recall@10 >= 0.8\", \"latency_p95_ms < 400\" or \"latency_p95_ms rise < 20%\"; see compare.md"`
}

// Default is the configuration before any file is read.
func Default() *Config {
	return &Config{
		Version:  1,
		Testset:  "testset",
		Measures: []string{"recall@10", "recall@1", "mrr@10", "ndcg@10", "p@10"},
		Judge:    defaultJudge,
		Label:    defaultLabel,
		Generate: Generate{From: "corpus", Method: "llm", Sample: 200, PerChunk: 1, PerDoc: 3, By: "document", Allot: "proportional", Seed: 1},
		Run:      Run{Timeout: 30 * time.Second, Retries: 2, MaxFailed: 0.01},
	}
}

// DefaultChunk is how documents are cut when the file does not say.
var DefaultChunk = Chunk{By: "heading", Size: 300, Overlap: 40, Unit: "word"}

// DefaultK is the length of a ranking when the file does not say.
const DefaultK = 10

// Model finds a model by name.
func (c *Config) Model(name string) (Model, bool) {
	for _, m := range c.Models {
		if m.Name == name {
			return m, true
		}
	}
	return Model{}, false
}

// System finds a system by name.
func (c *Config) System(name string) (System, bool) {
	for _, s := range c.Systems {
		if s.Name == name {
			return s, true
		}
	}
	return System{}, false
}

// Where is the "file:line" of a dotted key such as systems.docs.embed, or of its nearest parent.
func (c *Config) Where(key string) string { return c.places.where(key) }
