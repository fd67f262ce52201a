package generate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/assay-eval/assay"
)

// maxFailuresInARow ends a generation whose model has stopped answering.
const maxFailuresInARow = 5

// item is one question to be asked, and what came of it.
type item struct {
	chunk assay.Chunk
	nth   int
	cand  Candidate
	rule  string // rule that refused it
	why   string
	err   error
	done  chan struct{}

	flagged []string // rules that marked it
}

// Run asks until enough questions are accepted or the sample is used up. Results are kept in the order
// of the sample however many workers there are, so the same input gives the same files. Killed at any
// moment it has lost only the calls in flight.
func Run(ctx context.Context, o Options) (Report, error) {
	r := &session{Options: o, report: newReport(&o)}
	r.PerChunk, r.Workers = max(1, o.PerChunk), max(1, o.Workers)
	r.slots = make(chan struct{}, r.Workers)
	if r.Now == nil {
		r.Now = time.Now
	}
	r.countExisting()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err := r.drain(ctx, r.start(ctx))
	if used := usedUp(ctx, err); used != "" {
		r.report.Stopped, err = used, nil
	}
	cancel()
	r.asking.Wait()
	return r.report, err
}

// usedUp names the budget that ended a generation; "" when none did.
func usedUp(ctx context.Context, err error) string {
	switch {
	case errors.Is(err, ErrCalls):
		return "calls"
	case err != nil && errors.Is(context.Cause(ctx), ErrMinutes):
		return "minutes"
	}
	return ""
}

// countExisting tells the rules that look at the whole set what is in it.
func (s *session) countExisting() {
	like := s.Writer.Origin()
	for i := range s.Existing {
		q := &s.Existing[i]
		for _, r := range s.SetRules {
			if r.Every || SameKind(q.Origin, like) {
				r.Count(q)
			}
		}
	}
}

// SameKind reports whether a query comes from the same kind of generation: method, model, prompt and seed.
func SameKind(o *assay.Origin, like assay.Origin) bool {
	return o != nil && o.Method == like.Method && o.Model == like.Model && o.Prompt == like.Prompt && o.Seed == like.Seed
}

type session struct {
	Options
	report   Report
	failures int // in a row
	asking   sync.WaitGroup
	slots    chan struct{} // one for every question asked and not settled, so that none is asked in vain
}

// start asks the questions, at most Workers at once, and passes the items on in order.
func (s *session) start(ctx context.Context) <-chan *item {
	items := make(chan *item, s.Workers)
	// Asked before the first result is kept, so that Done and Keep may share what they know.
	type question struct {
		chunk *assay.Chunk
		nth   int
	}
	var open []question
	for i := range s.Chunks {
		for nth := range s.PerChunk {
			if c := &s.Chunks[i]; s.Done == nil || !s.Done(c.ID, nth) {
				open = append(open, question{c, nth})
			}
		}
	}
	s.asking.Go(func() {
		defer close(items)
		for _, q := range open {
			select {
			case s.slots <- struct{}{}:
			case <-ctx.Done():
				return
			}
			it := &item{chunk: *q.chunk, nth: q.nth, done: make(chan struct{})}
			s.asking.Go(func() {
				defer close(it.done)
				s.ask(ctx, it)
			})
			items <- it // there is room for every slot
		}
	})
	return items
}

// ask writes one question and takes it through the rules.
func (s *session) ask(ctx context.Context, it *item) {
	it.cand, it.err = s.Writer.Write(ctx, it.chunk, it.nth)
	if assay.OfReply(it.err) {
		it.rule, it.why, it.err = ruleReply, fmt.Sprintf("%s: %v", assay.KindOf(it.err), it.err), nil
		return
	}
	if it.err != nil {
		return
	}
	if s.Plan != nil {
		it.cand.Plan = s.Plan(&it.chunk, it.nth)
	}
	for _, rule := range s.Rules {
		flags := len(it.cand.Tags)
		if it.why, it.err = rule.Check(ctx, &it.cand); it.why != "" || it.err != nil {
			it.rule = rule.Name
			return
		}
		it.cand.Passed = append(it.cand.Passed, rule.Name)
		if len(it.cand.Tags) > flags {
			it.flagged = append(it.flagged, rule.Name)
		}
	}
}

// drain keeps the items in order until there are enough.
func (s *session) drain(ctx context.Context, items <-chan *item) error {
	for s.report.Produced < s.Want {
		it, ok := <-items
		if !ok {
			s.report.Exhausted = ctx.Err() == nil
			return ctx.Err()
		}
		select {
		case <-it.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := s.settle(ctx, it); err != nil {
			return err
		}
		if s.report.Produced < s.Want {
			<-s.slots
		}
		if s.Progress != nil {
			s.Progress(s.report)
		}
	}
	return nil
}

func (s *session) settle(ctx context.Context, it *item) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(it.err, ErrCalls) {
		return it.err
	}
	s.report.Asked++
	if it.err != nil {
		s.report.Failed++
		s.report.Failure = cmp.Or(s.report.Failure, it.err.Error())
		if s.failures++; s.failures >= maxFailuresInARow || !passes(it.err) {
			return fmt.Errorf("chunk %s: %w", it.chunk.ID, it.err)
		}
		return nil
	}
	s.failures = 0
	accepted := s.accept(it)
	s.report.count(it)
	if it.rule == "" {
		it.rule, it.why = s.checkSet(&accepted.Query)
	}
	if it.rule != "" {
		s.report.Rejected[it.rule]++
		return s.Reject(s.reject(it))
	}
	if err := s.Keep(accepted); err != nil {
		return err
	}
	for _, r := range s.SetRules {
		r.Count(&accepted.Query)
	}
	s.report.New++
	s.report.Produced++
	return nil
}

// passes reports whether the next question may go well where this one failed: the server may come back, and a chunk too
// long for the model's context window says nothing of the next chunk. No access, or a model that is not there, is the same
// for all.
func passes(err error) bool {
	kind := assay.KindOf(err)
	return kind.Retryable() || kind == assay.KindTruncated
}

// checkSet asks the rules that look at the whole set.
func (s *session) checkSet(q *assay.Query) (rule, reason string) {
	if s.Taken != nil && s.Taken(q) {
		s.report.rule("duplicate").see(true)
		return "duplicate", "the test set has this question already"
	}
	for _, r := range s.SetRules {
		reason := r.Check(q)
		s.report.rule(r.Name).see(reason != "")
		if reason != "" {
			return r.Name, reason
		}
	}
	return "", ""
}

func (s *session) accept(it *item) Accepted {
	origin := s.Writer.Origin()
	c := &it.cand
	origin.Document, origin.Chunk, origin.Nth = it.chunk.Document, it.chunk.ID, it.nth
	origin.Style, origin.Topic, origin.Passed = string(c.Plan.Style), c.Plan.Topic, c.Passed
	if origin.Language = Language(c.Question); origin.Language == "" && it.rule == "" {
		origin.Language = c.language()
	}
	now := s.Now().UTC().Truncate(time.Second)
	leak := c.Leakage
	q := assay.Query{Text: c.Question, Tags: c.Tags, Filter: c.Plan.Filter, Origin: &origin, Evidence: c.Evidence, Leakage: &leak, Created: &now}
	if c.Plan.Unanswerable {
		q.Tags = append(q.Tags, assay.TagUnanswerable)
		q.Evidence, q.Leakage = nil, nil // there is no source to repeat
	}
	return Accepted{Query: q, Chunk: it.chunk}
}

func (s *session) reject(it *item) Reject {
	o := s.Writer.Origin()
	raw := it.cand.Raw
	return Reject{Chunk: it.chunk.ID, Document: it.chunk.Document, Rule: it.rule, Reason: it.why, Question: it.cand.Question,
		Quote: it.cand.Quote, Raw: raw[:min(len(raw), assay.RawLimit)], Method: o.Method, Model: o.Model, Prompt: o.Prompt, Seed: o.Seed, Nth: it.nth,
		Time: s.Now().UTC().Truncate(time.Second)}
}
