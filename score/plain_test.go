package score_test

import (
	"path/filepath"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonl"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/testset"
)

// TestPlainScript: a set of {"query","relevant_chunk_id"} pairs and a store whose point ids are the chunk
// ids give what ten lines of Python print (testdata/plain.py over the files beside it, Python 3.11).
func TestPlainScript(t *testing.T) {
	const recall10, recall1 = 0.7, 0.36666666666666664
	set, err := testset.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.Import([]string{filepath.Join("testdata", "plain_pairs.jsonl")}, testset.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	type ranking struct {
		Query string   `json:"query"`
		IDs   []string `json:"ids"`
	}
	for _, withText := range []bool{false, true} {
		passages := texts{}
		var results []assay.Result
		for rec, err := range jsonl.Read[ranking](filepath.Join("testdata", "plain_rankings.jsonl")) {
			if err != nil {
				t.Fatal(err)
			}
			r := assay.Result{Query: testset.QueryID(rec.Value.Query, nil), Hits: hits(rec.Value.IDs...)}
			for i := range r.Hits {
				if withText { // a store that gives texts, while the labels know none
					r.Hits[i].TextHash = passages.put("text of " + r.Hits[i].ID)
				}
			}
			results = append(results, r)
		}
		s := mustScore(t, set, passages, measures(t, "recall@10", "recall@1"), score.Options{K: 12}, results...)
		if got := value(t, s, "recall@10"); got != recall10 {
			t.Errorf("recall@10 %v, Python has %v", got, recall10)
		}
		if got := value(t, s, "recall@1"); got != recall1 {
			t.Errorf("recall@1 %v, Python has %v", got, recall1)
		}
		if raw := s.MetricsRaw(); raw["recall@10"] != recall10 || raw["recall@1"] != recall1 {
			t.Errorf("raw %v", raw)
		}
		if share, ok := s.Resolved.Share(score.ByKey); !ok || share != 1 {
			t.Errorf("resolved by key alone: %v of the matched hits, want all; %v", share, s.Resolved)
		}
		if text, ok := hasWarning(s, "raw_differs"); ok {
			t.Errorf("unexpected warning: %s", text)
		}
	}
}
