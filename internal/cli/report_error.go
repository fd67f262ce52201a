package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

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
	case errors.Is(err, assay.ErrUsage), notFound(err):
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

// several is what went wrong with several systems; each error is shown with its own hint.
type several []error

func (s several) Error() string   { return errors.Join(s...).Error() }
func (s several) Unwrap() []error { return s }

// failures makes one error of many: nil of none, itself of one.
func failures(errs []error) error {
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	return several(errs)
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

func (q errQuiet) Unwrap() error { return q.error }

// notFound reports that a collection, model or path that the configuration names does not exist.
func notFound(err error) bool {
	var all several
	if errors.As(err, &all) {
		return slices.ContainsFunc(all, notFound)
	}
	return assay.KindOf(err) == assay.KindNotFound
}

// report prints an error, the one place that does, and returns the exit code.
func (a *app) report(ctx context.Context, err error) int {
	code := exitCode(ctx, err)
	var quiet errQuiet
	if code == exitOK || errors.As(err, &quiet) {
		return code
	}
	if a.json && a.writeJSON(document(code, err)) == nil {
		return code
	}
	a.explain(code, err)
	return code
}

// document is an error as the JSON that stands for it.
func document(code int, err error) errorDocument {
	if code == exitInterrupted {
		return errorDocument{Schema: "assay/error/v1", Code: code, Error: "interrupted; what was finished is kept", Hint: "run the same command again to go on"}
	}
	return errorDocument{Schema: "assay/error/v1", Code: code, Error: err.Error(), Where: whereOf(err), Hint: hintOf(err)}
}

// explain prints an error for a person: what happened, and on a line of its own what to do.
func (a *app) explain(code int, err error) {
	var all several
	if code != exitInterrupted && errors.As(err, &all) {
		for _, e := range all {
			a.explain(exitFailed, e)
		}
		return
	}
	doc := document(code, err)
	for i, line := range strings.Split(doc.Error, "\n") {
		prefix := "assay: "
		if i > 0 {
			prefix = "       "
		}
		fmt.Fprintf(a.streams.Err, "%s%s\n", prefix, term.Printable(line))
	}
	if doc.Hint != "" {
		fmt.Fprintf(a.streams.Err, "  hint: %s\n", term.Printable(doc.Hint))
	}
}

// hintOf is the hint of an error, or what can be said of a failing file system.
func hintOf(err error) string {
	if hint := assay.Hint(err); hint != "" {
		return hint
	}
	switch {
	case diskFull(err):
		return "free some space and run the same command again; what was finished is kept"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return hintOfDenied(err)
	case assay.KindOf(err) == assay.KindTimeout:
		return "see what keeps the server busy, or give it longer: timeout: of the model or of the retriever in assay.yaml"
	}
	return ""
}

// hintOfDenied tells what may not be read from what may not be written.
func hintOfDenied(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		f, err := os.Open(path.Path)
		if errors.Is(err, fs.ErrPermission) {
			return fmt.Sprintf("make it readable for you: chmod u+r %s, and its folder with it", path.Path)
		}
		if err == nil {
			_ = f.Close() // opened to see whether it can be
		}
	}
	return "make the folder writable for you, or work in a copy of the project"
}

// diskFull reports that a write met the end of the disk, of a quota, or of what one file may hold.
func diskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
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
