package gate

import (
	"encoding/xml"
	"fmt"
	"io"
)

// The JUnit XML that CI servers read, as Jenkins and GitLab take it: one suite, a case for each rule.
type junitSuites struct {
	XMLName  xml.Name   `xml:"testsuites"`
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Skipped  int        `xml:"skipped,attr"`
	Suite    junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
	Out        string          `xml:"system-out,omitempty"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string       `xml:"classname,attr"`
	Name    string       `xml:"name,attr"`
	File    string       `xml:"file,attr,omitempty"`
	Failure *junitDetail `xml:"failure"`
	Error   *junitDetail `xml:"error"`
	Skipped *junitDetail `xml:"skipped"`
	Out     string       `xml:"system-out,omitempty"`
}

type junitDetail struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the verdict as JUnit XML. A regression is a failure, and so is an inconclusive rule unless the policy
// lets it pass, when it is skipped; what could not be judged is an error. A problem of the whole gate is a case of its own,
// so that a file with no failure in it never stands beside an exit code that has one.
func WriteJUnit(w io.Writer, v *Verdict) error {
	s := junitSuite{Name: "assay gate " + v.Candidate.System, Properties: []junitProperty{
		{"outcome", string(v.Outcome)}, {"exit_code", fmt.Sprint(v.ExitCode)}, {"run", v.Candidate.Run}, {"policy", string(v.Policy)}}}
	if v.Baseline != nil {
		s.Properties = append(s.Properties, junitProperty{"baseline", v.Baseline.Run})
	}
	decided := false
	for i := range v.Rules {
		r := &v.Rules[i]
		s.add(junitCase{Name: r.Rule, File: r.Where}, r.Outcome, v.Policy, r.Reason)
		decided = decided || r.Outcome == v.Outcome
	}
	if !decided {
		s.add(junitCase{Name: "the run can be judged"}, v.Outcome, v.Policy, v.Reason)
	}
	s.Tests = len(s.Cases)
	for _, warning := range append(v.Caveats, v.Warnings...) {
		s.Out += warning.Text + "\n"
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(junitSuites{Name: "assay", Tests: s.Tests, Failures: s.Failures, Errors: s.Errors, Skipped: s.Skipped, Suite: s}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// add counts a case and says what became of it.
func (s *junitSuite) add(c junitCase, o Outcome, p Policy, reason string) {
	c.Class = s.Name
	detail := &junitDetail{Type: string(o), Message: reason, Text: reason}
	switch {
	case o == Pass:
		c.Out = reason
	case o == Inconclusive && !o.Failed(p):
		c.Skipped = &junitDetail{Message: string(o) + ": " + reason}
		s.Skipped++
	case o == Regression || o == Inconclusive:
		c.Failure = detail
		s.Failures++
	default:
		c.Error = detail
		s.Errors++
	}
	s.Cases = append(s.Cases, c)
}
