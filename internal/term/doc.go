// Package term knows what the three streams of the process are: whether a person reads them, how wide
// they are, whether colour is wanted. Results go to Out, everything else to Err.
package term
