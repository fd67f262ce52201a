package runner

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/call"
)

// Options says what to run.
type Options struct {
	System  assay.Retriever // with its deadline and retries around it
	K       int             // length of the ranking wanted
	Queries iter.Seq[assay.Query]
	Total   int // number of queries, for progress; 0 when unknown
	Workers int // queries under way at once; 0 finds the number
	// Keep takes a finished result with the hits it was made from. Calls do not overlap, and the worker whose
	// result it is takes no other query before Keep has returned. An error stops the run.
	Keep func(assay.Result, []assay.Hit) error
	// Progress is told about every result that was kept, calls do not overlap; nil for nobody.
	Progress func(Progress)
}

// Progress is how far a run has come.
type Progress struct {
	Done    int // finished queries, failed ones included
	Failed  int
	Total   int
	Workers int           // queries allowed under way at once now
	Elapsed time.Duration // since the start
}

// Summary is what a run did.
type Summary struct {
	Done    int
	Failed  int
	Workers int // most queries under way at once
	Elapsed time.Duration
}

// run is the state of one Run call.
type run struct {
	opts    Options
	limit   *limiter
	start   time.Time
	cancel  context.CancelCauseFunc
	workers sync.WaitGroup

	taking sync.Mutex // held to take a query
	next   func() (assay.Query, bool)

	keeper
}

// Run drives the queries and returns when all are finished, ctx is cancelled, Keep fails, or it gave up on
// the system (ErrGaveUp). After a cancelled ctx the summary is still right and the error is ctx's.
func Run(ctx context.Context, opts Options) (Summary, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next, stop := iter.Pull(opts.Queries)
	defer stop()
	r := &run{opts: opts, limit: newLimiter(opts.Workers), start: time.Now(), cancel: cancel, next: next}
	r.hire(ctx, r.limit.first())
	r.workers.Wait()
	r.sum.Elapsed, r.sum.Workers = time.Since(r.start), r.limit.most()
	return r.sum, context.Cause(ctx)
}

// hire starts n workers.
func (r *run) hire(ctx context.Context, n int) {
	for range n {
		r.workers.Go(func() { r.work(ctx) })
	}
}

// work runs one query after another until none is left, the run is stopped, or fewer workers are wanted.
func (r *run) work(ctx context.Context) {
	for stay := true; stay; {
		q, ok := r.take(ctx)
		if !ok {
			return
		}
		r.limit.begin()
		resp, effort, err := r.search(ctx, q)
		var more int
		stay, more = r.limit.end(err == nil)
		r.hire(ctx, more)
		// What was cut off is no answer; what was finished nevertheless is kept.
		if err == nil || ctx.Err() == nil {
			res := Result(q.ID, resp, err)
			res.Attempts = effort.Attempts()
			r.keep(res, resp.Hits, err)
		}
	}
}

// take gives the next query, if one is to be run.
func (r *run) take(ctx context.Context) (assay.Query, bool) {
	r.taking.Lock()
	defer r.taking.Unlock()
	if ctx.Err() != nil {
		return assay.Query{}, false
	}
	return r.next()
}

func (r *run) search(ctx context.Context, q assay.Query) (assay.Response, *call.Effort, error) {
	ctx, effort := call.WithEffort(ctx)
	resp, err := r.opts.System.Search(ctx, assay.Request{Text: q.Text, Filter: q.Filter, K: r.opts.K})
	return resp, effort, err
}
