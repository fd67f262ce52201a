// Package bm25 is a lexical retriever in process, made to be a measuring instrument: a baseline whose
// number means the same on every machine and on every day.
//
// The score is Lucene's BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, in the
// form of Lucene 8 and later, without the constant factor k1+1), with document lengths kept exactly where
// Lucene rounds them to one byte:
//
//	score(q, d) = Σ idf(t) · tf / (tf + k1 · (1 − b + b · |d| / avg|d|))    over the terms t of q, repeats counted
//	idf(t)      = ln(1 + (N − df + 0.5) / (df + 0.5))
//
// N counts the documents that have a term at all, as in Lucene.
//
// What sets it apart is that a ranking depends on the set of chunks and nothing else: not on the order in
// which they came, the number of workers, or what was searched before. Every term's part of a score is
// rounded once, when the index is built, to a whole number of units of 2⁻⁴⁰ (a relative error below 2⁻³²,
// where single precision has 2⁻²⁴), and scores are sums of whole numbers, which have no order. That also
// leaves the search free to skip what cannot matter without changing a digit.
package bm25
