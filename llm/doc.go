// Package llm is what surrounds a language or embedding model, whatever server it runs on: decorators
// (retry, rate, concurrency, deadline, task prefixes, the schema told in the prompt), a cache on disk,
// and the strict reading of replies. The servers themselves are subpackages: ollama, openai, rerank.
//
// It is opinionated about three things.
//
// A reply is an answer or an error, never something in between. A null in a vector, a vector of zeros,
// a reply cut at its limit, prose where JSON was asked, an object followed by more text: each is an
// error of a kind, with the start of the raw reply, and none is cached.
//
// One bad text does not take its batch along. Where a server refuses a batch for one of its texts,
// clients halve it until the text is found and return a PartialError with the vectors of all others.
//
// What was paid for is kept. The cache has every finished call on disk before its reply is used, under a
// key of everything that shaped it, so that a killed run repeats nothing but the calls in flight.
package llm
