package rest

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonerr"
	"github.com/assay-eval/assay/internal/secret"
)

// failure makes the errors of one call.
type failure struct {
	client    *Client
	op, where string
}

// new makes an *assay.Error without secrets. The message may hold one (servers quote what they refuse),
// so it is rendered and cleaned; causes stay reachable for errors.Is.
func (f *failure) new(kind assay.Kind, raw []byte, format string, args ...any) *assay.Error {
	err := secret.RedactError(fmt.Errorf(format, args...), f.client.secrets...)
	// Cleaned before it is cut, so that no half of a secret stays at the end.
	text := raw
	if len(text) > 2*assay.RawLimit {
		text = text[:2*assay.RawLimit]
	}
	clean := f.client.Redact(string(text))
	return &assay.Error{Call: true, Kind: kind, Op: f.op, Where: f.where, Err: err, Raw: strings.ToValidUTF8(clean[:min(len(clean), assay.RawLimit)], "\uFFFD")}
}

// Wrong makes the error of a reply that is valid JSON but not what the protocol promises.
func (c *Client) Wrong(op, path string, raw []byte, format string, args ...any) *assay.Error {
	e := (&failure{c, op, c.base.Host + path}).new(assay.KindMalformed, raw, format, args...)
	e.Call = false // there was an answer
	return e
}

// transport explains a call that ended without a whole reply. ctx is the caller's: its own end is told
// apart from this client's timeout.
func (f *failure) transport(ctx context.Context, err error, partial []byte) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // drops the URL, which Where has without its query string
	}
	part := ""
	if len(partial) > 0 {
		part = fmt.Sprintf(" after %d bytes of the reply", len(partial))
	}
	var timeout net.Error
	var dns *net.DNSError
	switch {
	case errors.Is(err, errTooLarge):
		return f.new(assay.KindMalformed, partial, "the reply is larger than %d bytes", f.client.config.MaxBody)
	case errors.Is(ctx.Err(), context.Canceled):
		return f.new(assay.KindCanceled, nil, "canceled%s: %w", part, context.Canceled)
	case ctx.Err() != nil:
		return f.new(assay.KindTimeout, partial, "no whole answer before the deadline%s: %w", part, context.DeadlineExceeded)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return f.new(assay.KindTimeout, partial, "no whole answer within %v%s", f.limit(), part)
	case errors.As(err, &dns) && dns.IsNotFound:
		return assay.WithHint(f.new(assay.KindUnavailable, nil, "no such host: %s", dns.Name), "check the spelling of the url")
	case errors.Is(err, syscall.ECONNREFUSED):
		return assay.WithHint(f.new(assay.KindUnavailable, nil, "connection refused: nothing listens there"),
			"start the server, or correct the url (now %s)", f.client.base)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.EPIPE):
		return f.new(assay.KindUnavailable, partial, "the connection broke%s: %w", part, err)
	}
	if e := f.tls(err); e != nil {
		return e
	}
	var op *net.OpError
	if errors.As(err, &op) {
		return f.new(assay.KindUnavailable, partial, "%w", err)
	}
	return f.new(assay.KindMalformed, partial, "no HTTP answer that can be read%s: %w", part, err)
}

func (f *failure) limit() time.Duration {
	if t := f.client.config.Timeout; t > 0 {
		return t
	}
	return 10 * time.Second // the dialer's and TLS handshake's
}

// tls tells apart the two ways TLS is usually set up wrongly; neither goes away by trying again.
func (f *failure) tls(err error) error {
	var unknown x509.UnknownAuthorityError
	var verify *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &unknown), errors.As(err, &verify):
		return assay.WithHint(f.new(assay.KindInvalid, nil, "the server's certificate is not trusted: %w", err),
			"for a certificate of your own, write its authority as ca_file: PATH")
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return assay.WithHint(f.new(assay.KindInvalid, nil, "the server does not speak TLS"), "write http:// instead of https://")
	}
	return nil
}

// status explains a reply whose status is not 2xx.
func (f *failure) status(resp *http.Response, data []byte) error {
	code := resp.StatusCode
	if code >= 300 && code <= 399 {
		to := "elsewhere"
		if l, err := resp.Location(); err == nil {
			to = l.Scheme + "://" + l.Host + l.Path
		}
		return assay.WithHint(f.new(assay.KindInvalid, data, "%d: the server redirects to %s, which is not followed", code, to),
			"if that is the right server, write it as url")
	}
	e := f.new(kindOf(code), data, "%d %s", code, statusText(code))
	if msg := serverMessage(data); msg != "" {
		e = f.new(kindOf(code), data, "%d %s", code, msg)
	}
	e.RetryAfter = retryAfter(resp.Header.Get("Retry-After"), time.Now())
	if code == http.StatusUnauthorized || code == http.StatusForbidden {
		return assay.WithHint(e, "check api_key and headers; a secret is given as {env: NAME} or {file: PATH}")
	}
	return e
}

func statusText(code int) string {
	if t := http.StatusText(code); t != "" {
		return strings.ToLower(t)
	}
	return "unknown status"
}

// kindOf maps a status to a Kind. 500 is not retryable: a crash on one input comes again.
func kindOf(code int) assay.Kind {
	switch code {
	case http.StatusTooManyRequests:
		return assay.KindRateLimited
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return assay.KindUnavailable
	case http.StatusRequestTimeout:
		return assay.KindTimeout
	case http.StatusUnauthorized, http.StatusForbidden:
		return assay.KindRefused
	case http.StatusNotFound:
		return assay.KindNotFound
	}
	if code >= 400 && code <= 499 {
		return assay.KindInvalid
	}
	return assay.KindInternal
}

// maxRetryAfter keeps a server from parking a run for a day.
const maxRetryAfter = 10 * time.Minute

// retryAfter reads both forms of the header (RFC 9110 10.2.3) as seconds, 0 when there is none.
func retryAfter(value string, now time.Time) float64 {
	if value == "" {
		return 0
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil {
		at, err := http.ParseTime(value)
		if err != nil {
			return 0
		}
		seconds = at.Sub(now).Seconds()
	}
	if !(seconds > 0) {
		return 0
	}
	return min(seconds, maxRetryAfter.Seconds())
}

// decode reads a 2xx reply into out.
func (f *failure) decode(data []byte, out any) error {
	switch out := out.(type) {
	case nil:
		return nil
	case *[]byte:
		*out = bytes.Clone(data)
		return nil
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return f.new(assay.KindEmpty, nil, "the reply is empty where JSON is due")
	}
	err := Unmarshal(data, out)
	if err == nil {
		return nil
	}
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case looksHTML(data):
		title := serverMessage(data)
		if title != "" {
			title = ": " + title
		}
		return assay.WithHint(f.new(assay.KindMalformed, data, "the reply is a web page, not JSON%s", title),
			"the url may lead to a proxy or a web console instead of the API")
	case errors.As(err, &typ) && typ.Field != "":
		return f.new(assay.KindMalformed, data, "the reply holds a %s at %s where a %s is due", typ.Value, typ.Field, typ.Type)
	case errors.As(err, &syntax), errors.Is(err, io.ErrUnexpectedEOF):
		return f.new(assay.KindMalformed, data, "the reply is not valid JSON: %w", err)
	}
	return f.new(assay.KindMalformed, data, "the reply does not have the promised form: %w", jsonerr.Plain(err))
}
