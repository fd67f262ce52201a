// Package compare sets runs against runs: matched query by query, measure by measure, with the evidence a person needs to
// believe a difference or to leave it.
//
// It is opinionated about five things. Both sides are scored afresh with today's labels, so a comparison is about rankings
// and never about two states of the labels; a recorded number that no longer holds is said. Queries are matched by
// id, never by text, and a query that only one side has is left out and counted, after the person has agreed to that. What
// makes two runs unlike (a second setting that changed, another test set, another machine) is said before any
// number is. A difference comes with its interval, its test, the count of wins and losses, and the smallest difference that
// this many queries could have found; the p-values of a table are corrected as the one family they are. And nobody is called
// better because a mean is higher: a difference that was not shown is called that.
//
// The package computes. Reading runs, scoring them and drawing the result is done by its callers.
package compare
