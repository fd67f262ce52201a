package assay

import (
	"context"
	"errors"
	"fmt"
)

// Kind classifies a failure of a server, a model or an input. It is stored with every failed query and
// rejected item, so the values are part of the file format.
type Kind string

// The kinds of failure.
const (
	KindTimeout     Kind = "timeout"      // no answer before the deadline
	KindUnavailable Kind = "unavailable"  // connection refused or reset, 502, 503, 504
	KindRateLimited Kind = "rate_limited" // 429
	KindRefused     Kind = "refused"      // no access: 401, 403, or a key that is missing or wrong
	KindDeclined    Kind = "declined"     // a model or a content filter that will not answer this
	KindNotFound    Kind = "not_found"    // collection, model or path does not exist
	KindInvalid     Kind = "invalid"      // the request is wrong: dimension, filter, option
	KindTruncated   Kind = "truncated"    // output hit its cap, or input did not fit
	KindMalformed   Kind = "malformed"    // an answer that is not what the protocol promises
	KindEmpty       Kind = "empty"        // an answer without content where content is due
	KindCanceled    Kind = "canceled"     // the caller gave up
	KindInternal    Kind = "internal"     // everything else
)

// Retryable reports whether the same call may succeed later without anyone changing anything.
func (k Kind) Retryable() bool {
	return k == KindTimeout || k == KindUnavailable || k == KindRateLimited
}

// Error is a failure with its kind and place. Err says what happened; Where names the host, file or
// query; Raw keeps the start of a reply that could not be used.
type Error struct {
	Kind       Kind
	Op         string // what was being done: "search", "embed", "chat", "list"
	Where      string // host and path, file:line, query id
	Err        error
	Raw        string  // first bytes of the offending reply, at most RawLimit
	RetryAfter float64 // seconds the server asked to wait; 0 when it did not
	Call       bool    // it is about the way to the server or what was sent, whatever the kind: a page of a proxy, a prompt too long
}

// RawLimit bounds the bytes of a foreign reply that an Error keeps.
const RawLimit = 2048

func (e *Error) Error() string {
	s := e.Op
	if e.Where != "" {
		if s != "" {
			s += " "
		}
		s += e.Where
	}
	if s != "" {
		s += ": "
	}
	if e.Err == nil {
		return s + string(e.Kind)
	}
	return s + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error of a kind.
func Errorf(kind Kind, op, where, format string, args ...any) *Error {
	return &Error{Kind: kind, Op: op, Where: where, Err: fmt.Errorf(format, args...)}
}

// KindOf finds the kind of err: that of the first Error in its chain, else from the context's errors,
// else KindInternal. KindOf(nil) is "".
func KindOf(err error) Kind {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Kind
	case errors.Is(err, context.DeadlineExceeded):
		return KindTimeout
	case errors.Is(err, context.Canceled):
		return KindCanceled
	}
	return KindInternal
}

// OfReply reports whether an error says something of what a model wrote: that it is no JSON, cut at its cap, empty, or a
// refusal to answer. Asking the same again gives the same. Everything else is about the way to the model, what it was sent or
// who may ask; it says nothing of the question, and must not be kept as if it did.
func OfReply(err error) bool {
	var e *Error
	if !errors.As(err, &e) || e.Call {
		return false
	}
	switch e.Kind {
	case KindMalformed, KindTruncated, KindEmpty, KindDeclined:
		return true
	}
	return false
}

// Sentinels that decide the exit code of a command; wrap them with fmt.Errorf("...: %w").
var (
	ErrUsage      = errors.New("usage")      // exit 2: usage, configuration or unreadable input
	ErrRegression = errors.New("regression") // exit 3
	ErrUndecided  = errors.New("undecided")  // exit 4: inconclusive
	ErrIncomplete = errors.New("incomplete") // exit 5: too many queries failed
	ErrStale      = errors.New("stale")      // exit 6: stale or not comparable
)

// classified attaches a sentinel to an error without changing its message.
type classified struct {
	error
	class error
}

func (c *classified) Unwrap() []error { return []error{c.error, c.class} }

// Classify attaches one of the exit sentinels to err, keeping its message. Classify(nil, …) is nil.
func Classify(err, class error) error {
	if err == nil {
		return nil
	}
	return &classified{err, class}
}

// Usagef makes an error that ends a command with exit code 2.
func Usagef(format string, args ...any) error { return Classify(fmt.Errorf(format, args...), ErrUsage) }

// hinted attaches advice to an error without changing its message.
type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }

// WithHint attaches what to do next, best with a command that works. The message stays as it is; the
// command line prints hints on a line of their own. WithHint(nil, …) is nil.
func WithHint(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return &hinted{err, fmt.Sprintf(format, args...)}
}

// Hint is the outermost hint in err's chain, or "".
func Hint(err error) string {
	var h *hinted
	if errors.As(err, &h) {
		return h.hint
	}
	return ""
}
