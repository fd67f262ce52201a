// Package call holds what every outgoing call needs and no store or model client should repeat: trying
// again (Retry), a limit on calls under way and calls per second (Gate), a deadline of its own
// (Deadline), and an account of the time that all this cost (Effort).
//
// It is opinionated about numbers: time spent waiting for a turn, backing off, or in attempts that
// failed is never part of a latency sample. It is counted apart, so that a slow server and an impatient
// client can be told apart.
package call
