package generate

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/assay-eval/assay"
)

// Accepted is a query that passed every rule, with the chunk it was written from.
type Accepted struct {
	Query assay.Query
	Chunk assay.Chunk
}

// Options says what to generate.
type Options struct {
	Writer   Writer
	Rules    []Rule
	Chunks   []assay.Chunk // the sample, in the order to be used
	Want     int           // queries wanted in all
	PerChunk int           // questions asked for from one chunk; 0 means 1
	Workers  int           // calls under way at once; 0 means 1
	// Done is the number of questions that earlier calls have asked from a chunk, accepted or refused;
	// they are not asked again. nil means none.
	Done func(chunk string) int
	// Have is the number of queries that count already.
	Have int
	// Taken reports whether a question is in the test set already; nil means never.
	Taken func(question string) bool

	Keep     func(Accepted) error // in the order of the sample, one at a time
	Reject   func(Reject) error   // likewise
	Progress func(Report)         // after each item; nil for nobody
	Now      func() time.Time     // nil is time.Now
}

// Report says what became of the questions.
type Report struct {
	Requested int            `json:"requested"`
	Produced  int            `json:"produced"` // in the test set now, earlier calls included
	Asked     int            `json:"asked"`    // questions asked by this call
	New       int            `json:"new"`      // accepted by this call
	Rejected  map[string]int `json:"rejected"` // by rule, by this call
	Failed    int            `json:"failed"`   // calls without an answer; asked again next time
	Exhausted bool           `json:"exhausted"`
}

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
}

// Run asks until enough questions are accepted or the sample is used up. Results are kept in the order
// of the sample however many workers there are, so the same input gives the same files. Killed at any
// moment it has lost only the calls in flight.
func Run(ctx context.Context, o Options) (Report, error) {
	r := &session{Options: o, report: Report{Requested: o.Want, Produced: o.Have, Rejected: map[string]int{}}}
	r.PerChunk, r.Workers = max(1, o.PerChunk), max(1, o.Workers)
	r.slots = make(chan struct{}, r.Workers)
	if r.Now == nil {
		r.Now = time.Now
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err := r.drain(ctx, r.start(ctx))
	cancel()
	r.asking.Wait()
	return r.report, err
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
	from := make([]int, len(s.Chunks))
	if s.Done != nil {
		for i, c := range s.Chunks {
			from[i] = s.Done(c.ID)
		}
	}
	s.asking.Go(func() {
		defer close(items)
		for i, c := range s.Chunks {
			for nth := from[i]; nth < s.PerChunk; nth++ {
				select {
				case s.slots <- struct{}{}:
				case <-ctx.Done():
					return
				}
				it := &item{chunk: c, nth: nth, done: make(chan struct{})}
				s.asking.Go(func() {
					defer close(it.done)
					s.ask(ctx, it)
				})
				items <- it // there is room for every slot
			}
		}
	})
	return items
}

// ask writes one question and takes it through the rules.
func (s *session) ask(ctx context.Context, it *item) {
	it.cand, it.err = s.Writer.Write(ctx, it.chunk, it.nth)
	if it.err != nil {
		switch kind := assay.KindOf(it.err); kind {
		case assay.KindMalformed, assay.KindTruncated, assay.KindEmpty, assay.KindRefused:
			it.rule, it.why, it.err = "reply", fmt.Sprintf("%s: %v", kind, it.err), nil
		}
		return
	}
	for _, rule := range s.Rules {
		if it.why, it.err = rule.Check(ctx, &it.cand); it.why != "" || it.err != nil {
			it.rule = rule.Name
			return
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
	s.report.Asked++
	if it.err != nil {
		s.report.Failed++
		if s.failures++; s.failures >= maxFailuresInARow || !assay.KindOf(it.err).Retryable() {
			return fmt.Errorf("chunk %s: %w", it.chunk.ID, it.err)
		}
		return nil
	}
	s.failures = 0
	if it.rule == "" && s.Taken != nil && s.Taken(it.cand.Question) {
		it.rule, it.why = "duplicate", "the test set has this question already"
	}
	if it.rule != "" {
		s.report.Rejected[it.rule]++
		return s.Reject(s.reject(it))
	}
	if err := s.Keep(s.accept(it)); err != nil {
		return err
	}
	s.report.New++
	s.report.Produced++
	return nil
}

func (s *session) accept(it *item) Accepted {
	origin := s.Writer.Origin()
	origin.Document, origin.Chunk = it.chunk.Document, it.chunk.ID
	now := s.Now().UTC().Truncate(time.Second)
	leak := it.cand.Leakage
	return Accepted{
		Query: assay.Query{Text: it.cand.Question, Origin: &origin, Evidence: it.cand.Evidence, Leakage: &leak, Created: &now},
		Chunk: it.chunk,
	}
}

func (s *session) reject(it *item) Reject {
	o := s.Writer.Origin()
	raw := it.cand.Raw
	return Reject{Chunk: it.chunk.ID, Document: it.chunk.Document, Rule: it.rule, Reason: it.why, Question: it.cand.Question,
		Quote: it.cand.Quote, Raw: raw[:min(len(raw), assay.RawLimit)], Method: o.Method, Model: o.Model, Prompt: o.Prompt, Seed: o.Seed, Nth: it.nth,
		Time: s.Now().UTC().Truncate(time.Second)}
}
