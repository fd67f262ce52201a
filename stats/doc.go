// Package stats says how far a retrieval score can be trusted and whether a
// difference between two systems is real.
//
// It is opinionated about three things.
//
// The caller states what is assumed about the data, never the name of a test
// (as golang/perf's benchmath does). [Design] says which queries hang together,
// what they weigh and how they were sampled; [Options].Assume says what may be
// taken for granted about the scores, by default nothing but independence. The
// package then picks interval and test together, so a mean can never meet a rank
// test by accident. Whether scores are 0/1 is read off the data.
//
// A number carries its warnings. Too few queries, scores without spread, clusters
// that eat the sample: each is a [Warning] inside the result. An error is returned
// only for misuse, such as a NaN score or slices of different length.
//
// Same input, same bytes out. Random draws come from seeded PCG streams, one per
// block of fixed size, so the result depends neither on the number of processors
// nor on the order in which queries or measures are listed.
//
// Start with [Summarize], [ComparePaired], [SummarizeQuantile], [CohenKappa],
// [KrippendorffAlpha] and [PredictionPowered]; the single intervals and tests they
// choose from ([Wilson], [BCa], [Newcombe], [RandomizationTest] and so on) are
// exported for callers who know which one they want. docs/statistics.md has the
// measured coverage and error rates.
package stats
