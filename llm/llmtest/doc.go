// Package llmtest holds the contracts of assay.Embedder, assay.Chat and assay.Reranker as tests, to be run
// against every client: Embedder, Chat and Reranker against a server that works, Faults against one that
// does not.
//
// It is opinionated that a contract is shown on a real server. What a real server does wrong only now and
// then, such as hanging half-way through a reply, Faults does on purpose.
package llmtest
