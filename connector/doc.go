// Package connector is what all retrieval systems under test have in common: the decorators around a
// Retriever (retries, deadline, rate and concurrency limit), the settings of a remote one, the repair of
// an answer's list, the mapping of a store's fields to a chunk, and the registry of kinds. Each store is
// a folder of its own that imports no other store; connector/all lists them.
//
// It is opinionated about what a store may do. A store answers or fails: it never retries, never widens a
// filter, never turns a failure into an empty list, never changes the user's collection. What can be
// repaired without guessing (a list longer than k, a repeated id) is repaired and counted in a Note.
package connector
