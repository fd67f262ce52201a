package generate_test

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
)

// FuzzRules takes any question about any text through every rule that needs no model: none panics, none calls
// anything an error, and a question that passes is valid text of one line that the source does not hold.
func FuzzRules(f *testing.F) {
	for _, q := range []string{"How long are backups kept?", "Wie lange bleibt sie dort?", "", "?", "«Ça va ?»", "备份保留多久？", "\xff\xfe", "a\x00b c d", "__ __ __ __", "z. B. wie Dr. No. 3?"} {
		f.Add(q, backup.Text, "keywords")
		f.Add(q, "", "typo")
	}
	f.Fuzz(func(t *testing.T, question, text, style string) {
		p := &generate.Planner{Styles: []generate.Share{{Value: style, Share: 1}}}
		c := generate.Candidate{Chunk: assay.Chunk{ID: "c", Text: text}, Question: question, Quote: question, Plan: generate.Plan{Style: generate.Style(style)}}
		for _, r := range generate.DefaultRules(p) {
			why, err := r.Check(context.Background(), &c)
			if err != nil {
				t.Fatalf("%s: %v", r.Name, err)
			}
			if why != "" {
				return
			}
		}
		if !utf8.ValidString(c.Question) || strings.ContainsAny(c.Question, "\n\r\t") || c.Leakage.LongestSharedNgram > generate.MaxSharedRun+1 {
			t.Fatalf("%q passed: %+v", c.Question, c.Leakage)
		}
	})
}
