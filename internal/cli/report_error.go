package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/term"
)

// The exit codes of every command.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitRegression  = 3
	exitUndecided   = 4
	exitIncomplete  = 5
	exitStale       = 6
	exitInterrupted = 130
)

// exitCode finds the code of an error. Where several apply the order is the contract's: usage, stale,
// incomplete, regression, undecided.
func exitCode(ctx context.Context, err error) int {
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil && (errors.Is(err, context.Canceled) || assay.KindOf(err) == assay.KindCanceled):
		return exitInterrupted
	case errors.Is(err, assay.ErrUsage):
		return exitUsage
	case errors.Is(err, assay.ErrStale):
		return exitStale
	case errors.Is(err, assay.ErrIncomplete):
		return exitIncomplete
	case errors.Is(err, assay.ErrRegression):
		return exitRegression
	case errors.Is(err, assay.ErrUndecided):
		return exitUndecided
	}
	return exitFailed
}

// errorDocument is an error under --json.
type errorDocument struct {
	Schema string `json:"schema"`
	Code   int    `json:"code"`
	Error  string `json:"error"`
	Where  string `json:"where,omitempty"`
	Hint   string `json:"hint,omitempty"`
}

// errQuiet ends a command with a code after it has said everything itself.
type errQuiet struct{ error }

// report prints an error, the one place that does, and returns the exit code.
func (a *app) report(ctx context.Context, err error) int {
	code := exitCode(ctx, err)
	var quiet errQuiet
	if code == exitOK || errors.As(err, &quiet) {
		return code
	}
	doc := errorDocument{Schema: "assay/error/v1", Code: code, Error: err.Error(), Where: whereOf(err), Hint: assay.Hint(err)}
	if code == exitInterrupted {
		doc.Error = "interrupted; what was finished is kept"
		doc.Hint = "run the same command again to go on"
	}
	if a.json {
		if werr := a.writeJSON(doc); werr == nil {
			return code
		}
	}
	lines := strings.Split(doc.Error, "\n")
	for i, line := range lines {
		prefix := "assay: "
		if i > 0 {
			prefix = "       "
		}
		fmt.Fprintf(a.streams.Err, "%s%s\n", prefix, term.Printable(line))
	}
	if doc.Hint != "" {
		fmt.Fprintf(a.streams.Err, "  hint: %s\n", term.Printable(doc.Hint))
	}
	return code
}

// whereOf is the place that an error names: file:line, host or query.
func whereOf(err error) string {
	var e *assay.Error
	if errors.As(err, &e) {
		return e.Where
	}
	var c *config.Error
	if errors.As(err, &c) && len(c.Problems) > 0 {
		return c.Problems[0].Where
	}
	return ""
}
