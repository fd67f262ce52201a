package call

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/assay-eval/assay"
)

// The pauses of a Policy that does not say.
const (
	DefaultBase = 250 * time.Millisecond
	DefaultMax  = 15 * time.Second
)

// Policy says how often and how patiently to try again.
type Policy struct {
	Retries int           // further tries after the first; 0 or less means none
	Base    time.Duration // pause before the first retry, doubled each time; 0 means DefaultBase
	Max     time.Duration // longest pause of our own choosing; 0 means DefaultMax
	Budget  *Budget       // shared by all calls to one server; nil means unlimited
}

// Retry makes a call, and makes it again while its error is of a retryable Kind. A server's Retry-After
// is waited out even beyond Max. It gives up early, with the error in hand, when the pause would outlast
// the context's deadline: sleeping towards a certain timeout helps nobody. The error of a call that was
// made more than once says how often.
//
// Attempts, failed time and pauses go to the context's Effort.
func Retry[T any](ctx context.Context, p Policy, do func(context.Context) (T, error)) (T, error) {
	effort := effortOf(ctx)
	for tries := 1; ; tries++ {
		start := time.Now()
		v, err := do(ctx)
		effort.add(1, 0, 0)
		if err == nil {
			p.Budget.success()
			return v, nil
		}
		effort.add(0, 0, time.Since(start))
		if tries > p.Retries || ctx.Err() != nil || !assay.KindOf(err).Retryable() {
			return v, tried(err, tries)
		}
		pause := p.pause(tries, err)
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= pause {
			return v, tried(err, tries)
		}
		if !p.Budget.take() {
			return v, tried(err, tries)
		}
		if !sleep(ctx, effort, pause) {
			if ctx.Err() == context.Canceled {
				err = assay.Errorf(assay.KindCanceled, "", "", "canceled before another try: %w; it had failed with: %v", context.Canceled, err)
			}
			return v, tried(err, tries)
		}
	}
}

func tried(err error, tries int) error {
	if tries == 1 {
		return err
	}
	return fmt.Errorf("%w (tried %d times)", err, tries)
}

// pause is the server's wish, else exponential with jitter: from half of the step to the whole of it,
// so that workers that failed together do not come back together.
func (p Policy) pause(tries int, err error) time.Duration {
	var e *assay.Error
	if errors.As(err, &e) && e.RetryAfter > 0 {
		return time.Duration(e.RetryAfter * float64(time.Second))
	}
	base, most := p.Base, p.Max
	if base <= 0 {
		base = DefaultBase
	}
	if most <= 0 {
		most = DefaultMax
	}
	step := min(base<<min(tries-1, 30), most)
	if step <= 0 { // the shift overflowed
		step = most
	}
	// Chance decides a pause here and nothing that is ever written down.
	return step/2 + rand.N(step/2+1)
}

// sleep waits and reports whether it may go on.
func sleep(ctx context.Context, effort *Effort, d time.Duration) bool {
	start := time.Now()
	defer func() { effort.add(0, time.Since(start), 0) }()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
