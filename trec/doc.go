// Package trec reads and writes qrels and runs, the files in which information retrieval has exchanged
// judgments and rankings for thirty years, in TREC's and in BEIR's form.
//
//	qrels: query iteration document grade
//	run:   query Q0 document rank score tag
//
// It is opinionated about three things. What trec_eval refuses is refused, with file and line, and what
// it accepts is read to the same bits; a Dialect says which release, and whether to be as forgiving as it
// is about numbers that are none. Ids are bytes: only the six ASCII blanks separate fields, so an id may
// hold a comma, a quote, a # or U+00A0. And a run is never held as a whole when it need not be: Run.Each
// hands out one query's block at a time, from several cores, and memory stays at a few blocks as long as
// the lines of each query stand together.
//
// Files may be plain, gzip or zstd, told apart by their first bytes; - is standard input.
package trec
