package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
)

// Request is one call.
type Request struct {
	Op     string // what is being done, for messages: "search", "embed"; empty means the method
	Method string
	Path   string     // after BaseURL, segments escaped (see Path); empty calls BaseURL itself
	Query  url.Values // escaped by Call; never shown in messages
	Header http.Header

	// Body is nil for none, json.RawMessage or []byte sent as they are, anything else encoded as JSON.
	Body any
}

// Do makes one call and decodes the reply into out; see Call.
func (c *Client) Do(ctx context.Context, method, path string, body, out any) error {
	return c.Call(ctx, Request{Method: method, Path: path, Body: body}, out)
}

// Call makes one call and decodes the JSON reply into out, which may be nil to read and forget it, or
// a *[]byte to take it undecoded. Numbers decoded into an any become json.Number and keep their digits.
// Every error is an *assay.Error.
func (c *Client) Call(ctx context.Context, r Request, out any) error {
	f := &failure{client: c, op: r.Op, where: c.base.Host + r.Path}
	if f.op == "" {
		f.op = r.Method
	}
	if dotted(r.Path) {
		return f.new(assay.KindInvalid, nil, "a name that is . or .. would lead to another path")
	}
	if c.config.Allow != nil && !c.config.Allow(r.Method, r.Path) {
		return f.new(assay.KindInvalid, nil, "%s is not among the calls this client may make: it only reads", r.Method)
	}
	req, err := c.request(ctx, r)
	if err != nil {
		return f.new(assay.KindInvalid, nil, "%w", err)
	}
	callCtx := ctx
	if c.config.Timeout > 0 {
		var cancel context.CancelFunc
		callCtx, cancel = context.WithTimeout(ctx, c.config.Timeout)
		defer cancel()
	}
	resp, err := c.http.Do(req.WithContext(callCtx))
	if err != nil {
		return f.transport(ctx, err, nil)
	}
	defer resp.Body.Close()
	buf := replies.Get().(*bytes.Buffer)
	defer release(buf)
	data, err := readBounded(resp, c.config.MaxBody, buf)
	if err != nil {
		return f.transport(ctx, err, data)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return f.status(resp, data)
	}
	return f.decode(data, out)
}

func (c *Client) request(ctx context.Context, r Request) (*http.Request, error) {
	u := *c.base
	if r.Path != "" {
		joined, err := url.Parse(strings.TrimRight(c.base.EscapedPath(), "/") + r.Path)
		if err != nil || joined.RawQuery != "" || joined.Host != "" {
			return nil, fmt.Errorf("path %q cannot be used in a URL", r.Path)
		}
		u.Path, u.RawPath = joined.Path, joined.RawPath
	}
	u.RawQuery = r.Query.Encode()
	var body io.Reader
	switch b := r.Body.(type) {
	case nil:
	case json.RawMessage:
		body = bytes.NewReader(b)
	case []byte:
		body = bytes.NewReader(b)
	default:
		data, err := Marshal(b)
		if err != nil {
			return nil, fmt.Errorf("the request cannot be written as JSON: %w", err)
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, u.String(), body)
	if err != nil {
		return nil, err
	}
	for k, v := range c.headers {
		req.Header[k] = v
	}
	if body != nil && req.Header.Get("Content-Type") == "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for k, v := range r.Header {
		req.Header[http.CanonicalHeaderKey(k)] = v
	}
	return req, nil
}

// dotted reports a path that a server could resolve to another one.
func dotted(path string) bool {
	for s := range strings.SplitSeq(path, "/") {
		if s == "." || s == ".." {
			return true
		}
	}
	return false
}

// Marshal is json.Marshal without HTML escaping: text reaches the server as it is.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Unmarshal decodes one JSON document, numbers into an any as json.Number, and refuses what follows it.
func Unmarshal(data []byte, v any) error {
	if target, ok := v.(*any); ok && *target == nil {
		if read, ok := tree(data); ok {
			*target = read
			return nil
		}
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("more follows the JSON document")
	}
	return nil
}

var errTooLarge = errors.New("reply too large")

// replies are buffers to read into. What outlives a call is copied out of them: errors clone what they
// quote, and decoding makes strings of its own.
var replies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// keptReply bounds a buffer that is kept for the next reply, in bytes.
const keptReply = 1 << 20

func release(b *bytes.Buffer) {
	if b.Cap() <= keptReply {
		replies.Put(b)
	}
}

// readBounded reads a reply of at most limit bytes into b.
func readBounded(resp *http.Response, limit int64, b *bytes.Buffer) ([]byte, error) {
	b.Reset()
	// A server that says how long its reply is, and lies, may cost this much.
	const believed = 1 << 20
	b.Grow(int(max(0, min(resp.ContentLength, limit, believed))) + bytes.MinRead)
	_, err := b.ReadFrom(io.LimitReader(resp.Body, limit+1))
	data := b.Bytes()
	if err == nil && int64(len(data)) > limit {
		return data[:limit], errTooLarge
	}
	return data, err
}
