// Package testset keeps the queries and labels of a project on disk: two JSON Lines files that only ever
// grow, testset/queries.jsonl and testset/labels.jsonl.
//
// It is opinionated about four things. History is never rewritten: a changed query is a new line of the
// same id, a changed mind is a new event, and which label counts is worked out when the file is read. A
// label points at text wherever the text is known, so that it outlives the chunker that cut it. A version
// is a content hash of what counts, not of the bytes in the file, so two histories that end in the same
// place are the same test set. And a foreign scale is never guessed: grades that are not 0 and 1 are
// refused until the caller says what they mean.
package testset
