package generate_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/shared"
)

// TestRealQueriesPass takes queries that other people wrote for other ends through the rules that need no
// model: the 225 of Cranfield and the 1,109 claims of SciFact. They are the check on the list of questions,
// whose author wrote the rules as well; at most 5 % may be refused. The hundred questions of the Claude
// documentation set were written by a large model in 2024: many ask two things at once, and a quarter goes.
func TestRealQueriesPass(t *testing.T) {
	english := assay.Chunk{Text: "This is a passage in English, and it is of no use to any of the queries."}
	for _, tc := range []struct {
		name    string
		queries []string
		n       int
		most    float64 // share that may be refused
	}{
		{"Cranfield", cranfield(t), 225, 0.05},
		{"SciFact", append(scifact(t, "test"), scifact(t, "train")...), 1109, 0.05},
		{"Claude documentation", claude(t), 100, 0.30},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if len(tc.queries) != tc.n {
				t.Fatalf("%d queries, want %d", len(tc.queries), tc.n)
			}
			refused, rules := 0, map[string]int{}
			for _, q := range tc.queries {
				if rule, why := judge(t, english, q); rule != "" {
					refused++
					rules[rule]++
					t.Logf("%s: %s: %s", rule, why, q)
				}
			}
			t.Logf("%d of %d refused: %v", refused, tc.n, rules)
			if share := float64(refused) / float64(tc.n); share > tc.most {
				t.Errorf("%.1f %% of real queries are refused", 100*share)
			}
		})
	}
}

func shareData(t *testing.T, elem ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(shared.Dir(t, elem...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func cranfield(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, m := range regexp.MustCompile(`(?s)\.W\r?\n(.*?)(?:\.I|\z)`).FindAllStringSubmatch(string(shareData(t, "data", "cranfield", "cran.qry")), -1) {
		out = append(out, strings.Join(strings.Fields(m[1]), " "))
	}
	return out
}

func scifact(t *testing.T, split string) []string {
	t.Helper()
	var out []string
	for line := range strings.Lines(string(shareData(t, "data", "scifact", "queries-"+split+".jsonl"))) {
		var q struct {
			Text string `json:"text"`
		}
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatal(err)
		}
		out = append(out, q.Text)
	}
	return out
}

func claude(t *testing.T) []string {
	t.Helper()
	var list []struct {
		Question string `json:"question"`
	}
	if err := json.Unmarshal(shareData(t, "data", "claude_docs_rag", "docs_evaluation_dataset.json"), &list); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, q := range list {
		out = append(out, q.Question)
	}
	return out
}
