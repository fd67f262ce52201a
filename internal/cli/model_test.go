//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// writer is an Ollama server that answers with what the real one was recorded saying (Gemma 3 270M, a
// base model: it invents quotes, repeats itself until it is cut off, writes prose, or nothing). For half of
// the passages the text of a recorded reply is replaced by a quote of the passage and a question, since that
// model has not managed one.
type writer struct {
	traffic // by the mark of the passage asked about
	url     string
	delay   time.Duration

	fixed   map[string]json.RawMessage // replies by path
	replies []map[string]any           // of /api/chat
	written sync.Map                   // question → its evidence
	exams   atomic.Int64               // checks that were answered
	only    int                        // when above 0, answer every chat with this reply, counted from 1
}

func newWriter(t testing.TB) *writer {
	t.Helper()
	s := &writer{fixed: map[string]json.RawMessage{}}
	f := &folder{TB: t, dir: "testdata/ollama"}
	for _, r := range records[struct {
		Path  string
		Reply json.RawMessage
	}](f, "recorded.jsonl") {
		if r.Path != "/api/chat" {
			s.fixed[r.Path] = r.Reply
			continue
		}
		var reply map[string]any
		if err := json.Unmarshal(r.Reply, &reply); err != nil {
			t.Fatal(err)
		}
		s.replies = append(s.replies, reply)
	}
	s.url = s.serve(t, s)
	return s
}

// passage finds the passage in a prompt, and the mark that stands for it.
var passage = regexp.MustCompile(`(?s)Passage ([0-9a-f]{16}):\n(.*)\n\(end of passage`)

func (s *writer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if reply, ok := s.fixed[r.URL.Path]; ok {
		_, _ = w.Write(reply)
		return
	}
	var req struct{ Messages []struct{ Content string } }
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil || r.URL.Path != "/api/chat" || len(req.Messages) != 1 {
		http.Error(w, "unexpected request", http.StatusBadRequest)
		return
	}
	prompt := req.Messages[0].Content
	if s.examine(w, prompt) {
		return
	}
	m := passage.FindStringSubmatch(prompt)
	if m == nil {
		http.Error(w, "no passage in the prompt", http.StatusBadRequest)
		return
	}
	s.note(m[1])
	time.Sleep(s.delay)
	h := fnv.New32a()
	_, _ = h.Write([]byte(m[1]))
	n := int(h.Sum32() % uint32(2*len(s.replies)))
	reply := map[string]any{}
	if s.only > 0 {
		n = s.only - 1
	}
	for k, v := range s.replies[n%len(s.replies)] {
		reply[k] = v
	}
	reply["prompt_eval_count"] = len(prompt) / 4 // this prompt's, not the recorded one's
	if n >= len(s.replies) {
		text, _ := json.Marshal(map[string]string{"evidence": sentence(m[2]), "question": question(m[1])})
		s.written.Store(question(m[1]), sentence(m[2]))
		reply["message"], reply["done_reason"] = map[string]string{"role": "assistant", "content": string(text)}, "stop"
	}
	_ = json.NewEncoder(w).Encode(reply)
}

// checked finds the question, and the text where there is one, in the prompt of a check.
var checked = regexp.MustCompile(`(?s)Text [0-9a-f]{16}:\n(.*)\n\(end of text|$`)

// examine answers the checks of --thorough as a model would that reads: from a text that holds the evidence it
// wrote the question from, and from no other, nor without one. It reports whether the prompt was a check.
func (s *writer) examine(w http.ResponseWriter, prompt string) bool {
	if !strings.Contains(prompt, `"found"`) {
		return false
	}
	s.exams.Add(1)
	found, answer := strings.Contains(prompt, "types this into a search box"), ""
	text := checked.FindStringSubmatch(prompt)[1]
	s.written.Range(func(q, evidence any) bool {
		if text != "" && strings.Contains(prompt, q.(string)) && strings.Contains(text, evidence.(string)) {
			found, answer = true, evidence.(string)
		}
		return true
	})
	content, _ := json.Marshal(map[string]any{"found": found, "answer": answer})
	_ = json.NewEncoder(w).Encode(map[string]any{"message": map[string]string{"role": "assistant", "content": string(content)}, "done": true, "done_reason": "stop",
		"prompt_eval_count": len(prompt) / 4, "eval_count": len(content) / 4})
	return true
}

// question is one that no other passage has: its words are drawn by the mark.
func question(mark string) string {
	nouns := strings.Fields("anchor basket candle donkey engine forest garden hammer island jacket kettle ladder marble needle orange pencil")
	text := "Where is the"
	for i, digit := range mark {
		n := strings.IndexRune("0123456789abcdef", digit)
		text += " " + nouns[(n+3*i)%len(nouns)]
	}
	return text + "?"
}

// sentence is the longest line of a passage, cut at a word.
func sentence(text string) string {
	best := ""
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); len(line) > len(best) {
			best = line
		}
	}
	if len(best) > 120 {
		best = best[:strings.LastIndexByte(best[:120], ' ')]
	}
	return best
}

// config is an assay.yaml in which the model writes about the documents in docs.
func (s *writer) config(sample int) string {
	return fmt.Sprintf(`corpus: {path: docs, chunk: {by: heading, size: 60, overlap: 0}}
models: {small: {provider: ollama, model: gemma3-270m, url: "%s"}}
generate: {model: small, sample: %d, per_document: 6, min_words: 12}
`, s.url, sample)
}
