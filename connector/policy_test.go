package connector

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/call"
)

// The clock of these tests is synctest's: waits take no time and their length is exact.

// store answers as it is told, each call taking one second.
type store struct {
	mu       sync.Mutex
	fail     []error // errors of the first calls
	hang     bool
	inFlight int
	peak     int
	starts   []time.Duration
	began    time.Time
	timings  assay.Timings
}

func (s *store) Search(ctx context.Context, req assay.Request) (assay.Response, error) {
	err := s.call(ctx)
	if err != nil {
		return assay.Response{}, err
	}
	return assay.Response{Hits: []assay.Hit{{ID: "a", Score: 1}}, Timings: s.timings}, nil
}

func (s *store) call(ctx context.Context) error {
	s.mu.Lock()
	s.starts = append(s.starts, time.Since(s.began))
	s.inFlight++
	s.peak = max(s.peak, s.inFlight)
	var err error
	if len(s.fail) > 0 {
		err, s.fail = s.fail[0], s.fail[1:]
	}
	s.mu.Unlock()
	defer func() { s.mu.Lock(); s.inFlight--; s.mu.Unlock() }()
	if s.hang {
		<-ctx.Done()
		return ctx.Err()
	}
	time.Sleep(time.Second)
	return err
}

func newStore(fail ...error) *store { return &store{fail: fail, began: time.Now()} }

func unavailable() error { return assay.Errorf(assay.KindUnavailable, "search", "host", "down") }

// full has every optional power.
type full struct{ *store }

func (f full) SearchExact(ctx context.Context, req assay.Request) (assay.Response, error) {
	return f.Search(ctx, req)
}
func (f full) Count(ctx context.Context, _ *assay.Filter) (int, error) { return 7, f.call(ctx) }
func (f full) Inspect(ctx context.Context) (assay.Inspection, error) {
	return assay.Inspection{Kind: "x"}, f.call(ctx)
}
func (f full) Capabilities() assay.Capabilities { return assay.Capabilities{Exact: true} }
func (f full) ListChunks(ctx context.Context, _ assay.ListOptions) iter.Seq2[assay.Chunk, error] {
	return func(yield func(assay.Chunk, error) bool) {
		for _, id := range []string{"a", "b", "c"} {
			if !yield(assay.Chunk{ID: id}, nil) {
				return
			}
		}
	}
}

var req = assay.Request{Text: "x", K: 3}

func TestWrapKeepsLatencyClean(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore(unavailable(), unavailable())
		r := Wrap(s, Policy{Retry: call.Policy{Retries: 2}, Rate: 0.1, Concurrency: 1})
		ctx, effort := WithEffort(t.Context())
		start := time.Now()
		resp, err := r.Search(ctx, req)
		if err != nil {
			t.Fatal(err)
		}
		if resp.Timings.Search != time.Second {
			t.Errorf("search took %v; waits and failed tries are in it", resp.Timings.Search)
		}
		if effort.Attempts() != 3 || effort.Failed() < 2*time.Second || time.Since(start) < 19*time.Second {
			t.Errorf("attempts %d, failed %v, wall %v", effort.Attempts(), effort.Failed(), time.Since(start))
		}
		if d := cmp.Diff([]assay.Note{{Code: "retried", Count: 2}}, resp.Notes); d != "" {
			t.Error(d)
		}
		// Each try waits for its own turn.
		if len(s.starts) != 3 || s.starts[2] < 19*time.Second {
			t.Errorf("started at %v", s.starts)
		}
	})
}

func TestWrapKeepsOwnTimings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, own := range []assay.Timings{{Embed: 3, Search: 4, Fuse: 5}, {Embed: 3}, {Fuse: 5}, {Rerank: 6}} {
			s := newStore()
			s.timings = own
			resp, err := Wrap(s, Policy{}).Search(t.Context(), req)
			if err != nil || resp.Timings != own {
				t.Errorf("%+v instead of %+v, %v", resp.Timings, own, err)
			}
		}
	})
}

func TestWrapTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		s.hang = true
		start := time.Now()
		_, err := Wrap(s, Policy{Timeout: 3 * time.Second, Retry: call.Policy{Retries: 1, Base: time.Second, Max: time.Second}}).Search(t.Context(), req)
		if assay.KindOf(err) != assay.KindTimeout || len(s.starts) != 2 {
			t.Errorf("%v after %d tries", err, len(s.starts))
		}
		if wall := time.Since(start); wall < 6*time.Second || wall > 8*time.Second {
			t.Errorf("took %v", wall)
		}
	})
}

// The limits are one for all powers of a retriever: a count takes the place of a search.
func TestWrapSharesItsLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		r := Wrap(full{s}, Policy{Concurrency: 2})
		x, _ := assay.As[assay.ExactSearcher](r)
		c, _ := assay.As[assay.Counter](r)
		i, _ := assay.As[assay.Inspector](r)
		var wg sync.WaitGroup
		for range 3 {
			for _, f := range []func() error{
				func() error { _, err := r.Search(t.Context(), req); return err },
				func() error { _, err := x.SearchExact(t.Context(), req); return err },
				func() error { _, err := c.Count(t.Context(), nil); return err },
				func() error { _, err := i.Inspect(t.Context()); return err },
			} {
				wg.Go(func() {
					if err := f(); err != nil {
						t.Error(err)
					}
				})
			}
		}
		wg.Wait()
		if s.peak != 2 || len(s.starts) != 12 {
			t.Errorf("%d at once, %d calls", s.peak, len(s.starts))
		}
	})
}

func TestWrapRetriesPowers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		r := Wrap(full{s}, Policy{Retry: call.Policy{Retries: 1}})
		x, _ := assay.As[assay.ExactSearcher](r)
		c, _ := assay.As[assay.Counter](r)
		i, _ := assay.As[assay.Inspector](r)
		for name, f := range map[string]func() error{
			"exact":   func() error { _, err := x.SearchExact(t.Context(), req); return err },
			"count":   func() error { _, err := c.Count(t.Context(), nil); return err },
			"inspect": func() error { _, err := i.Inspect(t.Context()); return err },
		} {
			s.fail = []error{unavailable()}
			if err := f(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestWrapShowsThePowersThereAre(t *testing.T) {
	for name, c := range map[string]struct {
		r    assay.Retriever
		want bool
	}{"none": {newStore(), false}, "all": {full{newStore()}, true}, "twice": {Wrap(full{newStore()}, Policy{}), true}} {
		r := Wrap(c.r, Policy{})
		_, exact := assay.As[assay.ExactSearcher](r)
		_, counts := assay.As[assay.Counter](r)
		_, lists := assay.As[assay.ChunkLister](r)
		_, inspects := assay.As[assay.Inspector](r)
		_, describes := assay.As[assay.Describer](r)
		for power, got := range map[string]bool{"exact": exact, "counts": counts, "lists": lists, "inspects": inspects, "describes": describes} {
			if got != c.want {
				t.Errorf("%s: %s %v", name, power, got)
			}
		}
	}
}

// flaky lists five chunks and breaks off where it is told, once each time.
type flaky struct {
	store
	breaks []int
	calls  int
	shift  bool // the second listing starts with another chunk
	shrink bool
}

func (f *flaky) ListChunks(ctx context.Context, _ assay.ListOptions) iter.Seq2[assay.Chunk, error] {
	return func(yield func(assay.Chunk, error) bool) {
		f.calls++
		n := 5
		if f.shrink && f.calls > 1 {
			n = 1
		}
		stop := n
		if len(f.breaks) > 0 {
			stop, f.breaks = f.breaks[0], f.breaks[1:]
		}
		for i := range n {
			if i == stop {
				yield(assay.Chunk{}, unavailable())
				return
			}
			id := i
			if f.shift && f.calls > 1 {
				id = i + 100
			}
			if !yield(assay.Chunk{ID: fmt.Sprint(id)}, nil) {
				return
			}
		}
	}
}

func listAll(t *testing.T, f *flaky, most int) (ids []string, err error) {
	t.Helper()
	l, ok := assay.As[assay.ChunkLister](Wrap(f, Policy{Retry: call.Policy{Retries: 2}, Concurrency: 1}))
	if !ok {
		t.Fatal("the power is gone")
	}
	for c, err := range l.ListChunks(t.Context(), assay.ListOptions{}) {
		if err != nil {
			return ids, err
		}
		if ids = append(ids, c.ID); len(ids) == most {
			break
		}
	}
	return ids, nil
}

func TestListingResumes(t *testing.T) {
	for name, c := range map[string]struct {
		f    *flaky
		most int
		want []string
		err  string
	}{
		"whole":                 {&flaky{}, 0, []string{"0", "1", "2", "3", "4"}, ""},
		"broken twice":          {&flaky{breaks: []int{2, 4}}, 0, []string{"0", "1", "2", "3", "4"}, ""},
		"at once":               {&flaky{breaks: []int{0}}, 0, []string{"0", "1", "2", "3", "4"}, ""},
		"for good":              {&flaky{breaks: []int{2, 2, 2}}, 0, []string{"0", "1"}, "search host: down (tried 3 times)"},
		"stopped":               {&flaky{}, 2, []string{"0", "1"}, ""},
		"stopped after a retry": {&flaky{breaks: []int{1}}, 3, []string{"0", "1", "2"}, ""},
		"changed":               {&flaky{breaks: []int{2}, shift: true}, 0, []string{"0", "1"}, "list 101: the index changed while it was listed: chunk 2 was 1 before a retry (tried 2 times)"},
		"shrunk":                {&flaky{breaks: []int{3}, shrink: true}, 0, []string{"0", "1", "2"}, "list 2: the index shrank while it was listed: it had 3 chunks or more (tried 2 times)"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ids, err := listAll(t, c.f, c.most)
				if d := cmp.Diff(c.want, ids); d != "" {
					t.Error(d)
				}
				if fmt.Sprint(err) != c.err && !(err == nil && c.err == "") {
					t.Errorf("got %v, want %s", err, c.err)
				}
			})
		})
	}
}

// Whoever walks a listing may search meanwhile, even where one call at a time is allowed.
func TestSearchInsideListing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := Wrap(full{newStore()}, Policy{Concurrency: 1})
		l, _ := assay.As[assay.ChunkLister](r)
		for _, err := range l.ListChunks(t.Context(), assay.ListOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Search(t.Context(), req); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestLazy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLazy[int]()
		fetched := 0
		fetch := func(context.Context) (int, error) {
			time.Sleep(time.Second)
			if fetched++; fetched == 1 {
				return 0, errors.New("first fails")
			}
			return fetched, nil
		}
		if _, err := l.Get(t.Context(), fetch); err == nil {
			t.Fatal("the failure is gone")
		}
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				if v, err := l.Get(t.Context(), fetch); v != 2 || err != nil {
					t.Errorf("%d, %v", v, err)
				}
			})
		}
		wg.Wait()
		l.Forget()
		if v, _ := l.Get(t.Context(), fetch); v != 3 || fetched != 3 {
			t.Errorf("%d after %d fetches", v, fetched)
		}
		// Waiting for somebody else's fetch honours the context.
		l.Forget()
		go l.Get(t.Context(), fetch)
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := l.Get(ctx, fetch); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		time.Sleep(time.Minute)
	})
}
