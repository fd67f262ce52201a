package llm

import (
	"fmt"
	"path"
	"strings"

	"github.com/assay-eval/assay"
)

// KnownPrefix says which task prefixes a family of embedding models was trained with. Left out or put on
// the wrong side they cost much and say nothing: nDCG@10 on SciFact of 0.49, where plain BM25 has 0.67, has
// been reported for dense search without them.
type KnownPrefix struct {
	Family   string // as a person writes it
	Match    string // part of a model's name, lower case, that picks the family
	Query    string // put before queries; {task} stands for a sentence of the user's own
	Document string // put before documents; empty for none
	Optional bool   // the model does nearly as well without
}

// KnownPrefixes lists the families whose model cards ask for prefixes, the more specific before the more
// general: the first that matches counts. A family that needs none is listed where a general one would
// match it.
var KnownPrefixes = []KnownPrefix{
	{Family: "nomic-embed-code", Match: "nomic-embed-code", Query: "Represent this query for searching relevant code: "},
	{Family: "nomic-embed-text", Match: "nomic-embed-text", Query: "search_query: ", Document: "search_document: "},
	{Family: "mxbai-embed-large", Match: "mxbai-embed-large", Query: representSentence},
	{Family: "snowflake-arctic-embed v2", Match: "arctic-embed2", Query: "query: "},
	{Family: "snowflake-arctic-embed v2", Match: "arctic-embed-m-v2", Query: "query: "},
	{Family: "snowflake-arctic-embed v2", Match: "arctic-embed-l-v2", Query: "query: "},
	{Family: "snowflake-arctic-embed v1", Match: "arctic-embed", Query: representSentence},
	{Family: "bge-m3", Match: "bge-m3"},
	{Family: "bge-*-en-v1.5", Match: "bge-small-en-v1.5", Query: representSentence, Optional: true},
	{Family: "bge-*-en-v1.5", Match: "bge-base-en-v1.5", Query: representSentence, Optional: true},
	{Family: "bge-*-en-v1.5", Match: "bge-large-en-v1.5", Query: representSentence, Optional: true},
	{Family: "bge-*-en", Match: "bge-small-en", Query: representSentence},
	{Family: "bge-*-en", Match: "bge-base-en", Query: representSentence},
	{Family: "bge-*-en", Match: "bge-large-en", Query: representSentence},
	{Family: "bge-large", Match: "bge-large", Query: representSentence, Optional: true}, // Ollama's name of the v1.5
	{Family: "e5-instruct", Match: "e5-large-instruct", Query: "Instruct: {task}\nQuery: "},
	{Family: "e5-instruct", Match: "e5-mistral", Query: "Instruct: {task}\nQuery: "},
	{Family: "e5", Match: "e5-small", Query: "query: ", Document: "passage: "},
	{Family: "e5", Match: "e5-base", Query: "query: ", Document: "passage: "},
	{Family: "e5", Match: "e5-large", Query: "query: ", Document: "passage: "},
	{Family: "gte-Qwen2-instruct", Match: "gte-qwen2", Query: "Instruct: {task}\nQuery: "},
	{Family: "Qwen3-Embedding", Match: "qwen3-embedding", Query: "Instruct: {task}\nQuery:"},
	{Family: "EmbeddingGemma", Match: "embeddinggemma", Query: "task: search result | query: ", Document: "title: none | text: "},
	{Family: "EmbeddingGemma", Match: "embedding-gemma", Query: "task: search result | query: ", Document: "title: none | text: "},
}

const representSentence = "Represent this sentence for searching relevant passages: "

// DefaultTask is a task to put for {task}, the one Qwen's model card measures retrieval with.
const DefaultTask = "Given a web search query, retrieve relevant passages that answer the query"

// FindPrefix finds the family of a model by its name on the server: a path, an owner, a tag and case do
// not matter. ok is false for a model that is not known to need prefixes.
func FindPrefix(model string) (k KnownPrefix, ok bool) {
	name := strings.ToLower(path.Base(strings.ReplaceAll(model, `\`, "/")))
	name = strings.ReplaceAll(name, "_", "-")
	for _, k := range KnownPrefixes {
		if strings.Contains(name, k.Match) {
			return k, k.Query != "" || k.Document != ""
		}
	}
	return KnownPrefix{}, false
}

// CheckPrefix warns when a model is known to need prefixes and has none, or has those of the other side.
// It has no opinion on a prefix it does not know.
func CheckPrefix(model, query, document string) *assay.Warning {
	k, ok := FindPrefix(model)
	if !ok {
		return nil
	}
	want := fmt.Sprintf("query_prefix: %q", k.Query)
	if k.Document != "" {
		want += fmt.Sprintf(", document_prefix: %q", k.Document)
	}
	swapped := k.Document != "" && strings.TrimSpace(query) == strings.TrimSpace(k.Document) && strings.TrimSpace(document) == strings.TrimSpace(k.Query)
	switch {
	case swapped:
		return &assay.Warning{Code: "prefix_swapped", Text: fmt.Sprintf("%s: query and document prefix are exchanged; write %s", model, want)}
	case k.Optional:
		return nil
	case query == "" && k.Query != "", document == "" && k.Document != "":
		return &assay.Warning{Code: "prefix_missing", Text: fmt.Sprintf("%s was trained with task prefixes and scores far lower without; "+
			"unless the server adds them, write %s (and embed the index the same way)", model, want)}
	}
	return nil
}
