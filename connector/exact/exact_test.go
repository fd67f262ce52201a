package exact_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/connectortest"
	"github.com/assay-eval/assay/connector/exact"
	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var distances = []string{connector.Cosine, connector.Dot, connector.Euclid, connector.Manhattan}

type failer interface {
	Helper()
	Fatal(...any)
}

func build(t failer, chunks []assay.Chunk, cfg exact.Config) *exact.Index {
	t.Helper()
	x, err := exact.Build(context.Background(), func(yield func(assay.Chunk, error) bool) {
		for _, c := range chunks {
			if !yield(c, nil) {
				return
			}
		}
	}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func search(t failer, x *exact.Index, req assay.Request) assay.Response {
	t.Helper()
	res, err := x.Search(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// keys renders a ranking with all bits of its scores.
func keys(hits []assay.Hit) []string {
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = fmt.Sprintf("%s %x", h.ID, math.Float64bits(h.Score))
	}
	return out
}

func TestContract(t *testing.T) {
	for _, d := range distances {
		t.Run(d, func(t *testing.T) {
			(&connectortest.Suite{Distance: d, Open: func(t *testing.T) assay.Retriever {
				return build(t, connectortest.Chunks(), exact.Config{Distance: d})
			}}).Run(t)
		})
	}
}

// TestZeroVectors is case C11 from the field.
func TestZeroVectors(t *testing.T) {
	x := build(t, []assay.Chunk{
		{ID: "right", Vector: []float32{1, 0}}, {ID: "zero", Vector: []float32{0, 0}},
		{ID: "near", Vector: []float32{0.9, 0.1}}, {ID: "opposite", Vector: []float32{-2, 0}},
	}, exact.Config{})
	res := search(t, x, assay.Request{Vector: []float32{3, 0}, K: 10})
	var got []string
	for _, h := range res.Hits {
		got = append(got, fmt.Sprintf("%s %.4f", h.ID, h.Score))
	}
	if diff := gocmp.Diff([]string{"right 1.0000", "near 0.9939", "opposite -1.0000", "zero -2.0000"}, got); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff([]assay.Note{{Code: "zero_vector", Count: 1}}, res.Notes); diff != "" {
		t.Error(diff)
	}
	if _, err := json.Marshal(res); err != nil {
		t.Error(err)
	}
	in, err := x.Inspect(context.Background())
	if err != nil || len(in.Warnings) != 1 || in.Count != 4 || in.Dimension != 2 || in.Distance != connector.Cosine {
		t.Errorf("inspection %+v, %v", in, err)
	}
	if _, err = x.Search(context.Background(), assay.Request{Vector: []float32{0, 0}, K: 1}); assay.KindOf(err) != assay.KindInvalid {
		t.Errorf("zero query: %v", err)
	}
}

// awkward draws vectors with what breaks careless arithmetic: tiny and huge values, near and exact ties,
// zeros.
func awkward(t *rapid.T) ([]assay.Chunk, []float32) {
	dim := rapid.SampledFrom([]int{1, 2, 3, 7, 8, 9, 16, 31, 40, 67}).Draw(t, "dim")
	scale := rapid.SampledFrom([]float32{1, 1, 1, 1e-30, 1e-42, 1e19, 3e37})
	value := rapid.Float32Range(-1, 1)
	vector := func(name string) []float32 {
		v := rapid.SliceOfN(value, dim, dim).Draw(t, name)
		s := scale.Draw(t, "scale")
		for i := range v {
			v[i] *= s
		}
		return v
	}
	ids := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-c0-9é]{1,3}`), 1, 60, rapid.ID[string]).Draw(t, "ids")
	chunks := make([]assay.Chunk, len(ids))
	for i, id := range ids {
		chunks[i] = assay.Chunk{ID: id, Metadata: map[string]any{"group": int64(i % 3)}}
		switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
		case kind == 0:
			chunks[i].Vector = make([]float32, dim)
		case kind < 3 && i > 0:
			chunks[i].Vector = chunks[i-1].Vector
		case kind < 6 && i > 0:
			v := slices.Clone(chunks[i-1].Vector)
			j := rapid.IntRange(0, dim-1).Draw(t, "nudged")
			v[j] = math.Nextafter32(v[j], 0)
			chunks[i].Vector = v
		default:
			chunks[i].Vector = vector("vector")
		}
	}
	query := vector("query")
	if !slices.ContainsFunc(query, func(f float32) bool { return f != 0 }) {
		query[0] = 1
	}
	return chunks, query
}

// naive is the score by its textbook definition.
func naive(distance string, a, b []float32) float64 {
	var dot, na, nb, l1, l2 float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot, na, nb = dot+x*y, na+x*x, nb+y*y
		l1, l2 = l1+math.Abs(x-y), l2+(x-y)*(x-y)
	}
	switch distance {
	case connector.Dot:
		return dot
	case connector.Euclid:
		return -math.Sqrt(l2)
	case connector.Manhattan:
		return -l1
	}
	if na == 0 {
		return exact.ZeroVectorScore
	}
	return dot / math.Sqrt(na) / math.Sqrt(nb)
}

// TestSearch: every score is right, the order is total, a short list is the beginning of the full one (the
// full one rules nothing out, so this holds the error bounds), a filter only leaves out, and a batch, the
// order of the chunks and the number of workers change no bit.
func TestSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chunks, query := awkward(t)
		cfg := exact.Config{Distance: rapid.SampledFrom(distances).Draw(t, "distance"), Workers: rapid.IntRange(1, 3).Draw(t, "workers")}
		x := build(t, chunks, cfg)
		full := search(t, x, assay.Request{Vector: query, K: len(chunks)}).Hits
		if len(full) != len(chunks) {
			t.Fatalf("%d hits of %d chunks", len(full), len(chunks))
		}
		vectors := map[string][]float32{}
		size := math.Sqrt(naive(connector.Dot, query, query))
		for _, c := range chunks {
			vectors[c.ID] = c.Vector
		}
		for _, h := range full {
			v := vectors[h.ID]
			want := naive(cfg.Distance, v, query)
			scale := 1.0
			switch cfg.Distance {
			case connector.Dot:
				scale = size * math.Sqrt(naive(connector.Dot, v, v))
			case connector.Euclid, connector.Manhattan:
				scale = math.Abs(want)
			}
			if !(math.Abs(h.Score-want) <= 1e-13*scale) {
				t.Fatalf("%s %s: score %v, want %v", cfg.Distance, h.ID, h.Score, want)
			}
		}
		if !slices.IsSortedFunc(full, func(a, b assay.Hit) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID))
		}) {
			t.Fatalf("not by score, then id, descending: %v", keys(full))
		}

		k := rapid.IntRange(1, len(chunks)).Draw(t, "k")
		filter := &assay.Filter{Field: "group", In: []any{int64(0), int64(2)}}
		filtered := slices.DeleteFunc(slices.Clone(full), func(h assay.Hit) bool { return !filter.Match(h.Metadata) })
		reqs := []assay.Request{{Vector: query, K: k}, {Vector: query, K: k, Filter: filter}}
		wants := [][]string{keys(full[:k]), keys(filtered[:min(k, len(filtered))])}
		for i, req := range reqs {
			if diff := gocmp.Diff(wants[i], keys(search(t, x, req).Hits)); diff != "" {
				t.Fatalf("request %d (-want +got):\n%s", i, diff)
			}
		}
		other := build(t, rapid.Permutation(chunks).Draw(t, "order"), exact.Config{Distance: cfg.Distance, Workers: 4 - cfg.Workers})
		batch, err := other.SearchBatch(context.Background(), slices.Concat(reqs, reqs, reqs))
		if err != nil {
			t.Fatal(err)
		}
		for i, res := range batch {
			if diff := gocmp.Diff(wants[i%2], keys(res.Hits)); diff != "" {
				t.Fatalf("batch %d (-want +got):\n%s", i, diff)
			}
		}
	})
}

// TestOverflow: a product of which a part does not fit in single precision, though the whole is the best,
// rules nothing out.
func TestOverflow(t *testing.T) {
	const dim, big = 16, 1e19
	best, query := make([]float32, dim), make([]float32, dim)
	for i := range query {
		query[i] = big
	}
	best[0], best[8] = -2*big, -2*big // one partial sum, -4e38
	best[1], best[2], best[3] = 1.6*big, 1.6*big, 1.6*big
	chunks := []assay.Chunk{{ID: "best", Vector: best}}
	for i := range 20 {
		v := make([]float32, dim)
		v[0] = float32(i)
		chunks = append(chunks, assay.Chunk{ID: fmt.Sprint("x", i), Vector: v})
	}
	x := build(t, chunks, exact.Config{Distance: connector.Dot})
	req := assay.Request{Vector: query, K: 3}
	if hits := search(t, x, req).Hits; hits[0].ID != "best" {
		t.Errorf("found %v", keys(hits))
	}
}

// TestLocate compares with the full ranking.
func TestLocate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chunks, query := awkward(t)
		x := build(t, chunks, exact.Config{Distance: rapid.SampledFrom(distances).Draw(t, "distance")})
		req := assay.Request{Vector: query, K: len(chunks)}
		if rapid.Bool().Draw(t, "filtered") {
			req.Filter = &assay.Filter{Field: "group", Ne: int64(1)}
		}
		want := map[string]exact.Place{}
		for i, h := range search(t, x, req).Hits {
			want[h.ID] = exact.Place{ID: h.ID, Rank: i + 1, Score: h.Score}
		}
		var ids []string
		var places []exact.Place
		for range rapid.IntRange(0, 5).Draw(t, "asked") {
			id := rapid.SampledFrom(chunks).Draw(t, "chunk").ID
			ids = append(ids, id)
			place := want[id]
			place.ID = id
			places = append(places, place)
		}
		ids, places = append(ids, "nowhere"), append(places, exact.Place{ID: "nowhere"})
		req.K = 0
		got, err := x.Locate(context.Background(), req, ids...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(places, got); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	})
}

func TestRefusals(t *testing.T) {
	good := assay.Chunk{ID: "a", Vector: []float32{1, 2}}
	for name, tc := range map[string]struct {
		chunks   []assay.Chunk
		distance string
		says     string
	}{
		"nothing":       {says: "no chunks"},
		"no vector":     {chunks: []assay.Chunk{good, {ID: "b"}}, says: "b: the chunk has no vector"},
		"dimension":     {chunks: []assay.Chunk{good, {ID: "b", Vector: []float32{1}}}, says: "b: the vector has 1 dimensions, the ones before it 2"},
		"not a number":  {chunks: []assay.Chunk{good, {ID: "b", Vector: []float32{1, float32(math.NaN())}}}, says: "b: value 2 of the vector is NaN"},
		"infinite":      {chunks: []assay.Chunk{{ID: "b", Vector: []float32{float32(math.Inf(1))}}}, says: "value 1 of the vector is +Inf"},
		"twice":         {chunks: []assay.Chunk{good, good}, says: `two chunks have the id "a"`},
		"no id":         {chunks: []assay.Chunk{{Vector: []float32{1}}}, says: "chunk 1 has no id"},
		"distance name": {chunks: []assay.Chunk{good}, distance: "cosin", says: `did you mean "cosine"?`},
	} {
		_, err := exact.Build(context.Background(), func(yield func(assay.Chunk, error) bool) {
			for _, c := range tc.chunks {
				if !yield(c, nil) {
					return
				}
			}
		}, exact.Config{Distance: tc.distance})
		if err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: got %v, want %q in it", name, err, tc.says)
		}
	}
	if _, err := exact.FromVectors([]assay.Chunk{{ID: "a"}, {ID: "b"}}, []float32{1, 2, 3}, exact.Config{}); err == nil {
		t.Error("three values for two chunks were taken")
	}
	x := build(t, []assay.Chunk{good}, exact.Config{})
	ok := assay.Request{Vector: []float32{1, 0}, K: 1}
	bad := assay.Request{Vector: []float32{1}, K: 1}
	_, err := x.SearchBatch(context.Background(), []assay.Request{ok, bad})
	if assay.KindOf(err) != assay.KindInvalid || !strings.Contains(err.Error(), "request 1") {
		t.Errorf("batch: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := x.SearchBatch(ctx, []assay.Request{ok}); assay.KindOf(err) != assay.KindCanceled {
		t.Errorf("canceled batch: %v", err)
	}
}
