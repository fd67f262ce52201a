package parts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"runtime"
	"strings"
	"testing"
)

// spy records what a helper does to its test. Like the real thing, Skip and Fatal end the goroutine they are called on.
type spy struct {
	testing.TB
	skipped, failed string
}

func (s *spy) Helper() {}
func (s *spy) Skip(args ...any) {
	s.skipped = fmt.Sprint(args...)
	runtime.Goexit()
}
func (s *spy) Skipf(format string, args ...any) { s.Skip(fmt.Sprintf(format, args...)) }
func (s *spy) Fatalf(format string, args ...any) {
	s.failed = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func watch(f func(testing.TB)) *spy {
	s := &spy{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(s)
	}()
	<-done
	return s
}

var needed = map[string]func(testing.TB){
	"ASSAY_TEST_CHROMA_URL":          func(t testing.TB) { Chroma(t) },
	"ASSAY_TEST_POSTGRES_URL":        func(t testing.TB) { Postgres(t) },
	"ASSAY_TEST_OLLAMA_URL":          func(t testing.TB) { Ollama(t) },
	"ASSAY_TEST_LLAMACPP_CHAT_URL":   func(t testing.TB) { LlamaChat(t) },
	"ASSAY_TEST_LLAMACPP_EMBED_URL":  func(t testing.TB) { LlamaEmbed(t) },
	"ASSAY_TEST_LLAMACPP_RERANK_URL": func(t testing.TB) { LlamaRerank(t) },
}

func TestMissingPart(t *testing.T) {
	for variable, ask := range needed {
		t.Run(variable, func(t *testing.T) {
			t.Setenv(variable, "")
			t.Setenv("ASSAY_REQUIRE_ALL", "")
			if s := watch(ask); !strings.Contains(s.skipped, "make test") || s.failed != "" {
				t.Errorf("without the part: skipped %q, failed %q; want a skip that names make test", s.skipped, s.failed)
			}
			t.Setenv("ASSAY_REQUIRE_ALL", "1")
			if s := watch(ask); !strings.Contains(s.failed, variable) || s.skipped != "" {
				t.Errorf("under ASSAY_REQUIRE_ALL: skipped %q, failed %q; want a failure that names %s", s.skipped, s.failed, variable)
			}
		})
	}
}

func TestMissingQdrantOnlySkips(t *testing.T) {
	t.Setenv("ASSAY_QDRANT_URL", "")
	t.Setenv("ASSAY_REQUIRE_ALL", "1")
	s := watch(func(t testing.TB) { Qdrant(t) })
	if !strings.Contains(s.skipped, "ASSAY_QDRANT_URL") || s.failed != "" {
		t.Errorf("skipped %q, failed %q; want a skip that names ASSAY_QDRANT_URL", s.skipped, s.failed)
	}
}

func TestAddressIsReadyForAPath(t *testing.T) {
	t.Setenv("ASSAY_QDRANT_URL", " http://127.0.0.1:6333/ ")
	if got, want := Qdrant(t), "http://127.0.0.1:6333"; got != want {
		t.Errorf("Qdrant = %q, want %q", got, want)
	}
}

// The servers are the ground other tests stand on, so what they are is checked first and by plain HTTP.

func TestChromaIsAlive(t *testing.T) {
	reply, err := http.Get(Chroma(t) + "/api/v2/heartbeat")
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		t.Errorf("heartbeat: %s", reply.Status)
	}
}

func TestPostgresHasVectors(t *testing.T) {
	Database(t, "create table x (v vector(2))", "insert into x values ('[1,2]')", "create index on x using hnsw (v vector_l2_ops)")
}

// The first numbers of all-MiniLM-L6-v2 for "hello world", as published with the model. A model that pools the wrong
// way answers as well, with other numbers.
var helloWorld = []float64{-0.0345, 0.0309, 0.0067}

func TestEmbeddingModel(t *testing.T) {
	t.Run("ollama", func(t *testing.T) {
		ollama := Ollama(t)
		var reply struct{ Embeddings [][]float64 }
		post(t, ollama.URL+"/api/embed", map[string]any{"model": ollama.Embed, "input": "hello world"}, &reply)
		if len(reply.Embeddings) != 1 {
			t.Fatalf("%d vectors for one text", len(reply.Embeddings))
		}
		checkVector(t, reply.Embeddings[0])
	})
	t.Run("llama.cpp", func(t *testing.T) {
		var reply struct {
			Data []struct{ Embedding []float64 }
		}
		post(t, LlamaEmbed(t)+"/embeddings", map[string]any{"input": "hello world"}, &reply)
		if len(reply.Data) != 1 {
			t.Fatalf("%d vectors for one text", len(reply.Data))
		}
		checkVector(t, reply.Data[0].Embedding)
	})
}

func checkVector(t *testing.T, got []float64) {
	t.Helper()
	if len(got) != 384 {
		t.Fatalf("%d dimensions, want 384", len(got))
	}
	for i, want := range helloWorld {
		if math.Abs(got[i]-want) > 0.001 {
			t.Errorf("number %d is %.4f, published %.4f", i, got[i], want)
		}
	}
}

const capital = "Question: What is the capital of Germany? Answer: Berlin\nQuestion: What is the capital of France? Answer:"

func TestChatModel(t *testing.T) {
	messages := []map[string]string{{"role": "user", "content": capital}}
	t.Run("ollama", func(t *testing.T) {
		ollama := Ollama(t)
		var reply struct{ Message struct{ Content string } }
		post(t, ollama.URL+"/api/chat", map[string]any{"model": ollama.Chat, "messages": messages, "stream": false,
			"options": map[string]any{"temperature": 0, "num_predict": 4}}, &reply)
		checkCapital(t, reply.Message.Content)
	})
	t.Run("llama.cpp", func(t *testing.T) {
		var reply struct {
			Choices []struct{ Message struct{ Content string } }
		}
		post(t, LlamaChat(t)+"/chat/completions", map[string]any{"messages": messages, "temperature": 0, "max_tokens": 4}, &reply)
		if len(reply.Choices) != 1 {
			t.Fatalf("%d choices, want 1", len(reply.Choices))
		}
		checkCapital(t, reply.Choices[0].Message.Content)
	})
}

func checkCapital(t *testing.T, got string) {
	t.Helper()
	if !strings.HasPrefix(strings.TrimSpace(got), "Paris") {
		t.Errorf("the capital of France is %q", got)
	}
}

func post(t *testing.T, url string, body, into any) {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := http.Post(url, "application/json", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", url, reply.Status)
	}
	if err := json.NewDecoder(reply.Body).Decode(into); err != nil {
		t.Fatalf("%s: %v", url, err)
	}
}

func TestMissingChromium(t *testing.T) {
	t.Setenv("ASSAY_TEST_CHROMIUM", "no-such-browser")
	t.Setenv("ASSAY_REQUIRE_ALL", "")
	if s := watch(func(t testing.TB) { Chromium(t) }); !strings.Contains(s.skipped, "apt-get install chromium") {
		t.Errorf("skipped with %q", s.skipped)
	}
	t.Setenv("ASSAY_REQUIRE_ALL", "1")
	if s := watch(func(t testing.TB) { Chromium(t) }); !strings.Contains(s.failed, "ASSAY_TEST_CHROMIUM") {
		t.Errorf("failed with %q", s.failed)
	}
	t.Setenv("ASSAY_TEST_CHROMIUM", "go")
	if s := watch(func(t testing.TB) {
		if Chromium(t) == "" {
			t.Fatalf("not found")
		}
	}); s.skipped+s.failed != "" {
		t.Errorf("a named browser: skipped %q, failed %q", s.skipped, s.failed)
	}
}
