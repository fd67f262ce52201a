package call

import (
	"context"
	"sync/atomic"
	"time"
)

// Effort accounts for what the calls made under one context cost beyond the time of the answers that
// were used. It is safe for concurrent use; the zero Effort is ready.
type Effort struct {
	parent   *Effort
	attempts atomic.Int64
	waited   atomic.Int64
	failed   atomic.Int64
}

// Attempts is the number of calls made, successful or not.
func (e *Effort) Attempts() int { return int(e.attempts.Load()) }

// Waited is the time spent waiting for a turn or backing off.
func (e *Effort) Waited() time.Duration { return time.Duration(e.waited.Load()) }

// Failed is the time spent in attempts that failed.
func (e *Effort) Failed() time.Duration { return time.Duration(e.failed.Load()) }

// Lost is Waited plus Failed: what to take off the wall time of a query whose calls followed one
// another. Calls that ran side by side lose time side by side, and there the sum says too much.
func (e *Effort) Lost() time.Duration { return e.Waited() + e.Failed() }

type effortKey struct{}

// add books a cost in this account and in those it was opened under.
func (e *Effort) add(attempts int64, waited, failed time.Duration) {
	for ; e != nil; e = e.parent {
		e.attempts.Add(attempts)
		e.waited.Add(int64(waited))
		e.failed.Add(int64(failed))
	}
}

// WithEffort gives the calls made under the returned context an account. What is booked in it is booked
// in the account of ctx too, so that a stage and the query it belongs to each have their sum.
func WithEffort(ctx context.Context) (context.Context, *Effort) {
	e := &Effort{}
	e.parent, _ = ctx.Value(effortKey{}).(*Effort)
	return context.WithValue(ctx, effortKey{}, e), e
}

// effortOf is the context's account, or one that nobody reads.
func effortOf(ctx context.Context) *Effort {
	if e, ok := ctx.Value(effortKey{}).(*Effort); ok {
		return e
	}
	return new(Effort)
}

// AddWait books time that a call spent on a server getting ready, such as loading a model, as waiting.
func AddWait(ctx context.Context, d time.Duration) { effortOf(ctx).add(0, d, 0) }
