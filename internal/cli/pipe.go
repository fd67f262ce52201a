package cli

import (
	"cmp"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// untilClosed writes to a reader that may go away, as head does when it has seen enough. What is written
// afterwards goes nowhere and is no error: a run goes on to its end, unseen.
type untilClosed struct {
	w      io.Writer
	closed bool
}

func (u *untilClosed) Write(p []byte) (int, error) {
	if u.closed {
		return len(p), nil
	}
	n, err := u.w.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		u.closed = true
		return len(p), nil
	}
	return n, err
}

// firstError keeps what first went wrong with a writer, so that no command ends well whose result did not get out. The
// library behind help drops the errors of its writes.
type firstError struct {
	w   io.Writer
	err error
}

func (f *firstError) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	f.err = cmp.Or(f.err, err)
	return n, err
}

// surviveClosedPipes makes writing to a pipe that nobody reads an error, where it would kill the process. The
// signal is caught and not ignored: programs that a system starts would inherit that.
func surviveClosedPipes() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
}
