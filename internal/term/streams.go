package term

import (
	"io"
	"os"

	xterm "golang.org/x/term"
)

// Streams is everything of the outside world that a command prints to or reads from.
type Streams struct {
	In     io.Reader
	Out    io.Writer
	Err    io.Writer
	OutTTY bool // a person reads Out: draw tables; else tab-separated
	ErrTTY bool // a person reads Err: draw progress
	Width  int  // columns of the terminal behind Out; 0 when unknown
	Colour bool // colour is wanted on Out
}

// System is the process's own streams. NO_COLOR and TERM=dumb switch colour off.
func System() *Streams {
	s := &Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		OutTTY: xterm.IsTerminal(int(os.Stdout.Fd())), ErrTTY: xterm.IsTerminal(int(os.Stderr.Fd()))}
	if s.OutTTY {
		s.Width, _, _ = xterm.GetSize(int(os.Stdout.Fd()))
	}
	s.Colour = s.OutTTY && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return s
}
