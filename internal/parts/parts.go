// Package parts tells tests where the real servers are: Chroma, Ollama, llama.cpp, Qdrant; and a Chromium.
//
// It starts nothing. `make test` installs and starts the servers (scripts/parts) and passes their addresses in the
// environment; a plain `go test` has none, and a test that needs one is skipped with the sentence how to get it. Where
// everything must run, in CI, ASSAY_REQUIRE_ALL=1 turns each such skip into a failure, so that a part that silently
// went missing cannot pass for a green build.
//
// Only tests import this package.
package parts

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Model is an Ollama server with the names of the two models it has.
type Model struct {
	URL   string // base address, without /api
	Embed string // all-MiniLM-L6-v2: 384 dimensions, takes 256 tokens
	Chat  string // Gemma 3 270M, a base model under the template {{ .Prompt }}: it continues text and follows no instruction
}

// Chroma returns the address of a Chroma server (API v2). The server is shared by all tests of a run: a test makes
// collections of its own, under names of its own.
func Chroma(t testing.TB) string {
	t.Helper()
	return required(t, "a Chroma server", "ASSAY_TEST_CHROMA_URL")
}

// Postgres returns the connection string of a superuser of a Postgres 16 with pgvector 0.6 at hand, which knows HNSW and no
// iterative scans. The server is shared by all tests of a run: a test asks for a Database of its own.
func Postgres(t testing.TB) string {
	t.Helper()
	return required(t, "a Postgres server with pgvector", "ASSAY_TEST_POSTGRES_URL")
}

// Ollama returns an Ollama server and its models. It works on one request at a time.
func Ollama(t testing.TB) Model {
	t.Helper()
	const what = "an Ollama server"
	return Model{
		URL:   required(t, what, "ASSAY_TEST_OLLAMA_URL"),
		Embed: required(t, what, "ASSAY_TEST_OLLAMA_EMBED"),
		Chat:  required(t, what, "ASSAY_TEST_OLLAMA_CHAT"),
	}
}

// LlamaChat returns the base address, /v1 included, of a llama.cpp server with the same chat model that Ollama has. It
// gives the model the contents of the messages as they are, and two requests at a time 4,096 tokens each.
func LlamaChat(t testing.TB) string {
	t.Helper()
	return required(t, "a llama.cpp chat server", "ASSAY_TEST_LLAMACPP_CHAT_URL")
}

// LlamaEmbed returns the base address, /v1 included, of a llama.cpp server with the same embedding model that Ollama
// has, from the same file: their vectors agree to about three digits. It takes 512 tokens and refuses a longer text.
func LlamaEmbed(t testing.TB) string {
	t.Helper()
	return required(t, "a llama.cpp embedding server", "ASSAY_TEST_LLAMACPP_EMBED_URL")
}

// LlamaRerank returns the base address, /v1 included, of a llama.cpp server with a rerank endpoint. Behind it is the
// embedding model, which was not made for that: scores are the same for the same pair, and mean nothing.
func LlamaRerank(t testing.TB) string {
	t.Helper()
	return required(t, "a llama.cpp rerank server", "ASSAY_TEST_LLAMACPP_RERANK_URL")
}

// Qdrant returns the address of a Qdrant server, which no package registry has: tests against one are always extra to
// those on recorded traffic, and are skipped without it even where everything else must run.
func Qdrant(t testing.TB) string {
	t.Helper()
	url := address("ASSAY_QDRANT_URL")
	if url == "" {
		t.Skip("needs a Qdrant server: set ASSAY_QDRANT_URL to the address of one that may be written to")
	}
	return url
}

// Chromium returns the path of a Chromium, which tests run without a head and with a profile of their own (see
// internal/browser). ASSAY_TEST_CHROMIUM names another one than that on the PATH.
func Chromium(t testing.TB) string {
	t.Helper()
	names := []string{"chromium", "chromium-browser", "google-chrome"}
	if named := strings.TrimSpace(os.Getenv("ASSAY_TEST_CHROMIUM")); named != "" {
		names = []string{named}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	Missing(t, "a Chromium", "on Debian `apt-get install chromium`, which scripts/parts/install.sh does for root; elsewhere set ASSAY_TEST_CHROMIUM to its path")
	return ""
}

func required(t testing.TB, what, variable string) string {
	t.Helper()
	value := address(variable)
	if value == "" {
		Missing(t, what, "run `make test`, or `scripts/parts/up.sh` and `. .parts/env`, which set "+variable)
	}
	return value
}

// Missing ends a test that cannot run because something is not there: it says what the test needs and how to get it,
// and skips, or fails where everything must run.
func Missing(t testing.TB, what, remedy string) {
	t.Helper()
	if os.Getenv("ASSAY_REQUIRE_ALL") == "1" {
		t.Fatalf("needs %s, and ASSAY_REQUIRE_ALL=1 forbids to skip: %s", what, remedy)
	}
	t.Skipf("needs %s: %s", what, remedy)
}

// address drops a trailing slash, so that a caller can put a path behind it.
func address(variable string) string {
	return strings.TrimRight(strings.TrimSpace(os.Getenv(variable)), "/")
}
