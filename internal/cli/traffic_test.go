//go:build unix

package cli

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"
)

// traffic is the calls that a server got, in order, by what was asked.
type traffic struct {
	mu    sync.Mutex
	calls []string
	more  chan struct{} // closed and replaced with every call

	servers []string          // addresses of what notes its calls here
	open    map[net.Conn]bool // their connections
}

// serve starts a server that notes its calls here.
func (t *traffic) serve(tb testing.TB, h http.Handler) (address string) {
	tb.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Settle") != "" {
			w.Header().Set("Connection", "close")
			return
		}
		h.ServeHTTP(w, r)
	}))
	server.Config.ConnState = func(c net.Conn, state http.ConnState) {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.open == nil {
			t.open = map[net.Conn]bool{}
		}
		t.open[c] = true
		if state == http.StateClosed {
			delete(t.open, c)
		}
	}
	server.Start()
	tb.Cleanup(server.Close)
	t.servers = append(t.servers, server.URL)
	return server.URL
}

// settle waits, after a client was killed, until the servers have read what it had sent: its last request
// may still be on its way, and would be taken for one of the next client. A connection of our own comes
// behind those that wait to be accepted.
func (t *traffic) settle(tb testing.TB) {
	tb.Helper()
	for _, address := range t.servers {
		req, err := http.NewRequestWithContext(tb.Context(), http.MethodGet, address, nil)
		if err != nil {
			tb.Fatal(err)
		}
		req.Header.Set("X-Settle", "1")
		req.Close = true
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			tb.Fatal(err)
		}
		resp.Body.Close()
	}
	for {
		t.mu.Lock()
		left := len(t.open)
		t.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-time.After(time.Millisecond):
		case <-tb.Context().Done():
			tb.Fatal("the connections of a killed client do not end")
		}
	}
}

// note adds a call and returns how many there were before it.
func (t *traffic) note(key string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls = append(t.calls, key)
	if t.more != nil {
		close(t.more)
		t.more = nil
	}
	return len(t.calls) - 1
}

// so far is a copy of the calls.
func (t *traffic) soFar() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.calls)
}

// times is how often each thing was asked.
func (t *traffic) times() map[string]int {
	out := map[string]int{}
	for _, c := range t.soFar() {
		out[c]++
	}
	return out
}

func (t *traffic) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls = nil
}

// after waits until there were n more calls, or p has ended.
func (t *traffic) after(n int, p *process) {
	t.mu.Lock()
	until := len(t.calls) + n
	for len(t.calls) < until {
		if t.more == nil {
			t.more = make(chan struct{})
		}
		more := t.more
		t.mu.Unlock()
		select {
		case <-more:
		case <-p.ended:
			return
		}
		t.mu.Lock()
	}
	t.mu.Unlock()
}

// proxy stands before a real server and notes the calls for which key gives a name.
func (t *traffic) proxy(tb testing.TB, target string, key func(path string, body []byte) string) (address string) {
	tb.Helper()
	u, err := url.Parse(target)
	if err != nil {
		tb.Fatal(err)
	}
	forward := httputil.NewSingleHostReverseProxy(u)
	forward.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) } // the client was killed
	return t.serve(tb, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if k := key(r.URL.Path, body); k != "" {
			t.note(k)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		forward.ServeHTTP(w, r)
	}))
}

// kill kills a program that makes one call after another at random moments, each time after one to most calls and a pause, until
// it was killed as often as asked or came to its end; then it lets it run to its end. No finished call may be made again.
func (t *traffic) kill(f *folder, chance *rand.Rand, kills, most int, pause time.Duration, command string) (last *process, killed int) {
	f.Helper()
	var lives [][]string
	for killed < kills {
		before := len(t.soFar())
		p := f.start(command)
		t.after(1+chance.IntN(most), p)
		time.Sleep(time.Duration(chance.Int64N(int64(pause))))
		p.stop(syscall.SIGKILL)
		t.settle(f)
		if p.code >= 0 {
			break // it had come to its end
		}
		killed++
		lives = append(lives, t.soFar()[before:])
	}
	before := len(t.soFar())
	last = f.run(exitOK, command)
	noneInVain(f, append(lives, t.soFar()[before:]))
	return last, killed
}

// noneInVain checks the calls of a program that makes one after another and is killed now and then: when
// the next call begins, the one before is on disk, so only the last call of a life may ever be made again.
func noneInVain(t testing.TB, lives [][]string) {
	t.Helper()
	made := map[string]bool{}
	for n, life := range lives {
		for i, call := range life {
			if made[call] {
				t.Errorf("life %d: %.80q was asked again", n, call)
			}
			if i < len(life)-1 || n == len(lives)-1 {
				made[call] = true
			}
		}
	}
}
