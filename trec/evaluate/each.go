package evaluate

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/trec"
)

// Options says how rankings become topics.
type Options struct {
	Level      float64 // lowest relevant grade, as measure.Topic has it; 0 means 1
	Depth      int     // ranks looked at; 0 means all
	JudgedOnly bool    // drop unjudged documents and close the ranks
	Collapse   bool    // keep a repeated document at its better rank instead of refusing the run
	Workers    int     // 0 means one per core
}

// Tally counts what was found in a run beside the judged queries.
type Tally struct {
	Unknown        int      // queries of the run without judgments
	Examples       []string // up to three of them, the first in byte order
	Contradictions int      // neighbours whose rank column contradicts their scores
	Repeated       int      // documents returned twice, when they are collapsed
}

// Each calls fn with the topic of every judged query that the run holds, from several goroutines and in
// no order. The topic is valid until fn returns. A run whose lines are scattered is read twice and fn
// called again for queries it has seen; the last call for a query is the one that counts.
func Each(ctx context.Context, q *trec.Qrels, run *trec.Run, o Options,
	fn func(worker int, j *trec.Judgments, t *measure.Topic) error) (Tally, error) {
	if o.Workers < 1 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	tally, err := each(ctx, q, run, o, fn, run.Each)
	if errors.Is(err, trec.ErrScattered) {
		tally, err = each(ctx, q, run, o, fn, run.EachGathered)
	}
	return tally, err
}

// pass is Run.Each or Run.EachGathered.
type pass func(context.Context, int, func(int, *trec.Block) error) error

func each(ctx context.Context, q *trec.Qrels, run *trec.Run, o Options,
	fn func(int, *trec.Judgments, *measure.Topic) error, blocks pass) (Tally, error) {
	type worker struct {
		judge trec.Judge
		topic measure.Topic
		tally Tally
		_     [64]byte // keeps the workers off each other's cache lines
	}
	workers := make([]worker, o.Workers)
	for i := range workers {
		workers[i].judge = trec.Judge{Depth: o.Depth, JudgedOnly: o.JudgedOnly, Collapse: o.Collapse}
	}
	err := blocks(ctx, o.Workers, func(id int, b *trec.Block) error {
		w := &workers[id]
		w.tally.Contradictions += b.Contradictions
		j := q.Lookup(b.Query)
		if j == nil {
			w.tally.unknown(string(b.Query))
			return nil
		}
		if err := q.Usable(j); err != nil {
			return err
		}
		grades, repeated, err := w.judge.Rank(b, j)
		if err != nil {
			return err
		}
		w.tally.Repeated += repeated
		w.topic = measure.Topic{Ranked: grades, Gold: j.Grades, Level: o.Level}
		return fn(id, j, &w.topic)
	})
	var total Tally
	for i := range workers {
		total.add(&workers[i].tally)
	}
	return total, err
}

// unknown counts a query without judgments.
func (t *Tally) unknown(query string) {
	t.Unknown++
	t.example(query)
}

func (t *Tally) example(query string) {
	const most = 3
	i, _ := slices.BinarySearch(t.Examples, query)
	if i < most {
		t.Examples = slices.Insert(t.Examples, i, query)
		t.Examples = t.Examples[:min(len(t.Examples), most)]
	}
}

func (t *Tally) add(o *Tally) {
	t.Unknown += o.Unknown
	t.Contradictions += o.Contradictions
	t.Repeated += o.Repeated
	for _, q := range o.Examples {
		t.example(q)
	}
}
