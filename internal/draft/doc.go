// Package draft makes a first assay.yaml of what was found on a machine: servers, collections, documents.
//
// It is opinionated about what it claims. What a server says is found; what is concluded from a sample is guessed,
// with the evidence; what nobody here can tell is said to be unknown, and the file says so too. An embedding
// model is not taken on its name: it must give the vectors that are stored back from the texts that are stored.
// A system that would measure nonsense, because no such model is here, is written as a comment.
package draft
