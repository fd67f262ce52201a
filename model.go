package assay

import (
	"context"
	"encoding/json"
)

// Role says on which side of a search a text stands. Models trained with task prefixes need to know.
type Role string

// The two roles of an embedded text.
const (
	RoleQuery    Role = "query"
	RoleDocument Role = "document"
)

// Embedder turns texts into vectors. All vectors of one embedder have one dimension, are finite and not
// all zero: a reply that breaks this is an error (KindMalformed), because a null decoded as 0 would be
// searched for as if it meant something. Order is the order of the texts. It does not retry.
type Embedder interface {
	Embed(ctx context.Context, req EmbedRequest) (EmbedReply, error)
}

// EmbedRequest asks for one vector per text.
type EmbedRequest struct {
	Texts []string
	Role  Role
}

// EmbedReply holds one vector per text, in order.
type EmbedReply struct {
	Vectors   [][]float32
	Tokens    int   // prompt tokens the server counted; 0 when it does not say
	Truncated []int // texts, ascending, of which only the start was read, where the user allowed that
	Cached    int   // vectors that came from a cache: their time is no latency of the model
}

// Chat completes a conversation with a language model. It does not retry.
type Chat interface {
	Chat(ctx context.Context, req ChatRequest) (ChatReply, error)
}

// Message is one turn of a conversation.
type Message struct {
	Role string `json:"role"` // "system", "user" or "assistant"
	Text string `json:"content"`
}

// ChatRequest is one completion. MaxTokens is always set: output without a cap can run for ever.
type ChatRequest struct {
	Messages    []Message
	Schema      json.RawMessage // JSON Schema the reply must satisfy; nil for free text
	MaxTokens   int             // cap on output tokens; 0 means the implementation's default
	Temperature float64
	Seed        uint64
	Stop        []string
	TopLogprobs int // ask for this many alternatives per token; 0 for none
}

// ChatReply is a finished completion. A reply that hit the cap is not a reply but an error of
// KindTruncated that carries the raw text.
type ChatReply struct {
	Text         string       `json:"text"`
	Thinking     string       `json:"thinking,omitempty"` // reasoning, kept apart from the answer
	PromptTokens int          `json:"prompt_tokens,omitempty"`
	OutputTokens int          `json:"output_tokens,omitempty"`
	Logprobs     []TokenProbs `json:"logprobs,omitempty"`
	Cached       bool         `json:"-"` // came from the cache
}

// TokenProbs is one output token with its log probability and the alternatives considered.
type TokenProbs struct {
	Token   string       `json:"token"`
	Logprob float64      `json:"logprob"`
	Top     []TokenProbs `json:"top,omitempty"`
}

// Reranker scores texts against a query; higher is better, one finite score per text, in order.
type Reranker interface {
	Rerank(ctx context.Context, query string, texts []string) ([]float64, error)
}

// Identity names a model so that two runs can be compared: tags move, digests do not.
type Identity struct {
	Provider string            `json:"provider"`
	Model    string            `json:"model"`
	Digest   string            `json:"digest,omitempty"` // content digest of the weights, where the server tells
	Server   string            `json:"server,omitempty"` // product and version
	Details  map[string]string `json:"details,omitempty"`
}

// Identifier is the optional power of a model client to say what it is talking to.
type Identifier interface {
	Identify(ctx context.Context) (Identity, error)
}
