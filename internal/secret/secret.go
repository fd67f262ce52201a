// Package secret holds values that must never be printed: API keys, passwords, authorization headers.
//
// It is opinionated: a secret is a type, not a string handled with care. Every way of formatting,
// encoding or logging a Value shows a placeholder, so that a forgotten %+v of a config struct leaks
// nothing; the one way to the text is Reveal, which is easy to search for. A configuration file names
// where a secret lies (an environment variable or a file) and never holds the secret itself.
package secret

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
)

// Redacted stands wherever a secret would have been printed.
const Redacted = "[redacted]"

// Value is a secret. The zero Value is no secret at all and prints as nothing.
type Value struct{ text *string }

// New makes a Value of text; an empty text gives the zero Value.
func New(text string) Value {
	if text == "" {
		return Value{}
	}
	return Value{&text}
}

// Reveal is the secret text itself, for the wire and nothing else.
func (v Value) Reveal() string {
	if v.text == nil {
		return ""
	}
	return *v.text
}

// IsZero reports whether there is no secret.
func (v Value) IsZero() bool { return v.text == nil }

// String is the placeholder, or "" for the zero Value.
func (v Value) String() string {
	if v.IsZero() {
		return ""
	}
	return Redacted
}

// GoString is String: %#v shows nothing either.
func (v Value) GoString() string { return v.String() }

// Format prints the placeholder whatever the verb, %x and %p included.
func (v Value) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, v.String()) }

// MarshalText writes the placeholder; JSON and YAML encoders use it.
func (v Value) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// LogValue writes the placeholder to a structured log.
func (v Value) LogValue() slog.Value { return slog.StringValue(v.String()) }

// Redact replaces every occurrence of the secrets in text. Servers like to repeat the key they refused.
func Redact(text string, secrets ...Value) string {
	texts := make([]string, 0, len(secrets))
	for _, s := range secrets {
		if !s.IsZero() {
			texts = append(texts, s.Reveal())
		}
	}
	// Longest first: one secret may be the start of another.
	slices.SortFunc(texts, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, t := range texts {
		text = strings.ReplaceAll(text, t, Redacted)
	}
	return text
}

// RedactError is err with the secrets cut out of its message. Where they stood in it, the result does not unwrap, as
// the cause's message is the leak, but errors.Is still finds the cause.
func RedactError(err error, secrets ...Value) error {
	if err == nil {
		return nil
	}
	if clean := Redact(err.Error(), secrets...); clean != err.Error() {
		return &redacted{clean, err}
	}
	return err
}

type redacted struct {
	message string
	cause   error
}

func (r *redacted) Error() string        { return r.message }
func (r *redacted) Is(target error) bool { return errors.Is(r.cause, target) }
