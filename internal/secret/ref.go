package secret

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-eval/assay"
)

// Ref says where a secret lies: exactly one of an environment variable and a file.
type Ref struct {
	Env  string // name of an environment variable
	File string // path; relative paths start at the folder of the configuration file
}

// ErrLiteral is returned for a secret written out in a configuration file.
var ErrLiteral = errors.New("a secret may not be written in the configuration")

// ParseRef reads the form of a configuration file, {env: NAME} or {file: PATH}. A literal is refused
// with ErrLiteral, and its text is not repeated in the message.
func ParseRef(raw any) (Ref, error) {
	m, ok := raw.(map[string]any)
	if !ok {
		return Ref{}, assay.WithHint(ErrLiteral, "put it into an environment variable and write {env: NAME}, or into a file and write {file: PATH}")
	}
	var r Ref
	for k, v := range m {
		s, isText := v.(string)
		if !isText || s == "" {
			return Ref{}, fmt.Errorf("%s: needs a name, as in {env: NAME} or {file: PATH}", k)
		}
		switch k {
		case "env":
			r.Env = s
		case "file":
			r.File = s
		default:
			return Ref{}, fmt.Errorf("unknown key %q in a secret: write {env: NAME} or {file: PATH}", k)
		}
	}
	if (r.Env == "") == (r.File == "") {
		return Ref{}, fmt.Errorf("a secret needs exactly one of env and file")
	}
	return r, nil
}

// maxFile bounds a secret file, so that a wrong path to something huge is noticed.
const maxFile = 64 << 10

// Resolve fetches the secret. Files are read relative to dir, their surrounding white space is cut;
// lookup is os.LookupEnv outside tests. A secret that is missing or empty is an error.
func (r Ref) Resolve(dir string, lookup func(string) (string, bool)) (Value, error) {
	if r.Env != "" {
		text, ok := lookup(r.Env)
		if !ok || text == "" {
			return Value{}, assay.WithHint(fmt.Errorf("environment variable %s is not set", r.Env), "export %s=... before the command", r.Env)
		}
		return New(text), nil
	}
	path := r.File
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return Value{}, fmt.Errorf("secret file: %w", err)
	}
	if info.IsDir() || info.Size() > maxFile {
		return Value{}, fmt.Errorf("secret file %s: not a file of at most %d bytes", path, maxFile)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return Value{}, fmt.Errorf("secret file: %w", err)
	}
	text := strings.TrimSpace(string(data))
	if text == "" {
		return Value{}, fmt.Errorf("secret file %s is empty", path)
	}
	return New(text), nil
}

// String renders the reference, which is no secret, as it stands in a configuration file.
func (r Ref) String() string {
	if r.Env != "" {
		return "{env: " + r.Env + "}"
	}
	return "{file: " + r.File + "}"
}

// headerWords mark a header whose value is a secret.
var headerWords = []string{"auth", "key", "token", "secret", "cookie", "password", "passwd", "credential", "session"}

// HeaderName reports whether a header of this name carries a secret, so that its value must be a Ref.
func HeaderName(name string) bool {
	name = strings.ToLower(name)
	for _, w := range headerWords {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}
