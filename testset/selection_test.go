package testset_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/testset"
)

func TestSelection(t *testing.T) {
	q := assay.Query{ID: "q", Text: "Wie lange bleibt eine Sicherung?", Tags: []string{"ops", "conflict"}, Filter: &assay.Filter{Field: "lang", Eq: "de"},
		Origin:  &assay.Origin{Method: "llm", Style: "question", Language: "de", Document: "ops/backup.md"},
		Leakage: &assay.Leakage{LongestSharedNgram: 3, ContentCoverage: 0.5}}
	plain := assay.Query{ID: "p", Text: "dark mode"}
	yes, no, half, more := true, false, 0.5, 0.6
	for _, tc := range []struct {
		name     string
		s        testset.Selection
		q, plain bool // is each picked?
	}{
		{"all", testset.Selection{}, true, true},
		{"one of the tags", testset.Selection{Tags: []string{"none", "ops"}}, true, false},
		{"style", testset.Selection{Styles: []string{"question"}}, true, false},
		{"another style", testset.Selection{Styles: []string{"keywords"}}, false, false},
		{"method", testset.Selection{Methods: []string{"import", "llm"}}, true, false},
		{"language", testset.Selection{Languages: []string{"en"}}, false, false},
		{"folder", testset.Selection{Document: "ops/"}, true, false},
		{"text in another case", testset.Selection{Text: "SICHERUNG"}, true, false},
		{"filtered", testset.Selection{Filtered: &yes}, true, false},
		{"not filtered", testset.Selection{Filtered: &no}, false, true},
		{"coverage at the bound", testset.Selection{MinCoverage: &half, MaxCoverage: &half}, true, false},
		{"more coverage", testset.Selection{MinCoverage: &more}, false, false},
		{"at most", testset.Selection{MaxCoverage: &more}, true, false},
		{"copied", testset.Selection{MinCopied: 3}, true, false},
		{"copied more", testset.Selection{MinCopied: 4}, false, false},
		{"both must hold", testset.Selection{Tags: []string{"ops"}, Text: "dark"}, false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.s.Match(&q); got != tc.q {
				t.Errorf("the filtered one: %t", got)
			}
			if got := tc.s.Match(&plain); got != tc.plain {
				t.Errorf("the plain one: %t", got)
			}
		})
	}
}
