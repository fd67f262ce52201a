package runner

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/assay-eval/assay"
)

// giveUpAfter is the number of queries that must fail in a row before the rest is not tried: a wrong
// address, or a server that died half-way, should cost seconds, not a timeout for every query. At the
// start any failure counts, later only those of a server that does not answer; and with many queries
// under way, which all fail together when the server hiccups, two rounds of them must fail.
const giveUpAfter = 5

// ErrGaveUp means that queries failed in a row and the rest was not tried; the results so far were kept.
// The error of the last query is in the chain.
var ErrGaveUp = errors.New("gave up")

// keeper is the part of a run that the worker touches whose result is being kept.
type keeper struct {
	keeping sync.Mutex // held by that worker

	sum     Summary
	row     int  // failed queries since the last one that the server answered
	stopped bool // no result is kept any more
}

// keep hands a finished result to Keep and Progress, unless the run was stopped meanwhile.
func (r *run) keep(res assay.Result, hits []assay.Hit, failed error) {
	r.keeping.Lock()
	defer r.keeping.Unlock()
	if r.stopped {
		return
	}
	if err := r.opts.Keep(res, hits); err != nil {
		r.stop(fmt.Errorf("keep the result of query %s: %w", res.Query, err))
		return
	}
	r.sum.Done++
	if failed != nil {
		r.sum.Failed++
	}
	if r.opts.Progress != nil {
		r.opts.Progress(Progress{r.sum.Done, r.sum.Failed, r.opts.Total, r.limit.now(), time.Since(r.start)})
	}
	if r.hopeless(failed) {
		r.stop(fmt.Errorf("%w after %d failed queries in a row; query %s: %w", ErrGaveUp, r.row, res.Query, failed))
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
