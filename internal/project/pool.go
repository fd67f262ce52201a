package project

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/label"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/runner"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/testset"
)

// PooledBM25 is the name under which the embedded BM25 stands beside the runs of a pool.
const PooledBM25 = "(bm25)"

// PoolRequest says which rankings a pool is made from.
type PoolRequest struct {
	Runs  []string // as ledger.Store.Find takes them; none means the newest run of every system
	Depth int      // hits of each that enter
	Seed  uint64   // of the order of the items
	// Judged has the labels that make a passage judged; nil means all of the project's. A second rater's pool is made with
	// a set from which the others' labels were left out (testset.Set.Where).
	Judged *testset.Set
}

// Pool is the union of the top hits of runs and of BM25 over the same documents, for the queries of the runs that are in the
// test set and are not bad, without the passages that are judged already. It asks no system under test anything.
func (p *Project) Pool(ctx context.Context, req PoolRequest) (*label.Pool, error) {
	set, err := p.Testset()
	if err != nil {
		return nil, err
	}
	if req.Judged == nil {
		req.Judged = set
	}
	runs, err := p.poolRuns(req.Runs)
	if err != nil {
		return nil, err
	}
	m := &pooling{p: p, req: req, set: set, seen: map[string]bool{}}
	if m.documents, err = p.documents(ctx, runs); err != nil {
		return nil, err
	}
	if m.opts, err = p.scoreOptions(ctx, 0); err != nil {
		return nil, err
	}
	m.pooler = label.NewPooler(label.PoolOptions{Depth: req.Depth, Seed: req.Seed, Twins: newTwins})
	names := sourceNames(runs)
	for i, run := range runs {
		if run.Info.K > 0 && run.Info.K < req.Depth {
			p.opts.Warn(assay.Warning{Code: "shallow_run", Text: fmt.Sprintf("%s holds the top %d only, and the pool is %d deep", names[i], run.Info.K, req.Depth)})
		}
		if err := m.addRun(names[i], run, runs); err != nil {
			return nil, err
		}
	}
	if err := m.addBM25(ctx); err != nil {
		return nil, err
	}
	return m.pooler.Pool(), nil
}

// poolRuns finds the runs of a request.
func (p *Project) poolRuns(refs []string) ([]*ledger.Run, error) {
	store := p.Runs()
	var out []*ledger.Run
	for _, ref := range refs {
		run, err := store.Find(ref, "")
		if err != nil {
			return nil, err
		}
		out = append(out, run)
	}
	if len(refs) > 0 {
		return out, nil
	}
	for _, s := range p.Config.Systems {
		run, err := store.Find("last", s.Name)
		if unread := (*ledger.UnreadableRun)(nil); errors.As(err, &unread) {
			return nil, err
		}
		if err == nil {
			out = append(out, run)
		}
	}
	if len(out) == 0 {
		return nil, assay.WithHint(assay.Usagef("there is no run whose hits could be judged"), "`assay run` makes one")
	}
	return out, nil
}

// sourceNames are the shortest names that tell runs apart: that of the system, else with the run's own.
func sourceNames(runs []*ledger.Run) []string {
	count := map[string]int{}
	for _, r := range runs {
		count[r.Info.System]++
	}
	out := make([]string, len(runs))
	for i, r := range runs {
		if out[i] = r.Info.System; count[out[i]] > 1 {
			out[i] += " " + r.Info.ID
		}
	}
	return out
}

// documents are the texts that passages are tied to and BM25 searches: the corpus, else the index of the first run whose
// system can list it, else nil.
func (p *Project) documents(ctx context.Context, runs []*ledger.Run) (*Corpus, error) {
	if p.Config.Corpus != nil {
		return p.Corpus(ctx)
	}
	for _, r := range runs {
		if _, ok := p.Config.System(r.Info.System); !ok {
			continue
		}
		sys, err := p.System(ctx, r.Info.System, "")
		if err != nil {
			return nil, err
		}
		if _, ok := assay.As[assay.ChunkLister](sys); ok {
			return p.Listed(ctx, r.Info.System)
		}
	}
	p.opts.Warn(assay.Warning{Code: "pool_without_bm25", Text: "BM25 is not in the pool, because there is no corpus and no system that can list its chunks: what only another kind of search finds stays unjudged"})
	return nil, nil
}

// pooling is the state of one Pool call.
type pooling struct {
	p         *Project
	req       PoolRequest
	set       *testset.Set
	documents *Corpus
	opts      score.Options
	pooler    *label.Pooler
	queries   []assay.Query // of the runs, in the order of their first appearance
	seen      map[string]bool
}

// wanted reports whether a query is to be judged, and remembers it for BM25.
func (m *pooling) wanted(id string) bool {
	q, ok := m.set.Query(id)
	if !ok || m.set.Verdict(id).BadQuery {
		return false
	}
	if !m.seen[id] {
		m.seen[id] = true
		m.queries = append(m.queries, q)
	}
	return true
}

func (m *pooling) addRun(name string, run *ledger.Run, beside []*ledger.Run) error {
	known := newRetrieved(m.req.Judged, run, beside)
	m.opts.Judged = known
	texts := known.own()
	for res, err := range run.Results() {
		if err != nil {
			return err
		}
		if res.Error != nil || !m.wanted(res.Query) {
			continue
		}
		m.add(name, res, texts.Passage)
		if err := texts.Err(); err != nil {
			return err
		}
	}
	return nil
}

// addBM25 searches the documents for the queries of the runs.
func (m *pooling) addBM25(ctx context.Context) error {
	if m.documents == nil {
		return nil
	}
	index, err := lexicalIndex(ctx, m.documents, nil)
	if err != nil {
		return err
	}
	refused := 0
	for _, q := range m.queries {
		resp, err := index.Search(ctx, assay.Request{Text: q.Text, Filter: q.Filter, K: m.req.Depth})
		switch {
		case assay.KindOf(err) == assay.KindInvalid: // a filter in the store's own language
			refused++
			continue
		case err != nil:
			return err
		}
		passages := map[string]ledger.Passage{}
		for _, h := range resp.Hits {
			passages[assay.HashText(h.Text)] = ledger.Passage{Title: h.Title, Text: h.Text}
		}
		m.add(PooledBM25, runner.Result(q.ID, resp, nil), func(hash string) (ledger.Passage, bool) {
			t, ok := passages[hash]
			return t, ok
		})
	}
	if refused > 0 {
		m.p.opts.Warn(assay.Warning{Code: "pool_without_bm25", Text: fmt.Sprintf("BM25 could not take part in %s, whose filter it cannot express", plural.Count(refused, "query"))})
	}
	return nil
}

// textsOf gives the texts of hits by hash.
type textsOf func(hash string) (ledger.Passage, bool)

// Text implements score.Passages.
func (f textsOf) Text(hash string) (string, bool) {
	p, ok := f(hash)
	return p.Text, ok
}

func (m *pooling) add(source string, res assay.Result, texts textsOf) {
	res.Hits = res.Hits[:min(len(res.Hits), m.req.Depth)]
	explained := score.Explain(m.req.Judged, res, texts, m.opts)
	broken := m.req.Judged.Verdict(res.Query).Broken
	found := make([]label.Found, len(explained.Hits))
	for i, e := range explained.Hits {
		text, _ := texts(e.Hit.TextHash)
		f := label.Found{Passage: label.Passage{Title: text.Title, Text: text.Text}, Judged: e.Judged, Twin: e.Judged && e.Way == score.ByClass}
		if f.Text == "" {
			if c, ok := m.chunk(e.Hit.ID); ok {
				f.Title, f.Text = c.Title, c.Text
			}
		}
		f.Target = m.target(&e.Hit, f.Text)
		f.Judged = f.Judged || slices.ContainsFunc(broken, func(t assay.Target) bool { return testset.Key(&t) == testset.Key(&f.Target) })
		found[i] = f
	}
	m.pooler.Add(source, res.Query, found)
}

func (m *pooling) chunk(id string) (assay.Chunk, bool) {
	if m.documents == nil {
		return assay.Chunk{}, false
	}
	return m.documents.Lookup(id)
}

// target is what a label on a hit is tied to: a place in a document where one is known for sure, else the chunk and its text.
func (m *pooling) target(h *assay.RankedHit, text string) assay.Target {
	chunk := assay.Chunk{ID: h.ID, Text: text}
	if m.documents == nil {
		return testset.TargetOf(chunk)
	}
	if c, ok := m.chunk(h.ID); ok && c.Text == text {
		return testset.TargetOf(c)
	}
	document := h.Document
	span, ok := h.Span()
	if !ok && text != "" {
		document, span, ok = m.documents.Place(text)
	}
	if d, found := m.documents.LookupDocument(document); ok && found {
		if there, err := span.In(d.Text); err == nil && there == text {
			chunk.Document, chunk.Version, chunk.Span = document, d.Version(), &span
			chunk.Before, chunk.After = anchor.Around(d.Text, span)
		}
	}
	return testset.TargetOf(chunk)
}
