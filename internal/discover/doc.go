// Package discover finds the servers that a retrieval pipeline is made of on this machine: Ollama,
// OpenAI-compatible model servers, Qdrant, Chroma and Postgres with pgvector.
//
// It is opinionated about manners. Without being told otherwise it talks to loopback addresses only, at the
// ports these servers have by default; another host is looked at when an environment variable or the
// person names it. It sends reads that change nothing, waits briefly, asks everything at once, and sends no text
// of the person's anywhere. A secret is found by the name of its environment variable and goes by that name:
// no result holds one.
package discover
