// Package rest is the one JSON-over-HTTP client that every store and model client uses.
//
// It is opinionated about failure. Every error is an *assay.Error with a Kind that says whether trying
// again can help, names host and path (never the query string), carries the server's own words and the
// start of the reply in Raw, and holds no secret. Replies are bounded, numbers keep their digits,
// redirects are not followed to another origin, and nothing is retried here: retrying is a decorator's.
package rest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
)

// DefaultMaxBody bounds a reply: 64 MiB, some twenty times a page of 1,000 points with vectors.
const DefaultMaxBody = 64 << 20

// Config says how to reach one server.
type Config struct {
	BaseURL string // http or https, may hold a path; without user, password, query and fragment

	Headers       map[string]string       // sent with every call
	SecretHeaders map[string]secret.Value // the same, with values that are never shown
	APIKey        secret.Value            // sent as APIKeyHeader, or as "Authorization: Bearer ..." when that is empty
	APIKeyHeader  string                  // such as "api-key"
	Hidden        []secret.Value          // further secrets that calls hold in their body or query, never shown either

	CAFile  string        // PEM certificates to trust beside the system's
	Timeout time.Duration // limit of one call, reading the reply included; 0 leaves it to the caller's context
	MaxBody int64         // bytes of a reply; 0 means DefaultMaxBody

	// Allow, when set, is asked before every call; a call it refuses never reaches the network. It is
	// how a store's client is kept read-only. Path is the path of the request after BaseURL, unescaped.
	Allow func(method, path string) bool

	Transport http.RoundTripper // instead of the network: recorded traffic in tests
}

// Client calls one server. It is safe for concurrent use and keeps connections alive.
type Client struct {
	config  Config
	base    *url.URL
	http    *http.Client
	headers http.Header
	secrets []secret.Value
}

// New checks the configuration and makes a Client. It does not dial.
func New(c Config) (*Client, error) {
	base, err := parseBase(c.BaseURL)
	if err != nil {
		return nil, assay.WithHint(assay.Usagef("url: %w", err), "%s", assay.Hint(err))
	}
	if c.MaxBody == 0 {
		c.MaxBody = DefaultMaxBody
	}
	transport := c.Transport
	if transport == nil {
		if transport, err = newTransport(c.CAFile); err != nil {
			return nil, err
		}
	}
	client := &Client{config: c, base: base}
	client.http = &http.Client{Transport: transport, CheckRedirect: checkRedirect}
	if client.headers, client.secrets, err = headers(c); err != nil {
		return nil, err
	}
	return client, nil
}

// CheckURL says what is wrong with the address of a server, as New would; nothing of a user or password in it is
// repeated.
func CheckURL(raw string) error {
	_, err := parseBase(raw)
	return err
}

func parseBase(raw string) (*url.URL, error) {
	const like = "write it like http://localhost:6333"
	fail := func(hint, format string, args ...any) (*url.URL, error) {
		return nil, assay.WithHint(assay.Usagef(format, args...), "%s", hint)
	}
	if raw == "" {
		return fail(like, "missing")
	}
	base, err := url.Parse(raw)
	if err != nil {
		// url.Error repeats its input, which may hold a password.
		return fail(like, "cannot be read as a URL")
	}
	if base.User != nil || strings.Contains(raw, "@") && base.Host == "" {
		return fail("give the secret as api_key or as a header, {env: NAME}", "holds a user or password; a secret may not be written in the configuration")
	}
	if base.Scheme != "http" && base.Scheme != "https" {
		return fail(like, "%q has no http:// or https:// in front", raw)
	}
	if base.Hostname() == "" {
		return fail(like, "%q names no host", raw)
	}
	if base.RawQuery != "" || base.Fragment != "" {
		return fail("give parameters by their own options", "%s%s has a query or fragment", base.Host, base.Path)
	}
	return base, nil
}

func headers(c Config) (http.Header, []secret.Value, error) {
	h := http.Header{"User-Agent": {"assay"}, "Accept": {"application/json"}}
	var secrets []secret.Value
	set := func(name, value string) error {
		if !validHeaderName(name) || strings.ContainsAny(value, "\r\n\x00") {
			return assay.Usagef("header %q: name or value holds a character that HTTP does not allow", name)
		}
		h.Set(name, value)
		return nil
	}
	for name, value := range c.Headers {
		if err := set(name, value); err != nil {
			return nil, nil, err
		}
	}
	for name, value := range c.SecretHeaders {
		if err := set(name, value.Reveal()); err != nil {
			return nil, nil, err
		}
		secrets = append(secrets, value)
		// "Bearer abc" must not let "abc" through.
		if _, token, ok := strings.Cut(value.Reveal(), " "); ok {
			secrets = append(secrets, secret.New(strings.TrimSpace(token)))
		}
	}
	if !c.APIKey.IsZero() {
		name, value := c.APIKeyHeader, c.APIKey.Reveal()
		if name == "" {
			name, value = "Authorization", "Bearer "+value
		}
		if err := set(name, value); err != nil {
			return nil, nil, err
		}
		secrets = append(secrets, c.APIKey)
	}
	for _, v := range c.Hidden {
		secrets = append(secrets, v, secret.New(url.QueryEscape(v.Reveal())))
		if quoted, err := Marshal(v.Reveal()); err == nil {
			secrets = append(secrets, secret.New(strings.Trim(string(quoted), `"`)))
		}
	}
	return h, secrets, nil
}

func validHeaderName(name string) bool {
	if name == "" {
		return false
	}
	for _, r := range name {
		if r <= ' ' || r > '~' || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r) {
			return false
		}
	}
	return true
}

// BaseURL is the server's address as configured.
func (c *Client) BaseURL() string { return c.base.String() }

// Host is the server's host and port, the name to show in messages.
func (c *Client) Host() string { return c.base.Host }

// Redact removes the client's secrets from text.
func (c *Client) Redact(text string) string { return secret.Redact(text, c.secrets...) }

// Path joins segments into a path, escaping each, so that a collection named "a/b?c" stays one segment.
func Path(segments ...string) string {
	var b strings.Builder
	for _, s := range segments {
		fmt.Fprintf(&b, "/%s", url.PathEscape(s))
	}
	return b.String()
}
