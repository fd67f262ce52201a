package web

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/url"
)

// cookie names what holds the token once the page was opened by its full address. Browsers send cookies to every port of a host, so
// the port stands in the name: two pages on one machine do not log each other out.
func cookie(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		port = "80"
	}
	return "assay_token_" + port
}

// maxBody bounds what a page may send, in bytes.
const maxBody = 64 << 10

// NewToken draws a token: 128 bits that nobody can guess.
func NewToken() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// policy lets the page run assay's own files and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard lets through what the person at this machine asks for: by a name of this machine (a page elsewhere can point a name of its
// own here), with the token, and from a page that was served here.
func guard(token string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		switch {
		case !local(r.Host):
			refuse(w, http.StatusMisdirectedRequest, "this server answers to localhost only")
		case foreign(r):
			refuse(w, http.StatusForbidden, "another site's page sent this")
		case (r.Method == http.MethodGet || r.Method == http.MethodHead) && r.URL.Path == "/" && r.URL.Query().Has("token"):
			enter(w, r, token)
		case !admitted(r, token):
			refuse(w, http.StatusForbidden, "the token is missing or wrong: open the whole address that assay printed")
		default:
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
			next.ServeHTTP(w, r)
		}
	})
}

// enter exchanges the token in the address for a cookie, so that it stays neither in the history nor in the address bar.
func enter(w http.ResponseWriter, r *http.Request, token string) {
	if !equal(r.URL.Query().Get("token"), token) {
		refuse(w, http.StatusForbidden, "the token is wrong: it is new each time assay starts, and stands in the address that it printed")
		return
	}
	http.SetCookie(w, &http.Cookie{Name: cookie(r), Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func admitted(r *http.Request, token string) bool {
	for _, c := range r.CookiesNamed(cookie(r)) {
		if equal(c.Value, token) {
			return true
		}
	}
	return false
}

func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// local tells whether a Host header names this machine. Any port will do: it may be forwarded from another machine.
func local(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	if name == "localhost" {
		return true
	}
	ip := net.ParseIP(trimBrackets(name))
	return ip != nil && ip.IsLoopback()
}

func trimBrackets(s string) string {
	if len(s) > 1 && s[0] == '[' && s[len(s)-1] == ']' {
		return s[1 : len(s)-1]
	}
	return s
}

// foreign tells whether a browser says that the request comes from another site's page.
func foreign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return r.Method != http.MethodGet || r.URL.Path != "/" // a link to the page may stand anywhere
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || u.Scheme != "http" || u.Host != r.Host
}

// refuse answers in plain text: what is refused never depends on what was sent.
func refuse(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	fmt.Fprintln(w, "assay: "+text)
}
