// Package split sends many texts in batches a server takes, and halves a batch that it does not take
// until the texts at fault stand alone.
package split

import (
	"context"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/internal/tokens"
)

// Splitter cuts requests into batches. It learns: when a batch is refused whose halves are taken, later
// batches are no larger than the halves. Safe for concurrent use.
type Splitter struct {
	mu    sync.Mutex
	items int
	bytes int
}

// New makes a Splitter that starts with batches of at most items texts (at least 1) and, beyond the
// first text of a batch, bytes of text. A text of at least Alone tokens makes a batch by itself.
func New(items, bytes int) *Splitter { return &Splitter{items: max(1, items), bytes: bytes} }

// futile is how many texts may fail alone before one has succeeded, until the batch's own error is taken
// to be about all of them.
const futile = 3

// Do calls send for consecutive batches of texts and returns one result per text, in order.
//
// An error of send that isolate accepts is looked into by halving; texts that fail alone are reported in
// failed, with zero results. Any other error, and an error that every text seems to share, ends the call.
func Do[R any](ctx context.Context, s *Splitter, texts []string, isolate func(error) bool,
	send func(context.Context, []string) ([]R, error)) (results []R, failed []llm.TextError, err error) {
	w := &work[R]{texts: texts, isolate: isolate, send: send, results: make([]R, len(texts))}
	for lo := 0; lo < len(texts); {
		hi := s.next(texts, lo)
		ok, err := w.do(ctx, lo, hi)
		if err != nil {
			return nil, nil, err
		}
		if n := w.tooMany; ok && n > 0 {
			s.learn(n)
		}
		w.tooMany = 0
		lo = hi
	}
	return w.results, w.failed, nil
}

// next is the end of the batch that starts at lo.
func (s *Splitter) next(texts []string, lo int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	hi, size := lo, 0
	for hi < len(texts) && hi-lo < s.items {
		size += len(texts[hi])
		long := len(texts[hi]) > Alone && tokens.Of(texts[hi]).Low >= Alone
		if hi > lo && (long || s.bytes > 0 && size > s.bytes) {
			break
		}
		hi++
		if long {
			break
		}
	}
	return hi
}

// Alone is the number of tokens from which a text is sent by itself. Servers that cut in silence do so at
// 512 most often, and say how many tokens they read only for a whole batch: a long text must not hide
// among short ones.
const Alone = 450

func (s *Splitter) learn(items int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = min(s.items, max(1, items))
}

// Items is the present limit of texts in a batch.
func (s *Splitter) Items() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.items
}

type work[R any] struct {
	texts   []string
	isolate func(error) bool
	send    func(context.Context, []string) ([]R, error)
	results []R
	failed  []llm.TextError
	good    int
	tooMany int // size of the halves of the smallest batch that was refused only for its size
}

// do sends texts[lo:hi], halving on refusal. ok says that every text of the range has a result.
func (w *work[R]) do(ctx context.Context, lo, hi int) (ok bool, err error) {
	res, err := w.send(ctx, w.texts[lo:hi])
	if err == nil && len(res) != hi-lo {
		err = assay.Errorf(assay.KindInternal, "batch", "", "%d results for %d texts", len(res), hi-lo)
	}
	if err == nil {
		copy(w.results[lo:hi], res)
		w.good += hi - lo
		return true, nil
	}
	if ctx.Err() != nil || !w.isolate(err) {
		return false, err
	}
	if hi-lo == 1 {
		w.failed = append(w.failed, llm.TextError{Index: lo, Err: err})
		if w.good == 0 && len(w.failed) >= futile && len(w.failed) < len(w.texts) {
			return false, w.failed[0].Err
		}
		return false, nil
	}
	mid := lo + (hi-lo)/2
	left, err := w.do(ctx, lo, mid)
	if err != nil {
		return false, err
	}
	right, err := w.do(ctx, mid, hi)
	if err != nil {
		return false, err
	}
	if half := (hi - lo) / 2; left && right && (w.tooMany == 0 || half < w.tooMany) {
		w.tooMany = half
	}
	return left && right, nil
}
