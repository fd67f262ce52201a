package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSummary(t *testing.T) {
	tests := []struct {
		name, in, want string
		good           bool
	}{
		{
			name: "skips are grouped by reason",
			in: `{"Action":"output","Package":"github.com/assay-eval/assay/llm","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"github.com/assay-eval/assay/llm","Test":"TestA","Output":"    a_test.go:12: needs a server\n"}
{"Action":"output","Package":"github.com/assay-eval/assay/llm","Test":"TestA","Output":"--- SKIP: TestA (0.00s)\n"}
{"Action":"skip","Package":"github.com/assay-eval/assay/llm","Test":"TestA"}
{"Action":"output","Package":"github.com/assay-eval/assay/llm","Test":"TestB/x","Output":"    b_test.go:7: needs a server\n"}
{"Action":"skip","Package":"github.com/assay-eval/assay/llm","Test":"TestB/x"}
{"Action":"output","Package":"github.com/assay-eval/assay/llm","Test":"TestC","Output":"quiet\n"}
{"Action":"pass","Package":"github.com/assay-eval/assay/llm","Test":"TestC"}
{"Action":"output","Package":"github.com/assay-eval/assay/llm","Output":"PASS\n"}
{"Action":"output","Package":"github.com/assay-eval/assay/llm","Output":"ok  \tgithub.com/assay-eval/assay/llm\t0.1s\n"}
{"Action":"pass","Package":"github.com/assay-eval/assay/llm"}
`,
			want: "ok  \tgithub.com/assay-eval/assay/llm\t0.1s\n\nDid not run:\n  needs a server\n    llm.TestA\n    llm.TestB/x\n\n1 passed, 0 failed, 2 skipped\n",
			good: true,
		},
		{
			name: "a failed test shows all it said",
			in: `{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:12: 1 != 2\n"}
{"Action":"output","Package":"p","Test":"TestA","Output":"--- FAIL: TestA (0.00s)\n"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t0.1s\n"}
{"Action":"fail","Package":"p"}
`,
			want: "    a_test.go:12: 1 != 2\n--- FAIL: TestA (0.00s)\nFAIL\tp\t0.1s\n0 passed, 1 failed, 0 skipped\n",
		},
		{
			name: "a package that does not build is a failure without a failed test",
			in: `{"ImportPath":"p","Action":"build-output","Output":"p.go:1: undefined: x\n"}
{"ImportPath":"p","Action":"build-fail"}
{"Action":"output","Package":"p","Output":"FAIL\tp [build failed]\n"}
{"Action":"fail","Package":"p"}
{"Action":"pass","Package":"q","Test":"TestA"}
`,
			want: "p.go:1: undefined: x\nFAIL\tp [build failed]\n1 passed, 0 failed, 0 skipped\n",
		},
		{
			name: "a crash shows the test it was in",
			in: `{"Action":"output","Package":"p","Test":"TestA","Output":"panic: boom\n"}
{"Action":"fail","Package":"p"}
`,
			want: "panic: boom\n0 passed, 0 failed, 0 skipped\n",
		},
		{
			name: "no test at all is no success",
			in:   "go: warning: \"./...\" matched no packages\n",
			want: "go: warning: \"./...\" matched no packages\n0 passed, 0 failed, 0 skipped\n",
		},
		{
			name: "a skip without a word",
			in: `{"Action":"skip","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestB"}
`,
			want: "\nDid not run:\n  no reason given\n    p.TestA\n\n1 passed, 0 failed, 1 skipped\n",
			good: true,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			s := newSummary(&out)
			if err := s.read(strings.NewReader(tt.in)); err != nil {
				t.Fatal(err)
			}
			s.close()
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
			if s.good() != tt.good {
				t.Errorf("good = %v, want %v", s.good(), tt.good)
			}
		})
	}
}
