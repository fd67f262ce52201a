package command

import (
	"fmt"
	"strings"
	"sync"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
)

// tail keeps the last bytes written to it: the end of a program's stderr, where the reason stands.
type tail struct {
	mu      sync.Mutex
	data    []byte
	secrets []secret.Value // never shown
}

// Write never fails and never grows beyond RawLimit.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p[max(0, len(p)-assay.RawLimit):]...)
	if over := len(t.data) - assay.RawLimit; over > 0 {
		t.data = append(t.data[:0], t.data[over:]...)
	}
	return len(p), nil
}

// said is the tail as the end of a message, "" when nothing was written.
func (t *tail) said() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	const most = 400
	text := oneLineOf(secret.Redact(string(t.data), t.secrets...))
	if text == "" {
		return ""
	}
	if len(text) > most {
		text = "…" + strings.ToValidUTF8(text[len(text)-most:], "")
	}
	return "; its stderr ends: " + text
}

// head is the start of a line for an error's Raw.
func head(line []byte) string {
	return strings.ToValidUTF8(string(line[:min(len(line), assay.RawLimit)]), "\uFFFD")
}

func errNotJSON(line []byte) error {
	return fmt.Errorf("it printed something that is not JSON: %s (log to stderr, not to stdout)", oneLine(string(line)))
}

// oneLine makes foreign text safe to show in a message.
func oneLine(s string) string {
	const most = 200
	s = oneLineOf(s[:min(len(s), 4*most)])
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	if s == "" {
		return "an empty line"
	}
	return s
}

func oneLineOf(s string) string {
	s = strings.ToValidUTF8(s, "")
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}
