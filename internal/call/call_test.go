package call

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
)

// The clock of every test here is synctest's: waits take no time and their length is exact.

// script answers with its errors in turn, then with success; each attempt takes one second.
func script(errs ...error) func(context.Context) (int, error) {
	n := 0
	return func(ctx context.Context) (int, error) {
		time.Sleep(time.Second)
		n++
		if n <= len(errs) {
			return 0, errs[n-1]
		}
		return n, nil
	}
}

func fail(kind assay.Kind) error { return assay.Errorf(kind, "search", "host", "no") }

func TestRetry(t *testing.T) {
	after := assay.Errorf(assay.KindRateLimited, "", "", "busy")
	after.RetryAfter = 40
	for name, c := range map[string]struct {
		policy   Policy
		errs     []error
		deadline time.Duration
		attempts int
		kind     assay.Kind
		waitMin  time.Duration
		waitMax  time.Duration
	}{
		"first works":       {Policy{Retries: 2}, nil, 0, 1, "", 0, 0},
		"passes":            {Policy{Retries: 2, Base: time.Second}, []error{fail(assay.KindTimeout), fail(assay.KindUnavailable)}, 0, 3, "", 1500 * time.Millisecond, 3 * time.Second},
		"stays":             {Policy{Retries: 2, Base: time.Second}, []error{fail(assay.KindTimeout), fail(assay.KindUnavailable), fail(assay.KindTimeout)}, 0, 3, assay.KindTimeout, 1500 * time.Millisecond, 3 * time.Second},
		"no retries":        {Policy{}, []error{fail(assay.KindTimeout)}, 0, 1, assay.KindTimeout, 0, 0},
		"not retryable":     {Policy{Retries: 5}, []error{fail(assay.KindInvalid)}, 0, 1, assay.KindInvalid, 0, 0},
		"foreign error":     {Policy{Retries: 5}, []error{errors.New("x")}, 0, 1, assay.KindInternal, 0, 0},
		"server's wish":     {Policy{Retries: 1, Base: time.Second, Max: 2 * time.Second}, []error{after}, 0, 2, "", 40 * time.Second, 40 * time.Second},
		"wish too long":     {Policy{Retries: 1}, []error{after}, 30 * time.Second, 1, assay.KindRateLimited, 0, 0},
		"pause is bounded":  {Policy{Retries: 3, Base: time.Second, Max: 2 * time.Second}, []error{fail(assay.KindTimeout), fail(assay.KindTimeout), fail(assay.KindTimeout)}, 0, 4, "", 2500 * time.Millisecond, 5 * time.Second},
		"budget is used up": {Policy{Retries: 9, Base: time.Second, Max: time.Second, Budget: NewBudget(2)}, []error{fail(assay.KindTimeout), fail(assay.KindTimeout), fail(assay.KindTimeout)}, 0, 3, assay.KindTimeout, time.Second, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, effort := WithEffort(t.Context())
				if c.deadline > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, c.deadline)
					defer cancel()
				}
				start := time.Now()
				_, err := Retry(ctx, c.policy, script(c.errs...))
				if assay.KindOf(err) != c.kind || effort.Attempts() != c.attempts {
					t.Fatalf("%d attempts, %v", effort.Attempts(), err)
				}
				if err != nil && (c.attempts > 1) != strings.Contains(err.Error(), "tried") {
					t.Errorf("message %q", err)
				}
				if w := effort.Waited(); w < c.waitMin || w > c.waitMax {
					t.Errorf("waited %v, want %v to %v", w, c.waitMin, c.waitMax)
				}
				failures := time.Duration(c.attempts) * time.Second
				if err == nil {
					failures -= time.Second
				}
				if effort.Failed() != failures {
					t.Errorf("failed %v, want %v", effort.Failed(), failures)
				}
				// What is left of the wall time is the answer that was used.
				if got, want := time.Since(start)-effort.Lost(), time.Duration(c.attempts)*time.Second-failures; got != want {
					t.Errorf("latency %v, want %v", got, want)
				}
			})
		})
	}
}

func TestRetryStopsWhenCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(90*time.Second, cancel)
		start := time.Now()
		// The cancellation meets a pause or, now and then, a call: neither may hold the caller up.
		_, err := Retry(ctx, Policy{Retries: 100, Base: time.Minute, Max: time.Minute}, func(ctx context.Context) (int, error) {
			select {
			case <-time.After(time.Second):
				return 0, fail(assay.KindTimeout)
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		})
		if assay.KindOf(err) != assay.KindCanceled || time.Since(start) != 90*time.Second {
			t.Errorf("returned after %v with %v", time.Since(start), err)
		}
	})
}

func TestBudgetRefills(t *testing.T) {
	b := NewBudget(1)
	if !b.take() || b.take() {
		t.Fatal("a budget of 1 is not 1")
	}
	for range 4 {
		b.success()
	}
	if !b.take() {
		t.Error("four successes do not pay for one retry")
	}
	for range 100 {
		b.success()
	}
	if !b.take() || b.take() {
		t.Error("the budget grew beyond its size")
	}
}

func TestPauseBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Policy{Base: time.Duration(rapid.Int64Range(0, 1<<40).Draw(t, "base")), Max: time.Duration(rapid.Int64Range(0, 1<<50).Draw(t, "max"))}
		most := p.Max
		if most == 0 {
			most = DefaultMax
		}
		if got := p.pause(rapid.IntRange(1, 1000).Draw(t, "tries"), errors.New("x")); got < 0 || got > most {
			t.Fatalf("pause %v of at most %v", got, most)
		}
	})
}

func TestGateConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(3, 0)
		var mu sync.Mutex
		var now, peak int
		var wg sync.WaitGroup
		start := time.Now()
		for range 10 {
			wg.Go(func() {
				leave, err := g.Enter(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				defer leave()
				mu.Lock()
				now++
				peak = max(peak, now)
				mu.Unlock()
				time.Sleep(time.Second)
				mu.Lock()
				now--
				mu.Unlock()
			})
		}
		wg.Wait()
		if peak != 3 || time.Since(start) != 4*time.Second {
			t.Errorf("peak %d, took %v", peak, time.Since(start))
		}
	})
}

func TestGateRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(0, 2)
		ctx, effort := WithEffort(t.Context())
		start := time.Now()
		for range 5 {
			leave, err := g.Enter(ctx)
			if err != nil {
				t.Fatal(err)
			}
			leave()
		}
		if time.Since(start) != 2*time.Second || effort.Waited() != 2*time.Second {
			t.Errorf("took %v, waited %v", time.Since(start), effort.Waited())
		}
	})
}

func TestGateEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(1, 0)
		leave, err := g.Enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := g.Enter(ctx); assay.KindOf(err) != assay.KindTimeout {
			t.Errorf("deadline: %v", err)
		}
		ctx, cancel = context.WithCancel(t.Context())
		cancel()
		if _, err := g.Enter(ctx); assay.KindOf(err) != assay.KindCanceled {
			t.Errorf("canceled: %v", err)
		}
		leave()
		if _, err := g.Enter(t.Context()); err != nil {
			t.Errorf("free again: %v", err)
		}
		slow := NewGate(1, 0.1)
		if _, err := slow.Enter(t.Context()); err != nil {
			t.Fatal(err)
		}
		<-slow.slots
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := slow.Enter(ctx); assay.KindOf(err) != assay.KindTimeout {
			t.Errorf("rate: %v", err)
		}
		if len(slow.slots) != 0 {
			t.Error("a slot was kept by a call that never started")
		}
		if leave, err := (*Gate)(nil).Enter(t.Context()); err != nil || leave == nil {
			t.Error("a nil gate is closed")
		}
	})
}

func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		block := func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 0, &assay.Error{Kind: assay.KindTimeout, Op: "search", Where: "host", Err: ctx.Err()}
		}
		_, err := Deadline(t.Context(), time.Second, block)
		if assay.KindOf(err) != assay.KindTimeout || err.Error() != "search host: no answer within 1s: context deadline exceeded" {
			t.Errorf("own limit: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := Deadline(ctx, time.Minute, block); assay.KindOf(err) != assay.KindTimeout || strings.Contains(err.Error(), "within") {
			t.Errorf("caller's deadline: %v", err)
		}
		if _, err := Deadline(t.Context(), time.Second, func(context.Context) (int, error) { return 0, fail(assay.KindInvalid) }); assay.KindOf(err) != assay.KindInvalid {
			t.Errorf("other error: %v", err)
		}
		if v, err := Deadline(t.Context(), 0, func(ctx context.Context) (int, error) {
			if _, ok := ctx.Deadline(); ok {
				t.Error("0 set a deadline")
			}
			return 7, nil
		}); v != 7 || err != nil {
			t.Errorf("no limit: %v", err)
		}
	})
}
