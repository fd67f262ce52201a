package cli

import (
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
	return Run(ctx, os.Args[1:], term.System())
}

// Run runs one command line against the given streams and returns its exit code.
func Run(ctx context.Context, args []string, streams *term.Streams) int {
	a := &app{streams: streams}
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	return a.report(ctx, root.ExecuteContext(ctx))
}
