package command

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/secret"
)

func TestLiteralSecretsAreRefused(t *testing.T) {
	for _, c := range []struct {
		argv []any
		want string // "" for fine
	}{
		{[]any{"python3", "r.py", "--api-key", "HUNTER2"}, "command: --api-key"},
		{[]any{"python3", "r.py", "--api-key=HUNTER2"}, "command: --api-key"},
		{[]any{"env", "API_KEY=HUNTER2", "python3", "r.py"}, "command: API_KEY"},
		{[]any{"sh", "-c", "curl -H 'Authorization: Bearer HUNTER2' x"}, "command: Authorization"},
		{[]any{"python3", "r.py", "sk-HUNTER2hunter2"}, "command: holds what looks like a secret"},
		{[]any{"python3", "r.py", "--api-key", "--verbose"}, ""},
		{[]any{"python3", "r.py", "--api-key", map[string]any{"env": "KEY"}}, ""},
		{[]any{"python3", "r.py", "--key", "chunk_id", "--max-tokens", "100"}, ""},
		{[]any{"sh", "-c", `exec python3 r.py --api-key "$KEY"`}, ""},
	} {
		var s Settings
		problems := option.Decode(map[string]any{"command": c.argv}, &s, option.Env{})
		if c.want == "" && len(problems) > 0 || c.want != "" && (len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), c.want) || !errors.Is(problems[0], secret.ErrLiteral)) {
			t.Errorf("%v: got %v, want %s", c.argv, problems, c.want)
		}
		if strings.Contains(fmt.Sprint(problems), "HUNTER2") {
			t.Errorf("repeated: %v", problems)
		}
	}
}

// A program gets the secret, and what it says of it is not passed on.
func TestSecretArguments(t *testing.T) {
	for name, script := range map[string]string{
		"stderr":   `echo "bad key $1" >&2; exit 1`,
		"error":    `read q; echo "{\"error\":\"bad key $1\"}"; read q`,
		"not JSON": `read q; echo "bad key $1"; read q`,
		"wrong":    `read q; echo "{\"hits\":\"bad key $1\"}"; read q`,
	} {
		var s Settings
		env := option.Env{Lookup: func(string) (string, bool) { return "hunter2", true }}
		if p := option.Decode(map[string]any{"command": []any{"sh", "-c", script, "x", map[string]any{"env": "KEY"}}}, &s, env); len(p) > 0 {
			t.Fatal(p)
		}
		p, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Search(t.Context(), assay.Request{Text: "q", K: 1})
		var e *assay.Error
		if !errors.As(err, &e) {
			t.Fatalf("%s: %v", name, err)
		}
		said := err.Error() + e.Raw
		if strings.Contains(said, "hunter2") || name != "wrong" && !strings.Contains(said, "bad key "+secret.Redacted) {
			t.Errorf("%s: %s", name, said)
		}
		_ = p.Close()
	}
}
