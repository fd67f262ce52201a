package assay

import (
	"context"
	"encoding/json"
	"iter"
)

// Retriever answers a query with a ranking. It is the one interface every store, index and service
// under test implements.
//
// Contract, held by connector/connectortest:
//   - Hits come best first, at most K of them, each id at most once, with finite scores where higher is
//     better (a store that returns distances negates them).
//   - Nothing found is an empty Response and a nil error. Everything else that is not an answer is an
//     error with a Kind; a Retriever never turns a failure into an empty list.
//   - A filter that cannot be expressed is refused with KindInvalid, never widened.
//   - Search is safe for concurrent use, honours ctx, and does not retry: decorators do.
type Retriever interface {
	Search(ctx context.Context, req Request) (Response, error)
}

// Request is one search. Text and Vector may both be set; a store uses what it needs and refuses
// (KindInvalid) when that is missing.
type Request struct {
	Text   string
	Vector []float32 // query embedding; nil when the retriever embeds by itself or is lexical
	Filter *Filter   // nil means no filter
	K      int       // wanted number of hits, at least 1
}

// Response is the answer to one Request.
type Response struct {
	Hits    []Hit
	Timings Timings // stages the retriever measured itself; Total is set by whoever drives it
	Notes   []Note  // what was repaired on the way, such as a list longer than K that was cut
}

// Note counts a repair or an oddity that did not make the answer unusable.
type Note struct {
	Code  string `json:"code"` // "list_cut", "duplicate_id", "zero_vector", ...
	Count int    `json:"count"`
}

// NoteProgramStarted marks a response for which a program had to be started: the time until it answered holds its
// start, loading of models and indexes included, so the time of the search is unknown and no latency.
const NoteProgramStarted = "program_started"

// Hit is one retrieved chunk.
type Hit struct {
	ID       string         `json:"id"`
	Score    float64        `json:"score"`
	Text     string         `json:"text,omitempty"`
	Title    string         `json:"title,omitempty"`
	Document string         `json:"document,omitempty"`
	Span     *Span          `json:"span,omitempty"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

// ChunkLister is the optional power to list every chunk of an index, in a stable order. Iteration stops
// at the first error, which is yielded with a zero Chunk. WithVectors asks for stored vectors.
type ChunkLister interface {
	ListChunks(ctx context.Context, opts ListOptions) iter.Seq2[Chunk, error]
}

// ListOptions says what a listing should carry.
type ListOptions struct {
	Filter      *Filter
	WithVectors bool
}

// ChunkFetcher is the optional power to fetch chunks by their keys, in the order asked for. A key that the
// index does not have is left out; one that is asked for twice comes twice. WithVectors asks for stored vectors.
type ChunkFetcher interface {
	FetchChunks(ctx context.Context, ids []string, withVectors bool) ([]Chunk, error)
}

// Counter is the optional power to count the chunks under a filter exactly; nil counts all.
type Counter interface {
	Count(ctx context.Context, filter *Filter) (int, error)
}

// ExactSearcher is the optional power to answer without an approximate index: the store's own oracle.
type ExactSearcher interface {
	SearchExact(ctx context.Context, req Request) (Response, error)
}

// Inspector is the optional power to report what the live index is: version, settings and state.
type Inspector interface {
	Inspect(ctx context.Context) (Inspection, error)
}

// Inspection describes a live index. Config holds plain keys that go into the history record
// (collection, distance, dimension, index_params, ...); Raw is the server's own description.
type Inspection struct {
	Kind      string          `json:"kind"`
	Server    string          `json:"server,omitempty"` // product and version
	Config    map[string]any  `json:"config,omitempty"`
	Count     int             `json:"count"` // chunks in the index; -1 when unknown
	Dimension int             `json:"dimension,omitempty"`
	Distance  string          `json:"distance,omitempty"` // "cosine", "dot", "euclid", "manhattan"
	Ready     bool            `json:"ready"`
	Warnings  []Warning       `json:"warnings,omitempty"`
	Raw       json.RawMessage `json:"raw,omitempty"`

	// Fields are the metadata fields that have an index of their own, for filters. nil says nothing: the
	// store needs none, or does not tell. Empty says that no field has one.
	Fields map[string]FieldIndex `json:"fields,omitempty"`
}

// FieldIndex is the index of one metadata field.
type FieldIndex struct {
	Type  string `json:"type,omitempty"` // as the store calls it: "keyword", "integer"
	Count int    `json:"count"`          // chunks in it; fewer than the index holds means a field missing or of another type
}

// FilterIndexer is the optional power to say how the store finds the chunks that pass a condition on one field: by an
// index of that field, or by looking at every chunk. It asks the store, which knows best what it can use.
type FilterIndexer interface {
	FilterIndex(ctx context.Context, condition *Filter) (FilterIndex, error)
}

// FilterIndex is what a store has for a condition on one field.
type FilterIndex struct {
	Used    string // the index that the condition goes through; "" when every chunk is looked at
	Unused  string // an index of the field that this condition cannot go through; "" without one
	Refused bool   // the store refuses such a condition rather than look at every chunk
	Lossy   bool   // vectors are searched through an approximate index, which is walked whether chunks pass or not
	Create  string // the statement that makes an index for it; "" when none could serve it
}

// Capabilities is what a retriever can do, as data for docs, doctor and diagnosis.
type Capabilities struct {
	NeedsVector bool `json:"needs_vector"` // Search refuses a Request without Vector
	ReturnsText bool `json:"returns_text"`
	Filters     bool `json:"filters"` // speaks the neutral filter
	Native      bool `json:"native"`  // passes {"native": ...} filters through
	Lists       bool `json:"lists"`
	Fetches     bool `json:"fetches"` // gives chunks by their keys
	Counts      bool `json:"counts"`
	Exact       bool `json:"exact"`
	Inspects    bool `json:"inspects"`
}

// Describer is the optional power to state capabilities. Decorators forward it.
type Describer interface {
	Capabilities() Capabilities
}

// Unwrapper is implemented by decorators so that As can reach the powers of the retriever inside.
type Unwrapper interface {
	Unwrap() Retriever
}

// As finds the first value of type T in r and the retrievers it decorates.
func As[T any](r Retriever) (T, bool) {
	for r != nil {
		if t, ok := r.(T); ok {
			return t, true
		}
		u, ok := r.(Unwrapper)
		if !ok {
			break
		}
		r = u.Unwrap()
	}
	var zero T
	return zero, false
}
