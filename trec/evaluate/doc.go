// Package evaluate joins qrels with runs: one measure.Topic per judged query, and from those the rows and
// means that `assay score` prints.
//
// It holds to the rules of scoring that the whole tool has (docs/metrics.md): every judged query counts,
// one that the run lacks scores 0 and says so, a document returned twice counts once at its better rank,
// scores decide over the rank column, and whatever was odd about a file comes back as a warning with a
// count. Package treceval joins the same way and then follows trec_eval's habits instead.
package evaluate
