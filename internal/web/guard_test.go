package web_test

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/web"
)

// serve runs the page of a session until the test ends, and returns its address with the token.
func serve(t *testing.T, page *web.Labelling) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	s, err := web.Serve(ctx, 0, page.Handler())
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Wait(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return s.URL
}

// visitor is an HTTP client that came in by the whole address, as a browser would.
func visitor(t *testing.T, address string) *http.Client {
	t.Helper()
	jar, _ := cookiejar.New(nil)
	c := &http.Client{Jar: jar, Timeout: 10 * time.Second}
	resp, err := c.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || resp.Request.URL.RawQuery != "" {
		t.Fatalf("%s at %s: want the page, and no token in its address", resp.Status, resp.Request.URL)
	}
	return c
}

func base(address string) string {
	u, _ := url.Parse(address)
	return u.Scheme + "://" + u.Host
}

func TestOnlyThePersonAtThisMachine(t *testing.T) {
	labelling, _ := labelling(t, items(1, 3), nil)
	address := serve(t, labelling)
	client := visitor(t, address)
	u, _ := url.Parse(address)
	token := u.Query().Get("token")
	next := func(edit func(*http.Request)) *http.Request {
		r, _ := http.NewRequest("POST", base(address)+"/api/next", strings.NewReader(`{"who":"ann"}`))
		r.Header.Set("Content-Type", "application/json")
		r.AddCookie(&http.Cookie{Name: "assay_token_" + u.Port(), Value: token})
		r.AddCookie(&http.Cookie{Name: "assay_token_9999", Value: token})
		if edit != nil {
			edit(r)
		}
		return r
	}
	get := func(path string) func(*http.Request) {
		return func(r *http.Request) { r.Method, r.URL.Path, r.Body, r.ContentLength = "GET", path, nil, 0 }
	}
	for _, tc := range []struct {
		name string
		edit func(*http.Request)
		want int
	}{
		{"as the page does", nil, 200},
		{"from its own origin", func(r *http.Request) { r.Header.Set("Origin", base(address)) }, 200},
		{"through a forwarded port", func(r *http.Request) { r.Host = "localhost:9999" }, 200},
		{"another origin", func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 403},
		{"another port's origin", func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") }, 403},
		{"an opaque origin", func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		{"said to be cross-site", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		{"a name that was pointed here", func(r *http.Request) { r.Host = "evil.example" }, 421},
		{"no token", func(r *http.Request) { r.Header.Del("Cookie") }, 403},
		{"a wrong token", func(r *http.Request) { r.Header.Set("Cookie", "assay_token_"+u.Port()+"=AAAA") }, 403},
		{"the token where it does not belong", func(r *http.Request) { r.Header.Del("Cookie"); r.URL.RawQuery = "token=" + token }, 403},
		{"a form", func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") }, 415},
		{"plain text", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415},
		{"no JSON", body(`{"who":`), 400},
		{"more than the page knows", body(`{"who":"ann","admin":true}`), 400},
		{"two documents", body(`{"who":"ann"}{}`), 400},
		{"too much", body(`{"who":"` + strings.Repeat("x", 100_000) + `"}`), 413},
		{"no name", body(`{"who":""}`), 422},
		{"a reserved name", body(`{"who":"adjudicated"}`), 422},
		{"a path outside", get("/../../etc/passwd"), 404},
		{"an encoded path outside", get("/static/..%2f..%2fgo.mod"), 404},
		{"its own folder", get("/static/"), 404},
		{"a write by GET", get("/api/next"), 405},
	} {
		t.Run(tc.name, func(t *testing.T) {
			resp, err := (&http.Client{Timeout: 10 * time.Second}).Do(next(tc.edit))
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			text, _ := io.ReadAll(resp.Body)
			if resp.StatusCode != tc.want {
				t.Errorf("%s, want %d: %s", resp.Status, tc.want, text)
			}
			if tc.want != 200 && strings.Contains(string(text), "passage") && tc.want != 422 {
				t.Errorf("a refusal tells what is inside: %s", text)
			}
			if policy := resp.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
				t.Errorf("policy %q", policy)
			}
		})
	}
	// A browser keeps one jar for all ports of this machine, and a second page must not take the first one's cookie away.
	second := serveAnother(t, client)
	for _, at := range []string{base(address), second} {
		resp, err := client.Get(at + "/label.js")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("with two pages open, %s answers %s", at, resp.Status)
		}
	}
	for _, query := range []string{"?token=wrong", "?token="} {
		resp, err := http.Get(base(address) + "/" + query)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 403 || len(resp.Cookies()) > 0 {
			t.Errorf("%s: %s, cookies %v", query, resp.Status, resp.Cookies())
		}
	}
	resp, err := client.Get(base(address) + "/label.js")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 200 {
		t.Errorf("who came in by the address gets %s", resp.Status)
	}
}

func body(text string) func(*http.Request) {
	return func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
	}
}

// serveAnother serves a second page and opens it in the same browser.
func serveAnother(t *testing.T, browser *http.Client) string {
	t.Helper()
	another, _ := labelling(t, items(1, 3), nil)
	address := serve(t, another)
	resp, err := browser.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return base(address)
}
