// Package score turns the rankings of one system and the labels of a test set into numbers: it decides
// which retrieved passage is which labelled text, makes a measure.Topic of every query, and sums up.
//
// It is opinionated about four things. A hit is what its text is, not what its id says: ids are believed
// only where there is nothing better, and the share resolved each way is reported. What counts is the
// gold item, a class of equivalent labels: it is satisfied once, at one rank, and finding its twin as well
// earns nothing. A query that failed has no score, and a query without labels is run and not scored; both
// are counted, never averaged in as 0. And every doubt about a number travels with it as a warning: short
// lists, unjudged hits, gold that is not in the index, a ceiling below 1.
//
// Numbers by plain chunk ids, as a ten-line script would compute them, are there beside the others.
package score
