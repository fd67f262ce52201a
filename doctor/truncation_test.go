package doctor_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-eval/assay/doctor"
	"github.com/assay-eval/assay/internal/parts"
)

// withLong adds a chunk of n words that are one token each.
func withLong(items []item, n int) []item {
	long := strings.TrimSpace(strings.Repeat("the way of all water is down to the sea and back ", n/12+1))
	words := strings.Fields(long)[:n]
	return append(items, item{id: "long", text: strings.Join(words, " "), embed: "stands for the long text"})
}

// The real Ollama 0.9.6 takes texts of 511 and 512 tokens where the model's window has room for 510 beside the
// two marks, and drops the first one or two; it refuses more than that. The real llama.cpp refuses what it cannot
// read, and counts the marks.
func TestTruncation(t *testing.T) {
	ollama, llama := parts.Ollama(t), parts.LlamaEmbed(t)
	servers := map[string]string{
		"ollama": fmt.Sprintf("{provider: ollama, model: %s, url: %q}", ollama.Embed, ollama.URL),
		"llama":  fmt.Sprintf("{provider: openai, model: all-minilm, url: %q}", llama),
	}
	const read = 510
	for name, c := range map[string]struct {
		server string
		words  int
		want   want
	}{
		"healthy":                 {"ollama", 100, want{status: doctor.OK, found: "is read whole"}},
		"just fits":               {"ollama", read, want{status: doctor.OK, found: "is read whole"}},
		"start dropped":           {"ollama", read + 1, want{doctor.Fault, "start_dropped", "reads 2081 bytes, 510 tokens and drops the beginning of a longer one without a word", "or take a model that reads more"}},
		"refused":                 {"ollama", 700, want{doctor.Fault, "refused", "right above the limit it drops the beginning", "bytes or less"}},
		"healthy, llama.cpp":      {"llama", 400, want{status: doctor.OK, found: "is read whole"}},
		"refused, llama.cpp":      {"llama", 700, want{doctor.Fault, "refused", "1 of 13 chunks are longer", "bytes or less"}},
		"just refused, llama.cpp": {"llama", 513, want{doctor.Fault, "refused", "512 tokens", "bytes or less"}},
	} {
		t.Run(name, func(t *testing.T) {
			yaml := fmt.Sprintf("models:\n  m: %s\nsystems:\n  live: {retriever: {kind: chroma, url: %q, collection: %s}, embed: m}\n",
				servers[c.server], parts.Chroma(t), collection(t, "cosine", withLong(handbook(), c.words)))
			r := examine(t, yaml, doctor.Options{Only: []string{"truncation"}})
			c.want.check(t, finding(t, r, "truncation", "system live"))
		})
	}
}
