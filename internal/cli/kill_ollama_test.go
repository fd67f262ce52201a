//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/assay-eval/assay/generate"
	"github.com/assay-eval/assay/internal/parts"
)

// TestKilledGeneratingWithARealModel has Ollama write about three passages, once without a break, after a dry
// run, and once with a budget, a kill and a last call that goes on. Both end with the same bytes, and no
// reply that was of use is asked for twice: neither those of the dry run nor those from before the kill. The
// model is too weak to write questions (docs/generate.md), so that its files are mostly of rejects.
func TestKilledGeneratingWithARealModel(t *testing.T) {
	ollama := parts.Ollama(t)
	if testing.Short() {
		t.Skip("a small model on a small machine takes a minute")
	}
	const passages = 3
	t.Setenv("SOURCE_DATE_EPOCH", "1764662400") // times are part of the bytes
	var calls traffic
	url := calls.proxy(t, ollama.URL, func(path string, body []byte) string {
		if path != "/api/chat" {
			return ""
		}
		return string(body)
	})
	project := func() *folder {
		f := newFolder(t)
		f.write("docs.jsonl", firstPassages(t, passages))
		f.write("assay.yaml", fmt.Sprintf(`corpus: {path: docs.jsonl}
models: {small: {provider: ollama, model: %s, url: "%s", timeout: 30m}}
generate: {model: small, sample: %d}
`, ollama.Chat, url, passages/oversampled))
		return f
	}
	unbroken, f := project(), project()

	dry := unbroken.start("generate", "--dry-run", "--json")
	if code := end(dry); code != exitOK {
		t.Fatalf("a dry run ended with %d\n%s", code, &dry.err)
	}
	var estimate estimateDocument
	if err := json.Unmarshal(dry.out.Bytes(), &estimate); err != nil {
		t.Fatal(err)
	}
	if p, most := estimate.Probe, estimate.Most; p.Questions != 3 || p.Calls != 3 || p.PromptTokens == 0 || p.Minutes <= 0 || most == nil || most.Calls != passages {
		t.Errorf("estimate %s", &dry.out)
	}
	if _, err := os.Stat(unbroken.path("testset")); err == nil {
		t.Error("a dry run made a test set")
	}
	want := end(unbroken.start("generate"))
	if n := len(calls.times()); n != passages {
		t.Errorf("%d questions were asked, of %d passages", n, passages)
	}
	useless := 0 // replies that were cut off or no JSON, which the cache does not keep
	for _, r := range records[generate.Reject](unbroken, "testset/rejects.jsonl") {
		if r.Rule == "reply" {
			useless++
		}
	}
	if n := len(calls.soFar()); n > passages+useless {
		t.Errorf("%d calls for %d questions: the replies of the dry run were asked for again", n, passages)
	}
	calls.forget()

	if p := f.start("generate", "--max-calls", "1"); end(p) != exitIncomplete {
		t.Fatalf("a budget ended with %d\n%s", p.code, &p.err)
	}
	if n := len(calls.soFar()); n != 1 {
		t.Errorf("%d calls with a budget of 1", n)
	}
	lives := [][]string{calls.soFar()}
	p := f.start("generate")
	calls.after(1, p)
	p.stop(syscall.SIGKILL)
	calls.settle(t)
	lives = append(lives, calls.soFar()[1:])
	before := len(calls.soFar())
	got := end(f.start("generate"))
	lives = append(lives, calls.soFar()[before:])
	noneInVain(t, lives)
	if got != want {
		t.Errorf("ended with %d, unbroken with %d", got, want)
	}
	for _, name := range []string{"queries.jsonl", "labels.jsonl", "rejects.jsonl"} {
		a, b := unbroken.read("testset/"+name), f.read("testset/"+name)
		if a != b {
			t.Errorf("%s differs: unbroken\n%s\nkilled\n%s", name, a, b)
		}
	}
	t.Logf("exit %d; rejects:", got)
	for _, r := range records[generate.Reject](f, "testset/rejects.jsonl") {
		t.Logf("%s: %s: %q", r.Rule, r.Reason, r.Question)
	}
}

// oversampled is how many chunks are drawn for each query wanted.
const oversampled = 3

// firstPassages are passages of the list of questions, as documents.
func firstPassages(t *testing.T, n int) string {
	t.Helper()
	data, err := os.ReadFile("../../generate/testdata/questions/passages.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.SplitAfter(string(data), "\n")[:n], "")
}

// end waits for a program and gives its exit code.
func end(p *process) int {
	<-p.ended
	return p.code
}
