package main

import (
	"syscall"
	"time"
)

// pause waits until a moment. The thread sleeps, not the goroutine: Go's own timers are rounded to whole
// milliseconds when a program is idle, so that an answer due in 5 ms would come after 5 or 6, as it chances.
func pause(until time.Time) {
	for left := time.Until(until); left > 0; left = time.Until(until) {
		t := syscall.NsecToTimespec(left.Nanoseconds())
		_ = syscall.Nanosleep(&t, nil) // a signal may end it early
	}
}
