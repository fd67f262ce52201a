package label

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/assay-eval/assay"
)

// Job is an item for a judge.
type Job struct {
	Item  Item
	Query string // the query's text
	// Asked is how many replies about it were refused before, and After the rule that the last of them broke.
	Asked int
	After Rule
}

// Budget bounds what a judging may cost; 0 is no bound. What is under way when a bound is reached is finished and kept.
type Budget struct {
	Items  int
	Tokens int // read and written
	Time   time.Duration
}

// Judging says what is to be judged and what becomes of it.
type Judging struct {
	Judge   *Judge
	Jobs    []Job
	Workers int // calls under way at once; 0 means 1
	Retries int // further asks after a reply that is no grade
	Budget  Budget
	// Keep stores a label before the next call of the same worker begins; Fail stores a failure. Neither is called at the
	// same time as itself or the other.
	Keep     func(Job, assay.Label) error
	Fail     func(Failure) error
	Progress func(Tally)
}

// Tally counts what a judging did. Wanted = Graded + Failed + Left, always.
type Tally struct {
	Wanted  int            `json:"wanted"`
	Graded  int            `json:"graded"`
	Failed  int            `json:"failed"` // no grade after all asks
	Left    int            `json:"left"`   // not asked about: the budget was used up, or the judging was stopped
	Grades  [Grades]int    `json:"grades"`
	Calls   int            `json:"calls"`
	Cached  int            `json:"cached"` // of the calls, answered by the cache
	Refused map[string]int `json:"refused,omitempty"`
	// Refused counts replies that were no grade by the rule they broke, Errors calls without a reply by kind.
	Errors       map[string]int `json:"errors,omitempty"`
	Repaired     int            `json:"repaired"`      // graded after a reply was refused
	WithProbs    int            `json:"with_probs"`    // graded by the probabilities of the grades
	Cut          int            `json:"cut,omitempty"` // of those graded and failed, asked about with a query or a title that was cut
	PromptTokens int            `json:"prompt_tokens"`
	OutputTokens int            `json:"output_tokens"`
	CallTime     time.Duration  `json:"-"` // of the calls that the cache did not answer
	// Example is the first failure, for the person.
	Example *Failure `json:"example,omitempty"`
}

// Fresh counts the calls that the cache did not answer.
func (t *Tally) Fresh() int { return t.Calls - t.Cached }

// ErrGaveUp is the error of a judging that was stopped because the model had stopped answering, or never began.
var ErrGaveUp = errors.New("the model does not answer")

// giveUpAfter is how many items in a row may end without any reply.
const giveUpAfter = 5

// Run judges the jobs in their order. The tally is right whatever the error.
func (j Judging) Run(ctx context.Context) (Tally, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &judging{Judging: j, cancel: cancel, start: time.Now(), tally: Tally{Wanted: len(j.Jobs), Left: len(j.Jobs), Refused: map[string]int{}, Errors: map[string]int{}}}
	var wg sync.WaitGroup
	for range max(1, j.Workers) {
		wg.Go(func() {
			for job, ok := r.next(ctx); ok; job, ok = r.next(ctx) {
				r.one(ctx, job)
			}
		})
	}
	wg.Wait()
	if len(r.tally.Refused) == 0 {
		r.tally.Refused = nil
	}
	if len(r.tally.Errors) == 0 {
		r.tally.Errors = nil
	}
	return r.tally, context.Cause(ctx)
}

type judging struct {
	Judging
	cancel context.CancelCauseFunc
	start  time.Time

	mu    sync.Mutex
	at    int // the next job
	mute  int // items in a row without a reply
	tally Tally
}

func (r *judging) next(ctx context.Context) (Job, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t, b := &r.tally, r.Budget
	if ctx.Err() != nil || r.at >= len(r.Jobs) ||
		b.Items > 0 && r.at >= b.Items ||
		b.Tokens > 0 && t.PromptTokens+t.OutputTokens >= b.Tokens ||
		b.Time > 0 && time.Since(r.start) >= b.Time {
		return Job{}, false
	}
	r.at++
	return r.Jobs[r.at-1], true
}

// one asks about an item until there is a grade, the asks are used up, or there is no reply.
func (r *judging) one(ctx context.Context, job Job) {
	for asked, after := job.Asked, job.After; ; {
		v, err := r.Judge.Grade(ctx, job.Query, &job.Item.Passage, after)
		if err != nil && ctx.Err() != nil {
			return // stopped: nothing is known about this call
		}
		rule := ruleOf(err)
		if rule != "" {
			asked, after = asked+1, rule
		}
		again := rule != "" && asked <= r.Retries
		if err := r.account(job, v, err, asked, again); err != nil {
			r.cancel(err)
			return
		}
		if !again {
			return
		}
	}
}

// account books a call and stores what came of it.
func (r *judging) account(job Job, v Judgment, err error, asked int, again bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := &r.tally
	called := v.Cached || v.Time > 0 // a passage that is too long is not sent
	if called {
		t.Calls++
	}
	if v.Cached {
		t.Cached++
	} else {
		t.CallTime += v.Time
		t.PromptTokens += v.PromptTokens
		t.OutputTokens += v.OutputTokens
	}
	rule := ruleOf(err)
	if err == nil || rule != "" {
		r.mute = 0
	}
	if err != nil {
		f := r.failure(job, err, asked)
		if rule != "" {
			t.Refused[string(rule)]++
		} else {
			t.Errors[string(f.Kind)]++
			if called {
				r.mute++
			}
		}
		if t.Example == nil {
			t.Example = &f
		}
		if serr := r.Fail(f); serr != nil {
			return fmt.Errorf("keep a failure: %w", serr)
		}
	} else {
		now := time.Now().UTC().Truncate(time.Millisecond)
		if serr := r.Keep(job, r.Judge.Label(&job.Item, v, now)); serr != nil {
			return fmt.Errorf("keep a label: %w", serr)
		}
	}
	if !again {
		t.settle(v, err, asked)
	}
	if r.Progress != nil {
		r.Progress(*t)
	}
	if r.mute >= giveUpAfter {
		return fmt.Errorf("%w: no reply about %d passages in a row; %w", ErrGaveUp, r.mute, err)
	}
	return nil
}

// settle counts an item that will not be asked about again.
func (t *Tally) settle(v Judgment, err error, asked int) {
	t.Left--
	if v.Cut {
		t.Cut++
	}
	if err != nil {
		t.Failed++
		return
	}
	t.Graded++
	t.Grades[v.Grade]++
	if asked > 0 {
		t.Repaired++
	}
	if v.P != nil {
		t.WithProbs++
	}
}

func (r *judging) failure(job Job, err error, asked int) Failure {
	f := Failure{Judge: r.Judge.Name(), Query: job.Item.Query, Item: job.Item.ID, Ask: asked, Rule: ruleOf(err), Kind: assay.KindOf(err),
		Message: head(err.Error()), Time: time.Now().UTC().Truncate(time.Millisecond)}
	var e *assay.Error
	if errors.As(err, &e) {
		f.Raw = head(e.Raw)
	}
	return f
}
