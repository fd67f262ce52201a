// Package wire holds what the clients of model servers share: reading their errors, checking their
// vectors, and the small conversions between a request and what servers take.
package wire

import (
	"errors"
	"strings"

	"github.com/assay-eval/assay"
)

// DefaultMaxTokens caps a reply where neither request nor configuration does.
const DefaultMaxTokens = 1024

// MaxTokens is the cap of a request: its own, else the configured one, else DefaultMaxTokens.
func MaxTokens(request, configured int) int {
	switch {
	case request > 0:
		return request
	case configured > 0:
		return configured
	}
	return DefaultMaxTokens
}

// Seed folds a seed into the 31 bits that every server takes (llama.cpp reads 2^32-1 as "random"). Seeds
// below 2^31 stay what they are.
func Seed(seed uint64) int64 {
	return int64((seed ^ seed>>31 ^ seed>>62) & (1<<31 - 1))
}

// WithKind is err with another kind, keeping place, words and raw reply; hints on the way to it are lost. It is for what a
// server says of a call, which no model wrote.
// An err that holds no *assay.Error comes back as it is.
func WithKind(err error, kind assay.Kind) error {
	var e *assay.Error
	if !errors.As(err, &e) {
		return err
	}
	changed := *e
	changed.Kind, changed.Call = kind, true
	return &changed
}

// tooLong are the words by which servers refuse an input beyond the context window or the batch that has
// to hold it. No status says so reliably: 400, 413, 422 and 500 are all in use.
var tooLong = []string{
	"exceeds the context length",        // Ollama
	"exceeds maximum context length",    // Ollama before 0.12
	"exceeds the available context",     // llama.cpp
	"too large to process",              // llama.cpp: physical batch size
	"maximum context length",            // vLLM, OpenAI
	"context_length_exceeded",           // OpenAI
	"longer than the maximum model len", // vLLM
	"must have less than",               // TEI: `inputs` must have less than 512 tokens
	"maximum allowed length",            // Infinity, LM Studio
	"input is too long",                 // Cohere-style servers
}

// TooLong reports whether an error says that the input has too many tokens.
func TooLong(err error) bool { return Says(err, tooLong...) }

// Says reports whether an error's message or the server's raw reply holds one of the phrases, which are
// lower case.
func Says(err error, phrases ...string) bool {
	if err == nil {
		return false
	}
	text := err.Error()
	var e *assay.Error
	if errors.As(err, &e) {
		text += "\n" + e.Raw
	}
	text = strings.ToLower(text)
	for _, p := range phrases {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}
