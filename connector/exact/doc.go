// Package exact is a dense retriever in process that compares a query with every vector: the ground truth
// that approximate indexes are held to, and the oracle that says where a missed answer really stood.
//
// It is opinionated about the word exact. Single-precision dot products, the kind every store computes,
// depend in their last digits on the processor and the order of summation, and near ties then change
// places. Here they only choose candidates, by rigorous bounds on their error; what is ranked is computed
// in double precision, in one fixed order, from products that are exact (two float32 multiply without
// rounding in float64). So a ranking and every digit of its scores are the same on every machine, with or
// without vector instructions, in a batch or alone, while the time is that of single precision: the
// memory traffic of reading each vector once.
//
// Nothing here is NaN. A query that is zero, not finite or of another dimension is refused. A stored zero
// vector has no direction: under cosine it comes last, with the score ZeroVectorScore, and is counted.
package exact
