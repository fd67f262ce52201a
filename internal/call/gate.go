package call

import (
	"context"
	"errors"
	"time"

	"golang.org/x/time/rate"

	"github.com/assay-eval/assay"
)

// Gate bounds the calls that are under way at once and those that start per second. A nil Gate lets
// everything through.
type Gate struct {
	slots   chan struct{}
	limiter *rate.Limiter
}

// NewGate makes a Gate; 0 or less means no limit of that sort. Calls start evenly spaced: the rate has
// no burst, because a burst is what the server's owner asked not to see.
func NewGate(concurrency int, perSecond float64) *Gate {
	g := new(Gate)
	if concurrency > 0 {
		g.slots = make(chan struct{}, concurrency)
	}
	if perSecond > 0 {
		g.limiter = rate.NewLimiter(rate.Limit(perSecond), 1)
	}
	return g
}

// Enter waits for a turn. The caller calls leave when its call has ended. An error means that the
// context ended, or will end, before there was a turn. The wait goes to the context's Effort.
func (g *Gate) Enter(ctx context.Context) (leave func(), err error) {
	if g == nil {
		return func() {}, nil
	}
	start, effort := time.Now(), effortOf(ctx)
	defer func() { effort.add(0, time.Since(start), 0) }()
	leave = func() {}
	if g.slots != nil {
		select {
		case g.slots <- struct{}{}:
			leave = func() { <-g.slots }
		case <-ctx.Done():
			return nil, noTurn(ctx, "%d calls were under way all the time", cap(g.slots))
		}
	}
	if g.limiter != nil {
		if err := g.limiter.Wait(ctx); err != nil {
			leave()
			return nil, noTurn(ctx, "the rate limit of %v calls a second", g.limiter.Limit())
		}
	}
	return leave, nil
}

func noTurn(ctx context.Context, format string, args ...any) error {
	if errors.Is(context.Cause(ctx), context.Canceled) {
		return assay.Errorf(assay.KindCanceled, "", "", "canceled while waiting for a turn: %w", context.Canceled)
	}
	args = append(args, context.DeadlineExceeded)
	return assay.Errorf(assay.KindTimeout, "", "", "no turn before the deadline: "+format+": %w", args...)
}
