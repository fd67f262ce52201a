package runner

import (
	"context"
	"errors"
	"fmt"
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
	// Keep takes a finished result with the hits it was made from. Calls do not overlap. An error stops
	// the run.
	Keep func(assay.Result, []assay.Hit) error
	// Progress is told about every finished query, from one goroutine at a time; nil for nobody.
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

// giveUpAfter is the number of queries that must fail in a row before the rest is not tried: a wrong
// address, or a server that died half-way, should cost seconds, not a timeout for every query. At the
// start any failure counts, later only those of a server that does not answer; and with many queries
// under way, which all fail together when the server hiccups, two rounds of them must fail.
const giveUpAfter = 5

// ErrGaveUp means that queries failed in a row and the rest was not tried; the results so far were kept.
// The error of the last query is in the chain.
var ErrGaveUp = errors.New("gave up")

// run is the state of one Run call.
type run struct {
	opts   Options
	limit  *limiter
	start  time.Time
	cancel context.CancelCauseFunc

	mu      sync.Mutex // guards what follows, and serialises Keep and Progress
	sum     Summary
	row     int  // failed queries since the last one that the server answered
	stopped bool // no result is kept any more
}

// Run drives the queries and returns when all are finished, ctx is cancelled, Keep fails, or it gave up on
// the system (ErrGaveUp). After a cancelled ctx the summary is still right and the error is ctx's.
func Run(ctx context.Context, opts Options) (Summary, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &run{opts: opts, limit: newLimiter(opts.Workers), start: time.Now(), cancel: cancel}
	var wg sync.WaitGroup
	for q := range opts.Queries {
		if r.limit.acquire(ctx) != nil {
			break
		}
		wg.Go(func() {
			r.one(ctx, q)
		})
	}
	wg.Wait()
	r.sum.Elapsed, r.sum.Workers = time.Since(r.start), r.limit.most()
	return r.sum, context.Cause(ctx)
}

// one runs a query and keeps its result, unless the run was stopped meanwhile.
func (r *run) one(ctx context.Context, q assay.Query) {
	qctx, effort := call.WithEffort(ctx)
	resp, err := r.opts.System.Search(qctx, assay.Request{Text: q.Text, Filter: q.Filter, K: r.opts.K})
	// The place is given back only when the result is kept, so that one worker means one after another.
	defer func() { r.limit.release(err == nil) }()
	if ctx.Err() != nil && err != nil {
		return
	}
	res := Result(q.ID, resp, err)
	res.Attempts = effort.Attempts()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped {
		return
	}
	if kerr := r.opts.Keep(res, resp.Hits); kerr != nil {
		r.stop(fmt.Errorf("keep the result of query %s: %w", q.ID, kerr))
		return
	}
	r.sum.Done++
	if err != nil {
		r.sum.Failed++
	}
	if r.opts.Progress != nil {
		r.opts.Progress(Progress{r.sum.Done, r.sum.Failed, r.opts.Total, r.limit.now(), time.Since(r.start)})
	}
	if r.hopeless(err) {
		r.stop(fmt.Errorf("%w after %d failed queries in a row; query %s: %w", ErrGaveUp, r.row, q.ID, err))
	}
}

// hopeless counts failures in a row and reports whether the rest is not worth trying.
func (r *run) hopeless(err error) bool {
	never := r.sum.Failed == r.sum.Done // the system has not answered one query
	if err == nil || !never && !assay.KindOf(err).Retryable() {
		r.row = 0
		return false
	}
	r.row++
	if never {
		return r.row >= giveUpAfter
	}
	return r.row >= max(giveUpAfter, 2*r.limit.now())
}

func (r *run) stop(cause error) {
	r.stopped = true
	r.cancel(cause)
}

// Result is a response or an error as a run keeps it.
func Result(query string, resp assay.Response, err error) assay.Result {
	res := assay.Result{Query: query, Hits: []assay.RankedHit{}}
	if err != nil {
		res.Error = &assay.Failure{Kind: assay.KindOf(err), Message: err.Error()}
		return res
	}
	res.Timings, res.Notes = resp.Timings, resp.Notes
	res.Hits = make([]assay.RankedHit, len(resp.Hits))
	for i, h := range resp.Hits {
		res.Hits[i] = assay.RankedHit{ID: h.ID, Score: h.Score, Document: h.Document}
		if h.Span != nil {
			res.Hits[i].Start, res.Hits[i].End = &h.Span.Start, &h.Span.End
		}
		if h.Text != "" {
			res.Hits[i].TextHash = assay.HashText(h.Text)
		}
	}
	return res
}
