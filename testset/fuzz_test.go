package testset_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/testset"
)

// FuzzImport: whatever the input, import ends in a usage error or in a set that holds what it reports and
// to which the same input adds nothing.
func FuzzImport(f *testing.F) {
	for _, seed := range []string{
		`[{"query":"a","relevant_ids":["x",7]},{"query":"b"}]`,
		`{"query":"a","relevant_chunk_id":"x"}` + "\n" + `{"_id":"1","text":"a"}`,
		"query,relevant_chunk_id\na,x\n\"b,\",\n",
		"query\trelevant_ids\na\t[\"x\"]\n",
		"<top>\n<num> Number: 1\n<title> a\n</top>",
		"<topic number='1'><query>a</query></topic>",
		"1\thow\n2\twhy\n",
		"1 0 a 1\n1 Q0 b 0\n",
		"query-id\tcorpus-id\tscore\n1\ta\t1\n",
		"how to rank\r\nwhy",
		"\ufeff[",
		`{"id":"x","query":"a","judged_chunk_id":"c","grade":1,"scale":"assay","given":-2,"by":"judge","who":"m","time":"2026-12-02T10:00:00Z","target":{"document":"d","start":1,"end":2,"quote":"x"},"origin":{"method":"llm","document":"d"}}`,
		`{"query":"a","scale":"assay","event":"bad_query","by":"human","who":"ann"}`,
		"query,grade,document,quote,start,end,scale,tags,event,judged_chunk_id\na,2,d,\"x\r\ny\",0,4,assay,\"a, b\",,\nb,,,,,,assay,,broken_text,[\" c \"]\n",
		"query;relevant_chunk_id\na;x\n",
		"1 Q0 d 1 2.5 tag\n",
		"1 0 a b 1\n",
		`{"_id":"1","text":"a","metadata":{"assay":{"tags":["t"],"unlabelled":true}}}`,
	} {
		for i := range len(testset.Forms()) + 1 {
			f.Add([]byte(seed), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, form uint8) {
		opts := testset.ImportOptions{Scale: testset.Scale{0: 0, 1: 2, 2: 3}}
		if i := int(form) - 1; i >= 0 && i < len(testset.Forms()) {
			opts.Form = testset.Forms()[i]
		}
		set, err := testset.New(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		opts.Stdin = bytes.NewReader(data)
		report, err := set.Import([]string{"-"}, opts)
		if err != nil {
			if !errors.Is(err, assay.ErrUsage) {
				t.Fatalf("not a usage error: %v", err)
			}
			return
		}
		if set.Len() != report.NewQueries || report.Queries != report.NewQueries {
			t.Errorf("%d queries in the set, report %+v", set.Len(), report)
		}
		version := set.Version()
		opts.Stdin = bytes.NewReader(data)
		again, err := set.Import([]string{"-"}, opts)
		if err != nil || again.NewQueries != 0 || again.NewLabels != 0 || set.Version() != version {
			t.Errorf("imported twice: %+v, %v", again, err)
		}
	})
}
