package runner_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/runner"
)

// searchFunc is a system made of a function.
type searchFunc func(ctx context.Context, req assay.Request) (assay.Response, error)

func (f searchFunc) Search(ctx context.Context, req assay.Request) (assay.Response, error) {
	return f(ctx, req)
}

func queries(n int) iter.Seq[assay.Query] {
	return func(yield func(assay.Query) bool) {
		for i := range n {
			if !yield(assay.Query{ID: fmt.Sprintf("q%05d", i), Text: fmt.Sprint(i)}) {
				return
			}
		}
	}
}

func answer(_ context.Context, req assay.Request) (assay.Response, error) {
	return assay.Response{Hits: []assay.Hit{{ID: "d" + req.Text, Score: 1, Text: "text " + req.Text}}}, nil
}

func TestEveryQueryOnceAndFailuresKept(t *testing.T) {
	var kept []assay.Result
	system := searchFunc(func(ctx context.Context, req assay.Request) (assay.Response, error) {
		if strings.HasSuffix(req.Text, "7") {
			return assay.Response{}, assay.Errorf(assay.KindTimeout, "search", "host", "no answer in 1s")
		}
		return answer(ctx, req)
	})
	var last runner.Progress
	sum, err := runner.Run(t.Context(), runner.Options{System: system, K: 10, Queries: queries(100), Total: 100, Workers: 4,
		Keep:     func(r assay.Result, _ []assay.Hit) error { kept = append(kept, r); return nil },
		Progress: func(p runner.Progress) { last = p }})
	if err != nil || sum.Done != 100 || sum.Failed != 10 || sum.Workers > 4 || last.Done != 100 || last.Failed != 10 {
		t.Fatalf("summary %+v, progress %+v, err %v", sum, last, err)
	}
	slices.SortFunc(kept, func(a, b assay.Result) int { return strings.Compare(a.Query, b.Query) })
	for i, r := range kept {
		if r.Query != fmt.Sprintf("q%05d", i) {
			t.Fatalf("place %d holds %s", i, r.Query)
		}
		if failed := i%10 == 7; failed != (r.Error != nil) || failed != (len(r.Hits) == 0) {
			t.Errorf("query %d: %+v", i, r)
		}
		if r.Error != nil && r.Error.Kind != assay.KindTimeout {
			t.Errorf("kind %s", r.Error.Kind)
		}
	}
}

func TestGivesUpWhenTheFirstQueriesAllFail(t *testing.T) {
	var calls atomic.Int32
	system := searchFunc(func(context.Context, assay.Request) (assay.Response, error) {
		calls.Add(1)
		return assay.Response{}, assay.Errorf(assay.KindNotFound, "search", "host", "collection x does not exist")
	})
	kept := 0
	_, err := runner.Run(t.Context(), runner.Options{System: system, Queries: queries(1000), Workers: 1,
		Keep: func(assay.Result, []assay.Hit) error { kept++; return nil }})
	if !errors.Is(err, runner.ErrGaveUp) || assay.KindOf(err) != assay.KindNotFound || !strings.Contains(err.Error(), "5 failed queries in a row; query q00004") {
		t.Errorf("err = %v", err)
	}
	if calls.Load() != 5 || kept != 5 {
		t.Errorf("%d calls, %d kept", calls.Load(), kept)
	}
}

// TestGivesUpWhenTheServerDies has a server die after some queries. What only some queries get wrong is no
// reason to leave the others out. A call takes a millisecond of synctest's clock: the answers of one round of
// workers are all kept before the next round begins, in whatever order the machine wakes the workers.
func TestGivesUpWhenTheServerDies(t *testing.T) {
	for _, c := range []struct {
		name    string
		kind    assay.Kind
		workers int
		fails   func(n int) bool // the n-th call, from 0
		done    int              // results kept
		gaveUp  bool
	}{
		{"refuses connections", assay.KindUnavailable, 1, func(n int) bool { return n >= 20 }, 25, true},
		{"hangs", assay.KindTimeout, 1, func(n int) bool { return n >= 20 }, 25, true},
		{"hiccups", assay.KindUnavailable, 1, func(n int) bool { return n >= 20 && n < 24 || n >= 25 && n < 29 }, 100, false},
		{"two rounds of workers", assay.KindUnavailable, 8, func(n int) bool { return n >= 24 }, 40, true},
		{"does not like the queries", assay.KindInvalid, 1, func(n int) bool { return n >= 20 }, 100, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			var calls atomic.Int32
			system := searchFunc(func(ctx context.Context, req assay.Request) (assay.Response, error) {
				time.Sleep(time.Millisecond)
				if n := calls.Add(1) - 1; c.fails(int(n)) {
					return assay.Response{}, assay.Errorf(c.kind, "search", "host", "no")
				}
				return answer(ctx, req)
			})
			kept := 0
			_, err := runner.Run(t.Context(), runner.Options{System: system, Queries: queries(100), Workers: c.workers,
				Keep: func(assay.Result, []assay.Hit) error { kept++; return nil }})
			if errors.Is(err, runner.ErrGaveUp) != c.gaveUp || kept != c.done {
				t.Errorf("%s: kept %d, want %d; err %v", c.name, kept, c.done, err)
			}
		})
	}
}

func TestFullDiskStopsAndNothingIsKeptAfter(t *testing.T) {
	kept := 0
	_, err := runner.Run(t.Context(), runner.Options{System: searchFunc(answer), Queries: queries(1000), Workers: 8,
		Keep: func(assay.Result, []assay.Hit) error {
			if kept == 20 {
				return errors.New("no space left on device")
			}
			kept++
			return nil
		}})
	if err == nil || !strings.Contains(err.Error(), "no space left") || kept != 20 {
		t.Errorf("err %v after %d", err, kept)
	}
}

// TestInterruptKeepsNoHalfResult cancels while calls are under way: what was cut off is not a failure.
func TestInterruptKeepsNoHalfResult(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	system := searchFunc(func(ctx context.Context, req assay.Request) (assay.Response, error) {
		if req.Text >= "10" && len(req.Text) > 1 {
			<-ctx.Done()
			return assay.Response{}, ctx.Err()
		}
		return answer(ctx, req)
	})
	var mu sync.Mutex
	var kept []assay.Result
	_, err := runner.Run(ctx, runner.Options{System: system, Queries: queries(100), Workers: 4,
		Keep: func(r assay.Result, _ []assay.Hit) error {
			mu.Lock()
			defer mu.Unlock()
			if kept = append(kept, r); len(kept) == 10 {
				cancel()
			}
			return nil
		}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	for _, r := range kept {
		if r.Error != nil {
			t.Errorf("an interrupted query was kept as failed: %+v", r)
		}
	}
	if len(kept) != 10 {
		t.Errorf("kept %d", len(kept))
	}
}

// TestAutoFindsTheCapacity runs against servers that answer a fixed number of calls at once; more
// clients only wait. The number found must be able to use the server and must not run away. The clock is
// synctest's, so that what else the machine does is not taken for the server.
func TestAutoFindsTheCapacity(t *testing.T) {
	for _, capacity := range []int{1, 4} {
		synctest.Test(t, func(t *testing.T) {
			slots := make(chan struct{}, capacity)
			system := searchFunc(func(ctx context.Context, req assay.Request) (assay.Response, error) {
				slots <- struct{}{}
				time.Sleep(10 * time.Millisecond)
				<-slots
				return answer(ctx, req)
			})
			var last runner.Progress
			_, err := runner.Run(t.Context(), runner.Options{System: system, Queries: queries(200 * capacity), K: 1,
				Keep: func(assay.Result, []assay.Hit) error { return nil }, Progress: func(p runner.Progress) { last = p }})
			if err != nil {
				t.Fatal(err)
			}
			if last.Workers < capacity || last.Workers > 3*capacity {
				t.Errorf("capacity %d: settled at %d workers", capacity, last.Workers)
			}
		})
	}
}

// TestOnDiskBeforeTheNextSearch keeps results more slowly than the workers find them. When a search begins, the
// answer that its worker had before is kept already: a kill costs no more than the calls under way, and the
// memory does not fill with what waits.
func TestOnDiskBeforeTheNextSearch(t *testing.T) {
	for _, workers := range []int{1, 3, 8} {
		var begun, kept atomic.Int32
		system := searchFunc(func(ctx context.Context, req assay.Request) (assay.Response, error) {
			if open := begun.Add(1) - kept.Load(); int(open) > workers {
				t.Errorf("%d workers have begun %d searches that are not kept", workers, open)
			}
			return answer(ctx, req)
		})
		sum, err := runner.Run(t.Context(), runner.Options{System: system, Queries: queries(100), Workers: workers, K: 1,
			Keep: func(assay.Result, []assay.Hit) error { time.Sleep(time.Millisecond); kept.Add(1); return nil }})
		if err != nil || sum.Done != 100 || kept.Load() != 100 {
			t.Errorf("%d workers: %+v, %d kept, %v", workers, sum, kept.Load(), err)
		}
	}
}
