package call

import (
	"context"
	"errors"
	"time"

	"github.com/assay-eval/assay"
)

// Deadline makes one call with a time limit of its own; 0 means none. When the limit is what ended the
// call, the error is of KindTimeout whatever the callee made of it, and names the limit.
func Deadline[T any](ctx context.Context, limit time.Duration, do func(context.Context) (T, error)) (T, error) {
	if limit <= 0 {
		return do(ctx)
	}
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	v, err := do(inner)
	if err == nil || ctx.Err() != nil || inner.Err() == nil || !endedByContext(err) {
		return v, err
	}
	out := &assay.Error{Kind: assay.KindTimeout}
	if e := (*assay.Error)(nil); errors.As(err, &e) {
		out.Op, out.Where, out.Raw = e.Op, e.Where, e.Raw
	}
	out.Err = assay.Errorf("", "", "", "no answer within %v: %w", limit, context.DeadlineExceeded).Err
	return v, out
}

func endedByContext(err error) bool {
	k := assay.KindOf(err)
	return k == assay.KindTimeout || k == assay.KindCanceled || errors.Is(err, context.DeadlineExceeded)
}
