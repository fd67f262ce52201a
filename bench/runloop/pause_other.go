//go:build !linux

package main

import "time"

// pause waits until a moment.
func pause(until time.Time) { time.Sleep(time.Until(until)) }
