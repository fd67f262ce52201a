// Package fuse merges the rankings of several systems into one by reciprocal rank fusion.
//
// It is opinionated about failure: a leg that fails fails the query. A fusion that went on with the legs
// that answered would report the quality of another system than the one that is configured.
package fuse
