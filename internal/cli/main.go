package cli

import (
	"cmp"
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/assay-eval/assay/internal/term"
)

// Main runs the command line of the process and returns its exit code. The first interrupt lets a
// command keep what it has and end; the second kills the process.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	surviveClosedPipes()
	streams := term.System()
	streams.Out = &untilClosed{w: streams.Out}
	return Run(ctx, os.Args[1:], streams)
}

// Run runs one command line against the given streams and returns its exit code.
func Run(ctx context.Context, args []string, streams *term.Streams) int {
	out := &firstError{w: streams.Out}
	checked := *streams
	checked.Out = out
	a := &app{streams: &checked, args: args}
	root := newRoot(a)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	return a.report(ctx, cmp.Or(err, a.helped, out.err))
}
