package discover

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/rest"
)

func environment(pairs map[string]string) option.Env {
	return option.Env{Lookup: func(name string) (string, bool) { v, ok := pairs[name]; return v, ok }}
}

// The forms are those of Ollama's own documentation of OLLAMA_HOST.
func TestOllamaHost(t *testing.T) {
	for in, want := range map[string]string{
		"0.0.0.0":               "http://127.0.0.1:11434",
		"0.0.0.0:8080":          "http://127.0.0.1:8080",
		":8080":                 "http://127.0.0.1:8080",
		"box":                   "http://box:11434",
		"box:1234":              "http://box:1234",
		"http://box:1234/":      "http://box:1234",
		"https://ollama.corp":   "https://ollama.corp",
		"https://corp/ollama":   "https://corp/ollama",
		"[::1]":                 "http://[::1]:11434",
		"[::]:11434":            "http://127.0.0.1:11434",
		" 127.0.0.1:11434 ":     "http://127.0.0.1:11434",
		"http://localhost:1143": "http://localhost:1143",
	} {
		if got := ollamaURL(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Without a word from anybody only this machine is asked, and no key goes anywhere.
func TestUsualAddressesAreLoopback(t *testing.T) {
	o := Options{Env: environment(map[string]string{"OPENAI_API_KEY": "k", "QDRANT_API_KEY": "k"})}
	places := o.addresses()
	if len(places) != len(usual) {
		t.Errorf("%d places, want %d", len(places), len(usual))
	}
	for _, a := range places {
		if !rest.Loopback(a.url) || a.keyEnv != "" {
			t.Errorf("%+v", a)
		}
	}
}

// A variable takes the place of the usual addresses of its kind, and of no other.
func TestEnvironment(t *testing.T) {
	o := Options{Env: environment(map[string]string{
		"OLLAMA_HOST": "box", "OPENAI_API_BASE": "https://ai.corp/v1", "QDRANT_HOST": "qd", "QDRANT_PORT": "7000", "CHROMA_URL": "http://ch:1",
		"CHROMA_HOST": "ignored", "DATABASE_URL": "postgres://u:pw@db/x",
	})}
	want := []address{
		{Ollama, "http://box:11434", "OLLAMA_HOST", ""}, {OpenAI, "https://ai.corp/v1", "OPENAI_API_BASE", "OPENAI_API_KEY"},
		{Qdrant, "http://qd:7000", "QDRANT_HOST", "QDRANT_API_KEY"}, {Chroma, "http://ch:1", "CHROMA_URL", "CHROMA_API_KEY"},
		{Postgres, "postgres://u:pw@db/x", "DATABASE_URL", "DATABASE_URL"},
	}
	if d := cmp.Diff(want, o.addresses(), cmp.AllowUnexported(address{})); d != "" {
		t.Error(d)
	}
	o.At = []string{"http://only:1"}
	if d := cmp.Diff([]address{{"", "http://only:1", "--at", ""}}, o.addresses(), cmp.AllowUnexported(address{})); d != "" {
		t.Error(d)
	}
}

func TestPasswordsAreNotShown(t *testing.T) {
	for _, url := range []string{"postgres://u:hunter2@db/x", "http://h/?api_key=hunter2", "http://u:hunter2@%zz"} {
		if got := withoutPassword(url); cmp.Equal(got, url) || len(got) == 0 || contains(got, "hunter2") {
			t.Errorf("%s: %s", url, got)
		}
	}
}
