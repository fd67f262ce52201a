// Package pipeline is one system under test: embed → search → rerank → cut, each stage timed.
//
// A System is itself a Retriever, so that a fused system is made of systems, and so that a deadline or a
// retry around it is the same decorator that goes around a store. What comes out of a System is checked
// here once for every store: best first, at most K, ids unique, scores finite.
package pipeline
