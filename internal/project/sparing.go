package project

import "runtime/debug"

// sparing lets less garbage pile up until the returned function is called. A test set is as large as the
// project's memory gets, and while it is read or scored, garbage that may grow to the same size would be
// half of the peak.
func sparing() (asBefore func()) {
	before := debug.SetGCPercent(50)
	return func() { debug.SetGCPercent(before) }
}
