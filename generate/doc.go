// Package generate writes queries from chunks: with a local language model that must quote the evidence
// for its question, or by simulating a person who half remembers a document, which needs no model.
//
// It is opinionated about evidence. A question counts only when the text that answers it is found, word
// for word, in the chunk it was written from; a question that copies its source is refused, because it
// makes every retrieval system look good. What is refused is kept with its reason. Nothing is drawn at
// random without a stored seed.
package generate
