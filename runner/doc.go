// Package runner drives every query of a test set through one system and hands each result on as soon as
// it is there.
//
// It is opinionated about four things. A query that failed is a result with an error, kept like any
// other. What is cut off by an interrupt was never a result: only finished answers are handed on, so that
// stopping at any moment costs only the calls in flight. A worker keeps its result before it takes its next
// query, so that the same holds for a kill. And concurrency is found, not assumed: it grows from one while
// the throughput grows, because a local model server answers one call at a time and more clients would only
// measure its queue.
package runner
