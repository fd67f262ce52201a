package runner

import (
	"sync"
	"time"
)

// Bounds of the search for a good number of workers.
const (
	maxWorkers = 64                     // auto never goes beyond
	minGain    = 1.10                   // throughput must grow by this much for more workers to be worth it
	minWindow  = 300 * time.Millisecond // a throughput over less is noise
	perWorker  = 4                      // finished queries a worker before a window counts
	minSamples = 12                     // and at least so many in all
)

// limiter decides how many workers there are. With a fixed size it only counts. Without one it starts at 1
// and climbs: after each window it compares the throughput with the best seen, grows by half while that
// pays, and else goes back to the best size and stays. Failures halve it at once.
type limiter struct {
	auto bool

	mu      sync.Mutex
	size    int // workers wanted
	hired   int // workers at work, or about to be
	busy    int // of these, with a query under way
	peak    int // most that were busy at once
	settled bool

	bestSize int
	bestRate float64
	began    time.Time // of the window; zero until its first query starts
	finished int
}

func newLimiter(workers int) *limiter {
	l := &limiter{size: workers}
	if workers <= 0 {
		l.auto, l.size = true, 1
	}
	return l
}

// first is how many workers to start with.
func (l *limiter) first() int {
	l.hired = l.size
	return l.size
}

// begin notes that a worker starts a query.
func (l *limiter) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.busy++
	l.peak = max(l.peak, l.busy)
	if l.began.IsZero() {
		l.began = time.Now()
	}
}

// end notes that a worker has finished a query, and in auto learns from it. The worker is told whether to
// stay, and how many more to hire.
func (l *limiter) end(ok bool) (stay bool, hire int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.busy--
	if l.auto && !l.settled {
		l.learn(ok)
	}
	if l.hired > l.size {
		l.hired--
		return false, 0
	}
	hire = l.size - l.hired
	l.hired = l.size
	return true, hire
}

func (l *limiter) learn(ok bool) {
	if !ok {
		// An overloaded server says so by failing; one worker has nothing to give up.
		if l.size > 1 {
			l.size, l.settled = max(1, l.size/2), true
		}
		return
	}
	l.finished++
	window := time.Since(l.began)
	if window < minWindow || l.finished < max(minSamples, perWorker*l.size) {
		return
	}
	rate := float64(l.finished) / window.Seconds()
	l.began, l.finished = time.Time{}, 0
	if rate < l.bestRate*minGain {
		l.size, l.settled = l.bestSize, true
		return
	}
	l.bestSize, l.bestRate = l.size, rate
	if l.size = l.size + (l.size+1)/2; l.size > maxWorkers {
		l.size, l.settled = maxWorkers, true
	}
}

func (l *limiter) now() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.size
}

func (l *limiter) most() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.peak
}
