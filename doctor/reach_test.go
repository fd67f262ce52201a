package doctor_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/doctor"
	"github.com/assay-eval/assay/internal/parts"
)

// want is what a finding must be.
type want struct {
	status     doctor.Status
	cause      string
	found, fix string // parts of the sentences
}

func (w want) check(t *testing.T, f doctor.Finding) {
	t.Helper()
	if f.Status != w.status || f.Cause != w.cause || !strings.Contains(f.Found, w.found) || !strings.Contains(f.Fix, w.fix) {
		t.Errorf("got  %s %s: %s\n fix: %s\nwant %s %s: %s\n fix: %s", f.Status, f.Cause, f.Found, f.Fix, w.status, w.cause, w.found, w.fix)
	}
	if (f.Status == doctor.Fault || f.Status == doctor.Warning) && (f.Effect == "" || f.Fix == "" || f.Where == "") {
		t.Errorf("%s of %s says no effect, no fix or no place: %+v", f.Check, f.Subject, f)
	}
}

func TestReachable(t *testing.T) {
	good := collection(t, "cosine", handbook())
	empty := collection(t, "cosine", nil)
	o := parts.Ollama(t)
	yaml := fmt.Sprintf(`models:
  minilm: {provider: ollama, model: %[1]s, url: %[2]q}
  unpulled: {provider: ollama, model: not-pulled, url: %[2]q}
  nobody: {provider: openai, model: x, url: "http://127.0.0.1:1/v1"}
systems:
  good: {retriever: {kind: chroma, url: %[3]q, collection: %[4]s}, embed: minilm}
  empty: {retriever: {kind: chroma, url: %[3]q, collection: %[5]s}, embed: minilm}
  misspelt: {retriever: {kind: chroma, url: %[3]q, collection: %[4]sx}, embed: minilm}
  port: {retriever: {kind: chroma, url: "http://127.0.0.1:1", collection: %[4]s}, embed: unpulled}
  other: {retriever: {kind: chroma, url: %[2]q, collection: %[4]s}, embed: nobody}
run: {retries: 0}
`, o.Embed, o.URL, parts.Chroma(t), good, empty)
	r := examine(t, yaml, doctor.Options{Only: []string{"reachability", "dimension"}})
	for subject, w := range map[string]want{
		"model minilm":    {status: doctor.OK, found: "gives 384 dimensions"},
		"model unpulled":  {doctor.Fault, string(assay.KindNotFound), "not found", "ollama pull not-pulled"},
		"model nobody":    {doctor.Fault, string(assay.KindUnavailable), "nothing listens", "url"},
		"system good":     {status: doctor.OK, found: "12 chunks"},
		"system empty":    {doctor.Fault, "empty", "no chunk", "fill the collection " + empty},
		"system misspelt": {doctor.Fault, string(assay.KindNotFound), "404", fmt.Sprintf("did you mean %q", good)},
		"system port":     {doctor.Fault, string(assay.KindUnavailable), "nothing listens", "correct the url"},
	} {
		t.Run(subject, func(t *testing.T) { w.check(t, finding(t, r, "reachability", subject)) })
	}
	if f := finding(t, r, "reachability", "system other"); f.Status != doctor.Fault {
		t.Errorf("a server of another kind: %+v", f)
	}
	for _, subject := range []string{"system empty", "system port", "system other"} {
		want{status: doctor.NotChecked, found: "does not answer"}.check(t, finding(t, r, "dimension", subject))
	}
}

func TestOnlyKnownChecks(t *testing.T) {
	_, err := doctor.Examine(t.Context(), &doctor.Setup{}, doctor.Options{Only: []string{"dimensions"}})
	if err == nil || !strings.Contains(err.Error(), `did you mean "dimension"?`) {
		t.Error(err)
	}
}
