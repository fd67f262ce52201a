package score

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/testset"
)

// Score scores the results of one run against the labels of a test set as they are now. Results stream:
// what is kept of a query does not grow with the length of its ranking. Where a query comes twice (it
// failed, and a rerun tried it again), its last result counts; with opts.Sums that is an error.
//
// A ranking is scored in the order it is given; scores that contradict it are counted in a warning. A
// query that is not in the set any more is run and not scored. An error of the stream ends the scoring.
func Score(set *testset.Set, results iter.Seq2[assay.Result, error], passages Passages, measures []measure.Measure, opts Options) (*Scored, error) {
	s, err := newScorer(set, passages, measures, &opts)
	if err != nil {
		return nil, err
	}
	for r, err := range results {
		if err != nil {
			return nil, fmt.Errorf("score: %w", err)
		}
		q := s.query(&r)
		if err := s.take(&q); err != nil {
			return nil, err
		}
		if opts.Each != nil {
			if err := opts.Each(q); err != nil {
				return nil, err
			}
		}
	}
	return s.finish()
}

// take keeps a query, or adds it to the sums at once.
func (s *scorer) take(q *Query) error {
	i, again := s.place[q.ID]
	switch {
	case again && s.opts.Sums:
		return fmt.Errorf("score: query %s comes twice", q.ID)
	case again:
		s.queries[i] = *q
		return nil
	case s.opts.Sums:
		s.sums.add(q)
	default:
		s.queries = append(s.queries, *q)
	}
	s.place[q.ID] = len(s.place)
	return nil
}

// scorer carries what is needed from one result to the next.
type scorer struct {
	set      *testset.Set
	known    *knowledge
	opts     *Options
	measures *measure.Set
	beside   *measure.Set // nil for none
	names    []string
	spans    bool // some measure looks at spans
	depth    int  // ranks looked at for the judged share

	queries []Query        // empty when only sums are wanted
	place   map[string]int // query id → index in the order of first results
	sums    *sums

	hitIDs, labelIDs sample // of scored queries, to be shown when none match
}

func newScorer(set *testset.Set, passages Passages, measures []measure.Measure, opts *Options) (*scorer, error) {
	if len(measures) == 0 {
		return nil, assay.Usagef("no measure to score by")
	}
	ms, err := measure.NewSet(measures...)
	if err != nil {
		return nil, assay.Classify(err, assay.ErrUsage)
	}
	s := &scorer{set: set, known: newKnowledge(passages, opts), opts: opts, measures: ms, names: ms.Names(), place: map[string]int{}, sums: newSums(len(measures)), depth: opts.K}
	if s.depth <= 0 {
		s.depth = defaultDepth
	}
	if len(opts.Beside) > 0 {
		if s.beside, err = measure.NewSet(opts.Beside...); err != nil {
			return nil, assay.Classify(err, assay.ErrUsage)
		}
	}
	for _, m := range measures {
		d := m.Definition()
		s.spans = s.spans || d.Cutoff == measure.SpanCutoff || strings.HasPrefix(d.Name, "span_")
	}
	return s, nil
}

// defaultDepth is the depth of the judged share when the run does not say its k.
const defaultDepth = 10

// query scores one result.
func (s *scorer) query(r *assay.Result) Query {
	q := Query{ID: r.Query, Error: r.Error, names: s.names, weight: 1}
	query, known := s.set.Query(r.Query)
	q.facts.known = known
	if known {
		q.cluster = query.SourceDocument()
		if query.Weight > 0 {
			q.weight = query.Weight
		}
	}
	if r.Error != nil {
		q.Status = StatusFailed
		return q
	}
	q.facts.timings, q.facts.notes, q.facts.digest = r.Timings, r.Notes, digest(r.Hits)
	verdict, labels := s.set.Verdict(r.Query), s.set.Labels(r.Query)
	q.facts.broken = len(verdict.Broken)
	q.Hits, q.facts.best = len(r.Hits), best(r.Hits)
	switch {
	case verdict.BadQuery:
		q.Status = StatusBadQuery
		return q
	case known && len(labels) == 0 && unanswerable(&query):
		q.Status = StatusUnanswerable
		return q
	case !known || len(labels) == 0:
		q.Status = StatusUnlabelled
		return q
	}
	gold := newGold(s.set, r.Query, labels, s.known)
	q.facts.stale = gold.stale
	if q.Gold = gold.relevant(); q.Gold == 0 {
		if q.Status = StatusNoGold; unanswerable(&query) {
			q.Status = StatusUnanswerable
		}
		q.facts.judged = judgedShare(gold.look(r.Hits, s.known, false).topic.Ranked, s.depth)
		return q
	}
	q.Status = StatusScored
	q.facts.judges = judges(labels)
	if len(r.Hits) == 0 {
		q.Status = StatusEmpty
	}
	s.rank(&q, gold, r.Hits)
	return q
}

// rank fills in the scores of a query with gold.
func (s *scorer) rank(q *Query, gold *gold, hits []assay.RankedHit) {
	v := gold.look(hits, s.known, s.spans)
	q.Values = s.measures.Score(&v.topic, nil)
	if hasRelevant(v.raw.Gold) {
		q.Raw = s.measures.Score(&v.raw, nil)
	}
	q.Hits, q.Resolved = len(v.hits), v.resolved
	for i, g := range v.topic.Ranked {
		if g < float64(assay.RelevantGrade) {
			continue
		}
		q.Found++
		if q.First == 0 {
			q.First = i + 1
		}
	}
	q.Found += v.shared
	f := &q.facts
	f.duplicates, f.disordered, f.otherText, f.shared = v.duplicates, v.disordered, v.otherText, v.shared
	f.short = s.opts.K > 0 && len(v.hits) > 0 && len(v.hits) < s.opts.K
	f.sparse = len(gold.items) == 1
	f.judged = judgedShare(v.topic.Ranked, s.depth)
	f.ceilings = ceilings(s.measures, &v.topic)
	if s.beside != nil {
		f.beside, f.besideCeilings = s.beside.Score(&v.topic, nil), ceilings(s.beside, &v.topic)
	}
	for _, g := range v.raw.Ranked {
		if g != measure.NotJudged {
			f.rawMatched++
		}
	}
	f.unindexed = s.unindexed(gold, v)
	f.wide, f.relevant = s.wide(gold, v)
	for i := range v.hits {
		s.hitIDs.add(v.hits[i].ranked.ID)
	}
	s.labelIDs.addAll(gold.raw)
}

// ceilings are the highest values that the labels of one query allow, NaN where a measure has no bounds.
func ceilings(set *measure.Set, topic *measure.Topic) []float64 {
	out := make([]float64, len(set.Measures()))
	for i, m := range set.Measures() {
		if out[i] = math.NaN(); m.Definition().Bounded() {
			if c, ok := measure.Ceiling(m, topic); ok {
				out[i] = c
			}
		}
	}
	return out
}

// unindexed names a relevant target of an item that was neither retrieved nor is known to the index.
func (s *scorer) unindexed(gold *gold, v *view) string {
	if s.opts.Index == nil {
		return ""
	}
	seen := make([]bool, len(gold.items))
	for i := range v.hits {
		for _, m := range v.hits[i].matches {
			seen[gold.members[m.member].item] = true
		}
	}
	missing := ""
	for i := range gold.members {
		m := &gold.members[i]
		if seen[m.item] || gold.items[m.item].grade < assay.RelevantGrade {
			continue
		}
		if s.known.indexed(m) {
			seen[m.item] = true
		}
	}
	for i := range gold.members {
		m := &gold.members[i]
		if !seen[m.item] && gold.items[m.item].grade >= assay.RelevantGrade && missing == "" {
			if missing = m.target.Chunk; missing == "" {
				missing = m.target.Document
			}
			if missing == "" {
				missing = "a passage known by its quote only"
			}
		}
	}
	return missing
}

// digest is a hash of the ids in their order. Ids are foreign text, so nothing that can be made to collide will do.
func digest(hits []assay.RankedHit) (d [16]byte) {
	h := sha256.New()
	var size [8]byte
	for i := range hits {
		binary.LittleEndian.PutUint64(size[:], uint64(len(hits[i].ID)))
		h.Write(size[:])
		h.Write([]byte(hits[i].ID))
	}
	copy(d[:], h.Sum(nil))
	return d
}

func hasRelevant(grades []float64) bool {
	return slices.ContainsFunc(grades, func(g float64) bool { return g >= float64(assay.RelevantGrade) })
}

// judgedShare is judged@depth: the share of the top ranks that have a label.
func judgedShare(ranked []float64, depth int) float64 {
	ranked = ranked[:min(depth, len(ranked))]
	if len(ranked) == 0 {
		return math.NaN()
	}
	n := 0
	for _, g := range ranked {
		if g >= 0 {
			n++
		}
	}
	return float64(n) / float64(len(ranked))
}
