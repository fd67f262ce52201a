//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/demo"
	"github.com/assay-eval/assay/internal/parts"
	"github.com/assay-eval/assay/label"
)

// grader is an Ollama server that judges: for most passages the text of a recorded reply is replaced by a verdict, with a quote
// where the grade needs one; for the others it says what the real model was recorded saying, which is no verdict, or
// cut. A second ask about a passage has a reply of its own.
type grader struct {
	*writer
}

func newGrader(t testing.TB) *grader {
	s := &grader{newWriter(t)}
	s.url = s.serve(t, s)
	return s
}

// judgedPassage finds the passage that a judge is asked about, and the mark of the call.
var judgedPassage = regexp.MustCompile(`(?s)\nPassage ([0-9a-f]{16}):\n(.*)\n\(end of passage ([0-9a-f]{16})\)`)

func (s *grader) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if reply, ok := s.fixed[r.URL.Path]; ok {
		_, _ = w.Write(reply)
		return
	}
	var req struct{ Messages []struct{ Content string } }
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil || len(req.Messages) != 1 {
		http.Error(w, "unexpected request", http.StatusBadRequest)
		return
	}
	prompt := req.Messages[0].Content
	m := judgedPassage.FindStringSubmatch(prompt)
	if m == nil || m[1] != m[3] {
		http.Error(w, "no passage in the prompt", http.StatusBadRequest)
		return
	}
	key := m[1]
	if strings.Contains(prompt, "An earlier reply to this was refused") {
		key += " again"
	}
	s.note(key)
	time.Sleep(s.delay)
	h := fnv.New32a()
	_, _ = h.Write([]byte(key))
	n := int(h.Sum32() % 1000)
	reply := map[string]any{}
	for k, v := range s.replies[n%len(s.replies)] {
		reply[k] = v
	}
	reply["prompt_eval_count"] = len(prompt) / 4 // this prompt's, not the recorded one's
	if grade := n % 6; grade < 5 {
		v := map[string]any{"grade": min(grade, 3), "quote": ""}
		if grade >= 2 {
			v["quote"] = sentence(m[2])
		}
		text, _ := json.Marshal(v)
		reply["message"], reply["done_reason"] = map[string]string{"role": "assistant", "content": string(text)}, "stop"
	}
	_ = json.NewEncoder(w).Encode(reply)
}

// judgeProject is the demo's handbook with one system that was run, and a judge.
func judgeProject(t *testing.T, model, url string) *folder {
	f := newFolder(t)
	if err := os.CopyFS(f.path("docs"), demo.Docs()); err != nil {
		t.Fatal(err)
	}
	f.write("assay.yaml", fmt.Sprintf(`corpus: {path: docs, chunk: {by: heading, size: 60, overlap: 0}}
models: {small: {provider: ollama, model: %s, url: "%s"}}
systems: {lexical: {retriever: {kind: bm25}, k: 3}}
judge: {model: small, depth: 3, max_failed: 1}
`, model, url))
	questions, err := demo.Questions()
	if err != nil {
		t.Fatal(err)
	}
	var topics strings.Builder
	for i, q := range questions[:20] {
		fmt.Fprintf(&topics, "q%d\t%s\n", i, q.Query)
	}
	f.write("topics.tsv", topics.String())
	f.run(exitOK, "import", "topics.tsv")
	f.run(exitOK, "run")
	return f
}

// TestKilledJudging kills a judge at thirty random moments. No call that was finished is made again, be its reply a grade or
// not; labels and failures are those of a judging that nobody killed.
func TestKilledJudging(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const kills = 30
	s := newGrader(t)
	unbroken, f := judgeProject(t, "gemma3-270m", s.url), judgeProject(t, "gemma3-270m", s.url)
	unbroken.run(exitOK, "judge")
	s.forget()
	s.delay = 4 * time.Millisecond
	got, killed := s.kill(f, rand.New(rand.NewPCG(7, 55)), kills, 3, 12*time.Millisecond, "judge")
	t.Logf("%d kills, %d calls; in the end %s", killed, len(s.soFar()), strings.ReplaceAll(got.out.String(), "\n", " "))
	if diff := cmp.Diff(byTarget(unbroken), byTarget(f)); diff != "" {
		t.Errorf("labels (-unbroken +killed):\n%s", diff)
	}
	rules := map[label.Rule]int{}
	want := map[string]label.Failure{}
	for _, x := range records[label.Failure](unbroken, "testset/judge_failures.jsonl") {
		x.Time = time.Time{}
		rules[x.Rule]++
		want[fmt.Sprint(x.Item, x.Ask)] = x
	}
	for _, x := range records[label.Failure](f, "testset/judge_failures.jsonl") {
		x.Time = time.Time{}
		if diff := cmp.Diff(want[fmt.Sprint(x.Item, x.Ask)], x); diff != "" {
			t.Errorf("a failure (-unbroken +killed):\n%s", diff)
		}
		delete(want, fmt.Sprint(x.Item, x.Ask))
	}
	if len(want) > 0 || len(rules) == 0 {
		t.Errorf("%d failures are missing; rules: %v", len(want), rules)
	}
	// A finished judging asks nothing more, not even about what it failed on; --again does.
	before := len(s.soFar())
	f.run(exitOK, "judge")
	if n := len(s.soFar()) - before; n > 0 {
		t.Errorf("%d calls after the end", n)
	}
}

// byTarget are the labels of a judge without their times, by query and target.
func byTarget(f *folder) map[string]assay.Label {
	f.Helper()
	out := map[string]assay.Label{}
	for _, l := range records[assay.Label](f, "testset/labels.jsonl") {
		l.Time = time.Time{}
		key := l.Query + " " + l.Target.Document + l.Target.Span().String()
		if _, twice := out[key]; twice {
			f.Errorf("%s was labelled twice", key)
		}
		out[key] = l
	}
	return out
}

// TestKilledJudgingRealModel puts a counting proxy before the real Ollama and kills the judge between its calls: no finished one
// is made again.
func TestKilledJudgingRealModel(t *testing.T) {
	ollama := parts.Ollama(t)
	if testing.Short() {
		t.Skip("asks a model")
	}
	const kills = 2
	var calls traffic
	url := calls.proxy(t, ollama.URL, func(path string, body []byte) string {
		if path != "/api/chat" {
			return ""
		}
		return string(body)
	})
	f := judgeProject(t, ollama.Chat, url)
	var lives [][]string
	for range kills {
		before := len(calls.soFar())
		p := f.start("judge", "--limit", "4")
		calls.after(2, p)
		p.stop(syscall.SIGKILL)
		calls.settle(t)
		lives = append(lives, calls.soFar()[before:])
	}
	before := len(calls.soFar())
	f.run(exitOK, "judge", "--limit", "1")
	lives = append(lives, calls.soFar()[before:])
	noneInVain(t, lives)
	graded, failed := len(records[assay.Label](f, "testset/labels.jsonl")), len(records[label.Failure](f, "testset/judge_failures.jsonl"))
	t.Logf("%d calls, %d kills: %d grades, %d failures", len(calls.soFar()), kills, graded, failed)
	if n := len(calls.soFar()); graded+failed > n || graded+failed < n-kills {
		t.Errorf("%d calls, but %d grades and %d failures", n, graded, failed)
	}
}
