//go:build unix

// Package cputime reads the processor time of the process, for benchmarks on machines that do other work too.
package cputime

import (
	"syscall"
	"time"
)

// Process is the time all threads have spent so far, in the program and in the kernel for it.
func Process() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
