package doctor_test

import (
	"testing"

	"github.com/assay-eval/assay/doctor"
)

// embeddedAs gives the items vectors of other texts than their own.
func embeddedAs(items []item, f func(text string) string) []item {
	for i := range items {
		items[i].embed = f(items[i].text)
	}
	return items
}

// scaled gives the items' vectors other lengths.
func scaled(t *testing.T, items []item, f func(i int) float32) []item {
	t.Helper()
	for i := range items {
		items[i].vector = minilm(t, []string{items[i].text})[0]
		for j := range items[i].vector {
			items[i].vector[j] *= f(i)
		}
	}
	return items
}

// noise gives the items vectors of the model's dimension that it never made.
func noise(items []item) []item {
	for i := range items {
		items[i].vector = make([]float32, 384)
		for j := range items[i].vector {
			items[i].vector[j] = float32((i*31+j*17)%19 - 9)
		}
	}
	return items
}

// TestVectors plants what goes wrong between an ingestion and an assay.yaml. Each fault is told from the others.
func TestVectors(t *testing.T) {
	prefixed := func(text string) string { return "search_document: " + text }
	mixed := handbook()
	for i := range mixed[:4] {
		mixed[i].embed = prefixed(mixed[i].text)
	}
	titled := handbook()
	for i := range titled {
		titled[i].metadata["title"] = "Handbook"
		titled[i].embed = "Handbook\n" + titled[i].text
	}
	shifted, swapped := handbook(), handbook()
	for i := range shifted {
		shifted[i].embed = shifted[(i+1)%len(shifted)].text
	}
	for i := range 4 {
		swapped[i].embed = swapped[3-i].text
	}
	uneven := func(i int) float32 { return float32(1 + i%4) }
	for name, c := range map[string]struct {
		space string
		items []item
		more  string
		want  want
	}{
		"healthy":        {"cosine", handbook(), "", want{status: doctor.OK, found: "all 12 of the sample"}},
		"wrong prefix":   {"cosine", embeddedAs(handbook(), prefixed), "", want{doctor.Fault, "wrong_prefix", `the prefix "search_document: "`, `document_prefix: "search_document: ", query_prefix: "search_query: " (in models.minilm)`}},
		"mixed":          {"cosine", mixed, "", want{doctor.Fault, "wrong_prefix", "4 of 12 stored vectors", "embed these chunks again"}},
		"wrong model":    {"cosine", noise(handbook()), "", want{doctor.Fault, "wrong_model", "all 12", "another model of the same dimension"}},
		"shifted by one": {"cosine", shifted, "", want{doctor.Fault, "other_chunk", "all 12", "pairs texts and vectors wrongly"}},
		"a batch turned": {"cosine", swapped, "", want{doctor.Fault, "other_chunk", "4 of 12 stored vectors", "batches that come back in another order"}},
		"title with it":  {"cosine", titled, ", title: metadata.title", want{doctor.Warning, "other_text", "the title and the text", "keep"}},
		"other text":     {"cosine", embeddedAs(handbook(), func(s string) string { return s + " " + s[:len(s)/2] + " Read more in the appendix." }), "", want{doctor.Fault, "other_text", "not what minilm gives", "compare what your ingestion sends"}},
		"not normalised": {"l2", scaled(t, handbook(), uneven), "", want{doctor.Fault, "not_normalised", "lengths from 1 to 4", "normalise"}},
		"under cosine":   {"cosine", scaled(t, handbook(), uneven), "", want{status: doctor.OK, found: "which cosine does not mind"}},
		"unit under l2":  {"l2", handbook(), "", want{status: doctor.OK}},
		"scaled, dot":    {"ip", scaled(t, handbook(), func(int) float32 { return 3 }), "", want{status: doctor.OK}},
	} {
		t.Run(name, func(t *testing.T) {
			r := examine(t, chromaSystem(t, collection(t, c.space, c.items), c.more), doctor.Options{Only: []string{"vectors"}})
			c.want.check(t, finding(t, r, "vectors", "system live"))
		})
	}
}

// The prefix that the configuration has and the index has not.
func TestVectorsWithoutTheConfiguredPrefix(t *testing.T) {
	yaml := chromaSystem(t, collection(t, "cosine", handbook()), "")
	r := examine(t, yaml, doctor.Options{Only: []string{"vectors"}}, func(s *doctor.Setup) { s.Models[0].Document = "passage: " })
	want{doctor.Fault, "wrong_prefix", "made with no prefix", `embed all chunks again with the prefix "passage: "`}.check(t, finding(t, r, "vectors", "system live"))
}

func TestDistance(t *testing.T) {
	o := doctor.Options{Only: []string{"distance"}}
	for space, w := range map[string]want{
		"cosine": {status: doctor.OK, found: "cosine"},
		"l2":     {status: doctor.OK, found: "euclid, which ranks as cosine does"},
		"ip":     {status: doctor.OK, found: "dot"},
	} {
		w.check(t, finding(t, examine(t, chromaSystem(t, collection(t, space, handbook()), ""), o), "distance", "system live"))
	}
	r := examine(t, chromaSystem(t, collection(t, "ip", handbook()), ""), o, func(s *doctor.Setup) { s.Systems[0].Embed.Embedder = uneven{s.Systems[0].Embed.Embedder} })
	want{doctor.Fault, "not_normalised", "compares by dot", "--embd-normalize 2"}.check(t, finding(t, r, "distance", "system live"))
}
