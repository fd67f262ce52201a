// Package measure turns one query's ranking and labels into numbers: recall@10, ndcg@10, mrr@10 and
// some forty more, each with its definition, range, direction, gain convention and source in one table.
//
// A measure is a parsed value with one canonical spelling (ndcg@10). The spellings of trec_eval
// (ndcg_cut.10, ndcg_cut_10), ir_measures (nDCG@10) and MTEB (ndcg_at_10) are accepted by Parse and
// never printed. Families lists the table; Register adds to it, and whatever is registered is accepted
// everywhere a name is: configuration, command line, gate, report.
//
// It is opinionated about five things.
//
// Denominators and ideal rankings come from the labels (Topic.Gold), never from what was retrieved.
//
// A measure that a query cannot have (recall where nothing is relevant) is undefined, not 0: Value says
// so, Set.Score says NaN, and a Mean leaves the query out and counts it.
//
// A query that returned nothing scores 0; a query that failed scores nothing and is counted.
//
// Every value stays in the range that its Definition states, whatever the grades.
//
// Every digit equals trec_eval 9.0.8 where trec_eval has the measure: sums run in rank order, means in
// the order of the rows given, and discounts come from a table of log2 that equals glibc's.
package measure
