package score_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/testset"
)

var everyName = []string{"recall@1", "recall@5", "set_recall", "p@5", "f1@5", "success@3", "mrr@10", "map", "ndcg@5", "ndcg", "bpref", "rbp", "err@5", "judged@5",
	"span_recall", "span_precision@3", "span_iou@5"}

// world is a small corpus with labels on spans and chunks, and a ranking that knows more or less of where
// its hits stand.
type world struct {
	labels   []assay.Label
	hits     []assay.RankedHit
	passages texts
}

func drawWorld(t *rapid.T) *world {
	w := &world{passages: texts{}}
	words := []string{"alpha ", "beta ", "gamma ", "delta "}
	docs := make([]string, 3)
	for i := range docs {
		docs[i] = strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 8, 20).Draw(t, "words"), "")
	}
	part := func(name string) (doc, start, end int) {
		doc = rapid.IntRange(0, len(docs)-1).Draw(t, name+" doc")
		start = rapid.IntRange(0, len(docs[doc])-2).Draw(t, name+" start")
		return doc, start, rapid.IntRange(start+1, len(docs[doc])).Draw(t, name+" end")
	}
	for i := range rapid.IntRange(1, 6).Draw(t, "labels") {
		doc, start, end := part("label")
		text := docs[doc][start:end]
		target := assay.Target{Chunk: fmt.Sprintf("c%d", rapid.IntRange(0, 5).Draw(t, "key"))}
		if rapid.Bool().Draw(t, "anchored") {
			target.Document, target.Start, target.End, target.Quote = fmt.Sprint("d", doc), start, end, text
		}
		if rapid.Bool().Draw(t, "hashed") {
			target.TextHash = assay.HashText(text)
		}
		l := label("q", rapid.IntRange(0, 3).Draw(t, "grade"), target)
		l.By = rapid.SampledFrom([]assay.Rater{assay.BySynthetic, assay.ByJudge, assay.ByHuman}).Draw(t, "by")
		l.Who = fmt.Sprint(i)
		w.labels = append(w.labels, l)
	}
	for i := range rapid.IntRange(0, 8).Draw(t, "hits") {
		doc, start, end := part("hit")
		h := assay.RankedHit{ID: fmt.Sprintf("c%d", rapid.IntRange(0, 9).Draw(t, "id")), Score: float64(100 - i)}
		if rapid.Bool().Draw(t, "text") {
			h.TextHash = w.passages.put(docs[doc][start:end])
		}
		if rapid.Bool().Draw(t, "placed") {
			h.Document, h.Start, h.End = fmt.Sprint("d", doc), &start, &end
		}
		w.hits = append(w.hits, h)
	}
	return w
}

func (w *world) score(t *rapid.T, hits []assay.RankedHit, labels []assay.Label) *score.Scored {
	set, err := testset.New([]assay.Query{{ID: "q", Text: "?"}}, labels)
	if err != nil {
		t.Fatal(err)
	}
	ms, err := measure.ParseList(everyName...)
	if err != nil {
		t.Fatal(err)
	}
	s, err := score.Score(set, stream(assay.Result{Query: "q", Hits: hits}), w.passages, ms, score.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) })
}

// TestBounds: whatever labels and rankings hold, no value leaves [0,1], none is found more often than it
// is there, and the order in which labels were written does not matter.
func TestBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		s := w.score(t, w.hits, w.labels)
		q := s.Queries[0]
		for i, name := range everyName {
			for kind, values := range map[string][]float64{"by item": q.Values, "raw": q.Raw} {
				if values == nil {
					continue
				}
				if v := values[i]; v < 0 || v > 1 {
					t.Errorf("%s %s = %v", name, kind, v)
				}
			}
		}
		if q.Found > q.Gold {
			t.Errorf("found %d of %d items", q.Found, q.Gold)
		}
		shuffled := w.score(t, w.hits, rapid.Permutation(w.labels).Draw(t, "order"))
		if !same(q.Values, shuffled.Queries[0].Values) {
			t.Errorf("values %v, with labels in another order %v", q.Values, shuffled.Queries[0].Values)
		}
	})
}

// TestTailAndRepeats: a hit that repeats an id changes nothing at all; a hit of no label at the end changes
// no measure cut above it.
func TestTailAndRepeats(t *testing.T) {
	cut := []string{"recall@1", "recall@5", "p@5", "f1@5", "success@3", "ndcg@5", "err@5", "span_recall", "mrr@10"}
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		if len(w.hits) == 0 {
			t.Skip("no hit")
		}
		before := w.score(t, w.hits, w.labels).Queries[0]
		again := append(slices.Clone(w.hits), rapid.SampledFrom(w.hits).Draw(t, "again"))
		if after := w.score(t, again, w.labels).Queries[0]; !same(before.Values, after.Values) {
			t.Errorf("a repeated id changed %v to %v", before.Values, after.Values)
		}
		tail := w.hits
		for len(tail) < 5 { // fill up to the cutoffs first
			tail = append(slices.Clip(tail), assay.RankedHit{ID: fmt.Sprint("filler", len(tail)), TextHash: w.passages.put(fmt.Sprint(1000 + len(tail)))})
		}
		before = w.score(t, tail, w.labels).Queries[0]
		tail = append(slices.Clip(tail), assay.RankedHit{ID: "unrelated", TextHash: w.passages.put("2000")})
		after := w.score(t, tail, w.labels).Queries[0]
		for i, name := range everyName {
			if slices.Contains(cut, name) && before.Values != nil && before.Values[i] != after.Values[i] && !math.IsNaN(before.Values[i]) {
				t.Errorf("%s changed from %v to %v", name, before.Values[i], after.Values[i])
			}
		}
	})
}

// TestTwinSwap: which of two equal passages a system returns, and whether a label names the one or the
// other, leaves the score as it is (Bernstein and Zobel's redundancy); plain ids lose it.
func TestTwinSwap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := texts{}
		n := rapid.IntRange(1, 5).Draw(t, "gold")
		var labels []assay.Label
		var original, swapped []assay.RankedHit
		for i := range n {
			text := fmt.Sprintf("passage %d", i)
			target := assay.Target{Chunk: fmt.Sprint("c", i), TextHash: assay.HashText(text)}
			if rapid.Bool().Draw(t, "anchored") {
				target.Document, target.Start, target.End, target.Quote = "d", 100*i, 100*i+len(text), text
			}
			labels = append(labels, label("q", rapid.IntRange(2, 3).Draw(t, "grade"), target))
			if !rapid.Bool().Draw(t, "retrieved") {
				continue
			}
			hit := assay.RankedHit{ID: target.Chunk, TextHash: p.put(text)}
			twin := assay.RankedHit{ID: fmt.Sprint("twin", i), TextHash: hit.TextHash}
			if target.Document != "" {
				hit, twin = at(hit.ID, "d", target.Start, target.End), at(twin.ID, "copy", 7, 7+len(text))
				hit.TextHash, twin.TextHash = target.TextHash, target.TextHash
			}
			if !rapid.Bool().Draw(t, "swap") {
				twin = hit
			}
			original, swapped = append(original, hit), append(swapped, twin)
		}
		w := &world{passages: p}
		a, b := w.score(t, original, labels).Queries[0], w.score(t, swapped, labels).Queries[0]
		if !same(a.Values, b.Values) {
			t.Errorf("original %v, with twins %v", a.Values, b.Values)
		}
	})
}

// TestRechunking: labels on spans go on scoring under any chunker. Everything retrieved is a span recall
// of exactly 1, and an item counts as found wherever one chunk holds three quarters of it.
func TestRechunking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const size = 300
		document := strings.Repeat("0123456789", size/10)
		var labels []assay.Label
		var spans []assay.Span
		for i := range rapid.IntRange(1, 3).Draw(t, "labels") {
			start := 100*i + rapid.IntRange(0, 40).Draw(t, "start")
			span := assay.Span{Start: start, End: start + rapid.IntRange(1, 50).Draw(t, "length")}
			spans = append(spans, span)
			labels = append(labels, label("q", 3, assay.Target{Chunk: fmt.Sprint("old", i), Document: "d", Version: assay.HashText(document),
				Start: span.Start, End: span.End, Quote: document[span.Start:span.End]}))
		}
		step := rapid.IntRange(10, 150).Draw(t, "step")
		overlap := rapid.IntRange(0, step/2).Draw(t, "overlap")
		var all []assay.RankedHit
		var chunks []assay.Span
		for start := 0; start < size; start += step {
			c := assay.Span{Start: max(0, start-overlap), End: min(size, start+step)}
			chunks = append(chunks, c)
			all = append(all, at(fmt.Sprintf("new%s", c), "d", c.Start, c.End))
		}
		found := 0
		for _, s := range spans {
			if slices.ContainsFunc(chunks, func(c assay.Span) bool { return 4*c.Overlap(s) >= 3*s.Len() }) {
				found++
			}
		}
		w := &world{}
		q := w.score(t, rapid.Permutation(all).Draw(t, "ranking"), labels).Queries[0]
		get := func(name string) float64 { return q.Values[slices.Index(everyName, name)] }
		if got := get("span_recall"); got != 1 {
			t.Errorf("span_recall of everything is %v", got)
		}
		if got, want := get("set_recall"), float64(found)/float64(len(spans)); got != want || q.Found != found {
			t.Errorf("set_recall %v and found %d, want %v and %d", got, q.Found, want, found)
		}
	})
}

// TestKeepsNoRankings: what Score holds on to does not grow with the length of the rankings.
func TestKeepsNoRankings(t *testing.T) {
	held := func(depth int) uint64 {
		set, err := testset.New(queries(1000), []assay.Label{bare("q0", "c0", 3)})
		if err != nil {
			t.Fatal(err)
		}
		labels := make([]assay.Label, 0, 1000)
		for i := range 1000 {
			labels = append(labels, bare(fmt.Sprint("q", i), fmt.Sprint("c", i%depth), 3))
		}
		if _, err := set.AddNewLabels(labels...); err != nil {
			t.Fatal(err)
		}
		results := func(yield func(assay.Result, error) bool) {
			for i := range 1000 {
				r := assay.Result{Query: fmt.Sprint("q", i)}
				for j := range depth {
					r.Hits = append(r.Hits, assay.RankedHit{ID: fmt.Sprint("c", j), Score: float64(-j)})
				}
				if !yield(r, nil) {
					return
				}
			}
		}
		before := heap()
		s, err := score.Score(set, results, nil, measures(t, "recall@10", "ndcg@10"), score.Options{})
		if err != nil {
			t.Fatal(err)
		}
		after := heap()
		if s.Counts.Scored != 1000 {
			t.Fatalf("counts %+v", s.Counts)
		}
		return after - before
	}
	short, long := held(10), held(500)
	if long > short+short/2 {
		t.Errorf("holds %d bytes after rankings of 10, %d after rankings of 500", short, long)
	}
}
