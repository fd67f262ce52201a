package discover

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/connector/connectortest"
	"github.com/assay-eval/assay/internal/parts"
	"github.com/assay-eval/assay/internal/shared"
)

func contains(s, sub string) bool { return strings.Contains(s, sub) }

func look(t *testing.T, o Options, at ...string) Found {
	t.Helper()
	o.At = at
	return Look(t.Context(), o)
}

// one is the only server at an address.
func one(t *testing.T, at string) Server {
	t.Helper()
	found := look(t, Options{}, at)
	if len(found.Servers) != 1 || len(found.Absent) != 0 {
		t.Fatalf("%+v", found)
	}
	return found.Servers[0]
}

func TestRealOllama(t *testing.T) {
	part := parts.Ollama(t)
	s := one(t, part.URL)
	if s.Kind != Ollama || s.From != "--at" || !s.Local() {
		t.Errorf("%+v", s)
	}
	want := []Model{{Name: part.Embed, Embeds: true, Dimension: 384}, {Name: part.Chat, Chats: true}}
	slices.SortFunc(s.Models, func(a, b Model) int { return strings.Compare(a.Name, b.Name) })
	if d := cmp.Diff(want, s.Models); d != "" {
		t.Error(d)
	}
}

func TestRealLlamaCpp(t *testing.T) {
	s := one(t, strings.TrimSuffix(parts.LlamaEmbed(t), "/v1"))
	if s.Kind != OpenAI || s.URL != parts.LlamaEmbed(t) || len(s.Models) != 1 || !s.Models[0].Embeds || s.Models[0].Dimension != 384 || s.Models[0].Chats {
		t.Errorf("the embedding server: %+v", s)
	}
	s = one(t, parts.LlamaChat(t))
	if s.Kind != OpenAI || len(s.Models) != 1 || s.Models[0].Embeds || !s.Models[0].Chats {
		t.Errorf("the chat server: %+v", s)
	}
}

func TestRealChroma(t *testing.T) {
	s := one(t, parts.Chroma(t))
	if s.Kind != Chroma || s.Problem != "" || !strings.HasPrefix(s.Product, "Chroma") {
		t.Errorf("%+v", s)
	}
}

// replayed serves the recorded traffic of Qdrant 1.17.1.
func replayed(t *testing.T) string {
	t.Helper()
	var files []string
	for _, f := range []string{"server", "list", "scifact"} {
		files = append(files, shared.Dir(t, "fixtures", "qdrant", f+".jsonl"))
	}
	return connectortest.NewReplay(t, nil, files...).Serve()
}

func TestRecordedQdrant(t *testing.T) {
	s := one(t, replayed(t))
	want := []Collection{
		{Name: "docs_v3", Count: 65, Dimension: 8, Distance: "cosine"}, {Name: "empty", Count: 0, Dimension: 8, Distance: "cosine"},
		{Name: "named", Using: "text", Count: 20, Dimension: 8, Distance: "dot"}, {Name: "named", Using: "title", Count: 20, Dimension: 4, Distance: "euclid"},
		{Name: "strict", Count: 20, Dimension: 8, Distance: "cosine"},
	}
	slices.SortFunc(s.Collections, func(a, b Collection) int { return strings.Compare(a.Name+a.Using, b.Name+b.Using) })
	if d := cmp.Diff(want, s.Collections); d != "" || s.Product != "Qdrant 1.17.1" {
		t.Errorf("%s %s", s.Product, d)
	}
}

// Ollama speaks OpenAI's API at the same address: it is one server.
func TestOneServerOncePerAddress(t *testing.T) {
	part := parts.Ollama(t)
	found := look(t, Options{}, part.URL, part.URL+"/v1", strings.Replace(part.URL, "127.0.0.1", "localhost", 1))
	if len(found.Servers) != 1 || found.Servers[0].Kind != Ollama {
		t.Errorf("%+v", found.Servers)
	}
}

// What answers in no way that is known, or not at all, is said to be so where somebody named it.
func TestAbsent(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>hello</html>") }))
	defer site.Close()
	mute := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer mute.Close()
	locked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer locked.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	found := look(t, Options{Timeout: 300 * time.Millisecond}, site.URL, mute.URL, locked.URL, gone.URL, "ftp://x", "http://u:hunter2@127.0.0.1:1")
	if len(found.Servers) != 0 || len(found.Absent) != 6 {
		t.Fatalf("%+v", found)
	}
	for i, want := range []string{"none of the servers", "no answer in time", "wants a key", "nothing listens", "http", "password"} {
		if got := found.Absent[i]; !contains(got.Reason, want) || contains(got.URL+got.Reason, "hunter2") {
			t.Errorf("%+v, want %q", got, want)
		}
	}
}

// A key reaches the server that its variable belongs to, goes by its variable's name, and is in no result.
func TestKeys(t *testing.T) {
	seen := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Get("Authorization")
		if r.URL.Path == "/v1/models" {
			_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"text-embedding-x"}]}`)
			return
		}
		_, _ = io.WriteString(w, `{"data":[{"embedding":[1,2,3]}]}`)
	}))
	defer server.Close()
	o := Options{Env: environment(map[string]string{"OPENAI_BASE_URL": server.URL + "/v1", "OPENAI_API_KEY": "hunter2", "OLLAMA_HOST": "127.0.0.1:1",
		"QDRANT_URL": "http://127.0.0.1:1", "CHROMA_URL": "http://127.0.0.1:1", "PGHOST": "127.0.0.1", "PGPORT": "1"}), Timeout: time.Second}
	found := Look(t.Context(), o)
	if len(found.Servers) != 1 || seen != "Bearer hunter2" {
		t.Fatalf("sent %q, found %+v", seen, found)
	}
	if s := found.Servers[0]; s.KeyEnv != "OPENAI_API_KEY" || s.Models[0].Dimension != 3 {
		t.Errorf("%+v", s)
	}
}
