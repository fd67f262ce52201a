package connectortest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/assay-eval/assay"
)

// Dimension of the vectors of Chunks.
const Dimension = 8

var words = strings.Fields("backup restore snapshot index vector shard replica segment token recall rerank payload latency query filter model")

// Chunks is a small corpus with what goes wrong in stores: ids beyond 2^53 that differ in their last
// digit, an id with a slash and an umlaut, metadata of every type, integers and fractions in one field,
// lists, a field that most lack, a chunk without metadata, text in several scripts. It is the same in
// every run.
func Chunks() []assay.Chunk {
	rng := rand.New(rand.NewPCG(1, 2))
	var out []assay.Chunk
	for i := range 30 {
		c := assay.Chunk{ID: fmt.Sprintf("doc%d.md#%d", i/3, i%3), Document: fmt.Sprintf("doc%d.md", i/3), Vector: vector(rng)}
		var text []string
		for range 12 {
			text = append(text, words[rng.IntN(len(words))])
		}
		c.Text = strings.Join(text, " ")
		c.Span = &assay.Span{Start: 200 * (i % 3), End: 200*(i%3) + len(c.Text)}
		c.Metadata = map[string]any{
			"lang": []string{"en", "de", "fr"}[i%3], "year": int64(2018 + i%8), "price": float64(i) + 0.5, "draft": i%4 == 0,
			"tags": []any{words[i%len(words)], words[(i+5)%len(words)]},
		}
		if i%5 == 0 {
			c.Metadata["rare"] = "yes"
		}
		if i%7 == 3 {
			c.Metadata["price"] = int64(i) // an integer among fractions
		}
		out = append(out, c)
	}
	out[4].ID, out[5].ID = "2637283987631399372", "2637283987631399371"
	out[4].Metadata["serial"], out[5].Metadata["serial"] = int64(2637283987631399372), int64(2637283987631399371)
	out[7].ID = "größe/a b?c#d"
	out[8].Metadata = nil
	out[9].Text = "Größe, 备份保留三十天。 👩‍🚒 \"quoted\" \\ <b>&amp;</b>"
	out[9].Span = &assay.Span{Start: 0, End: len(out[9].Text)}
	return out
}

func vector(rng *rand.Rand) []float32 {
	v := make([]float32, Dimension)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return v
}

// Requests asks for near and far chunks, by vector and by text alike, so that any kind can be asked.
func Requests(chunks []assay.Chunk) []assay.Request {
	rng := rand.New(rand.NewPCG(3, 4))
	var out []assay.Request
	for i, text := range []string{"backup snapshot", "vector index recall", "rerank", "query filter latency model"} {
		req := assay.Request{Text: text, Vector: make([]float32, len(chunks[i].Vector)), K: 4 + 3*i}
		for j, x := range chunks[7*i].Vector {
			req.Vector[j] = x + 0.3*float32(rng.NormFloat64())
		}
		out = append(out, req)
	}
	return out
}

// Filters is every operator and every way to nest, over the metadata of Chunks.
func Filters() []*assay.Filter {
	var out []*assay.Filter
	for _, s := range []string{
		`{"field":"lang","eq":"de"}`, `{"field":"year","eq":2021}`, `{"field":"draft","eq":true}`, `{"field":"price","eq":7.5}`,
		`{"field":"tags","eq":"shard"}`, `{"field":"serial","eq":2637283987631399371}`,
		`{"field":"lang","ne":"de"}`, `{"field":"tags","ne":"shard"}`, `{"field":"rare","ne":"yes"}`, `{"field":"year","ne":2021}`,
		`{"field":"lang","in":["de","fr"]}`, `{"field":"year","in":[2019,2024]}`, `{"field":"tags","in":["shard","token"]}`, `{"field":"draft","in":[true]}`,
		`{"field":"price","in":[1.5,2.5]}`,
		`{"field":"year","gte":2020,"lte":2022}`, `{"field":"year","gt":2020}`, `{"field":"price","lt":7.5}`, `{"field":"price","gt":2,"lt":20.25}`,
		`{"field":"rare","exists":true}`, `{"field":"rare","exists":false}`, `{"field":"tags","exists":true}`,
		`{"and":[{"field":"lang","eq":"en"},{"field":"year","gte":2021}]}`,
		`{"and":[{"field":"lang","eq":"en"},{"or":[{"field":"year","eq":2020},{"field":"year","eq":2023}]}]}`,
		`{"or":[{"field":"lang","eq":"de"},{"field":"year","eq":2021}]}`,
		`{"or":[{"field":"lang","eq":"de"},{"and":[{"field":"year","eq":2021},{"field":"draft","eq":true}]}]}`,
		`{"not":{"field":"lang","eq":"de"}}`, `{"not":{"field":"lang","ne":"de"}}`, `{"not":{"field":"lang","in":["de","fr"]}}`, `{"not":{"field":"tags","eq":"shard"}}`,
		`{"not":{"and":[{"field":"lang","eq":"de"},{"field":"draft","eq":true}]}}`, `{"not":{"or":[{"field":"lang","eq":"de"},{"field":"draft","eq":true}]}}`,
		`{"not":{"not":{"field":"lang","eq":"de"}}}`, `{"not":{"field":"year","gt":2020}}`, `{"not":{"field":"year","gte":2020,"lte":2022}}`,
		`{"field":"year","gte":2020,"ne":2021}`, `{"field":"lang","eq":"xx"}`, `{"field":"nope","eq":"x"}`, `{"field":"lang","eq":7}`,
	} {
		f, err := assay.ParseFilter([]byte(s))
		if err != nil {
			panic(err)
		}
		out = append(out, f)
	}
	return out
}
