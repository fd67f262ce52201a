// Package assay holds the words that every part of the evaluation harness shares: documents and the
// chunks cut from them, queries and their labels, rankings and runs, and the small interfaces between
// rooms (Retriever, ChunkLister, Embedder, Chat, Reranker).
//
// It is opinionated about three things. A label points at text, not at a chunk id, so that it outlives
// the chunker. A failed query is a Result with an Error, never an empty ranking and never a zero. And
// optional powers of a store are small extra interfaces asked for by type assertion, so that the base
// interface stays one method wide.
//
// Nothing here dials, draws, parses flags or touches a file; the package imports the standard library
// only.
package assay
