// Package label is how ground truth comes to be after a test set was written: which passages have to be judged, what a
// language model says of them, what people say, and how far the two may be believed.
//
// It is opinionated about five things. What is judged is a pool: the top of every ranking that is to be compared, and of
// BM25 beside them, so that no system marks its own homework. A rater sees a query and a passage and nothing else: not
// the system, not the rank, not what another rater said. Near-duplicates are one question. What is not a grade is never
// turned into one: a reply that fails, that is cut, that calls a passage an answer and cannot quote it, is a failure that is
// counted. And a judge is believed only as far as it was measured against people: its card says how far, and without a
// card it decides nothing.
package label
