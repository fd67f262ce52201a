// Package treceval prints what NIST's trec_eval prints, byte for byte: the same measures under the same
// names in the same order, per query and as a summary, from the same options.
//
// Two releases are followed. 9.0.8 is the one that pytrec_eval, ir_measures, BEIR and MTEB carry inside
// and that published numbers come from; 10.0 is the current one. They differ in the precision of
// scores, the rounding of recall levels, queries that one file lacks, comments and a few measures.
//
// Where trec_eval ends with an error so does this package, with a message that names file and line.
// Where trec_eval crashes or loops for minutes, it gives the value that the definitions give. Where
// trec_eval's result depends on uninitialised memory (rbp with grades above 1) or on its sort routine
// (fractional gains), it gives the defined value too. docs/metrics.md lists every such place.
package treceval
