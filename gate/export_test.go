package gate_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/gate"
)

// suites is JUnit XML as a CI server reads it.
type suites struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
	Suite    struct {
		Name  string `xml:"name,attr"`
		Cases []struct {
			Name    string  `xml:"name,attr"`
			Failure *string `xml:"failure"`
			Error   *string `xml:"error"`
			Skipped *struct {
				Message string `xml:"message,attr"`
			} `xml:"skipped"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func junit(t *testing.T, v *gate.Verdict) suites {
	t.Helper()
	var b strings.Builder
	if err := gate.WriteJUnit(&b, v); err != nil {
		t.Fatal(err)
	}
	var s suites
	if err := xml.Unmarshal([]byte(b.String()), &s); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	return s
}

// TestJUnitAgreesWithTheExitCode: a file without failure or error stands beside exit code 0 and no other.
func TestJUnitAgreesWithTheExitCode(t *testing.T) {
	good, base := side("old", repeat(100, 1, 0.5)...), side("old", repeat(100, 1, 0.5)...)
	for name, c := range map[string]struct {
		in   gate.Input
		want [4]int // tests, failures, errors, skipped
	}{
		"pass":         {gate.Input{Rules: rules(t, "recall@10 >= 0.5", "recall@10 drop < 0.1"), Candidate: *good, Baseline: base}, [4]int{2, 0, 0, 0}},
		"regression":   {gate.Input{Rules: rules(t, "recall@10 >= 0.95", "recall@10 >= 0.5"), Candidate: *good}, [4]int{2, 1, 0, 0}},
		"inconclusive": {gate.Input{Rules: rules(t, "recall@10 >= 0.75"), Candidate: *good}, [4]int{1, 1, 0, 0}},
		"lenient":      {gate.Input{Rules: rules(t, "recall@10 >= 0.75"), Candidate: *good, Policy: gate.Lenient}, [4]int{1, 0, 0, 1}},
		"no baseline":  {gate.Input{Rules: rules(t, "recall@10 drop < 0.1"), Candidate: *good}, [4]int{1, 0, 1, 0}},
		"no data":      {gate.Input{Rules: rules(t, "rerank_p50_ms < 5"), Candidate: *good}, [4]int{1, 0, 1, 0}},
		"half failed":  {gate.Input{Rules: rules(t, "recall@10 >= 0.5"), Candidate: *side("new", repeat(100, 1, failed)...)}, [4]int{1, 0, 1, 0}},
		"half failed, and a rule with it": {gate.Input{Rules: rules(t, "recall@10 >= 0.999"), Candidate: *side("new", repeat(100, 0.9, 0.7, failed)...)},
			[4]int{2, 1, 1, 0}},
	} {
		v := evaluate(t, c.in)
		s := junit(t, v)
		if got := [4]int{s.Tests, s.Failures, s.Errors, s.Skipped}; got != c.want || len(s.Suite.Cases) != s.Tests {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		if (s.Failures+s.Errors > 0) != (v.ExitCode != 0) {
			t.Errorf("%s: %d failures and %d errors beside exit code %d", name, s.Failures, s.Errors, v.ExitCode)
		}
	}
}

// TestExportsTakeNoTextForMarkup is case C20 for what CI servers read.
func TestExportsTakeNoTextForMarkup(t *testing.T) {
	for _, foreign := range []string{`<img src=x onerror=alert(1)>`, `</script><script>alert(1)</script>`, `"><b>`, "]]></testcase>", "a\n::error::b", "a\r::add-mask::b", "100%0A::warning::x", "a,b:c", "\x1b[31m\x00"} {
		candidate := side("new", repeat(40, 1)...)
		candidate.System, candidate.Name = foreign, foreign
		candidate.Counts.Failed, candidate.Counts.Queries = 40, 80
		in := gate.Input{Rules: rules(t, "recall@10 drop < 0.1", "recall@10 >= 0.99"), Candidate: *candidate, Problems: []gate.Problem{{Outcome: gate.NoData, Reason: foreign, Hint: foreign}}}
		in.Rules[0].Where = foreign + ":3"
		v := evaluate(t, in)
		s := junit(t, v)
		if want := "assay gate " + strings.NewReplacer("\x1b", "\ufffd", "\x00", "\ufffd").Replace(foreign); s.Suite.Name != want {
			t.Errorf("JUnit: %q, want %q", s.Suite.Name, want)
		}
		var b strings.Builder
		if err := gate.WriteAnnotations(&b, v); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if !strings.HasPrefix(line, "::error ") || strings.Count(line, "::") != 2 && !strings.Contains(foreign, "::") || strings.ContainsRune(line, '\r') {
				t.Errorf("%q makes the line %q", foreign, line)
			}
		}
		if n := strings.Count(b.String(), "\n"); n != 3 {
			t.Errorf("%q makes %d lines", foreign, n)
		}
	}
}

func TestAnnotations(t *testing.T) {
	base := side("old", repeat(100, 1, 0.5)...)
	write := func(v *gate.Verdict) []string {
		for i := range v.Rules {
			v.Rules[i].Where = "evals/assay.yaml:12"
		}
		var b strings.Builder
		if err := gate.WriteAnnotations(&b, v); err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	}
	head := func(lines []string) []string {
		var out []string
		for _, l := range lines {
			at := strings.LastIndex(l, "::")
			out = append(out, l[:at])
		}
		return out
	}
	for name, c := range map[string]struct {
		v    *gate.Verdict
		want []string
	}{
		"pass":       {judge(t, base, base, "recall@10 drop < 0.02"), []string{"::notice title=assay gate%3A pass"}},
		"regression": {judge(t, side("new", repeat(100, 0)...), base, "recall@10 drop < 0.02"), []string{"::error file=evals/assay.yaml,line=12,title=recall@10 drop < 0.02%3A regression"}},
		"let through": {evaluate(t, gate.Input{Rules: rules(t, "recall@10 >= 0.75"), Candidate: *base, Policy: gate.Lenient}),
			[]string{"::warning file=evals/assay.yaml,line=12,title=recall@10 >= 0.75%3A inconclusive"}},
		"of the run": {evaluate(t, gate.Input{Rules: rules(t, "recall@10 >= 0.99"), Candidate: *base, Problems: []gate.Problem{{Outcome: gate.NotComparable, Reason: "x"}}}),
			[]string{"::error file=evals/assay.yaml,line=12,title=recall@10 >= 0.99%3A regression", "::error title=assay gate%3A not comparable"}},
	} {
		if diff := cmp.Diff(c.want, head(write(c.v))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
