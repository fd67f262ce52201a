package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Chunks the backend has, hits of an answer, words of a chunk.
const (
	pool  = 2000
	depth = 10
	words = 60
)

// answers are the replies of the backend, made beforehand so that they cost it nothing.
func answers() [][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	texts := make([]string, pool)
	for i := range texts {
		var b strings.Builder
		for range words {
			fmt.Fprintf(&b, "word%d ", rng.IntN(5000))
		}
		texts[i] = b.String()
	}
	type hit struct {
		ID    string  `json:"id"`
		Score float64 `json:"score"`
		Text  string  `json:"text"`
	}
	out := make([][]byte, 500)
	for i := range out {
		var hits []hit
		for rank, n := range rng.Perm(pool)[:depth] {
			hits = append(hits, hit{"chunk-" + strconv.Itoa(n), 1 - float64(rank)/100, texts[n]})
		}
		out[i], _ = json.Marshal(map[string]any{"hits": hits}) // plain values
	}
	return out
}

// serve runs the backend and prints its address. It ends when its standard input does.
func serve(delay time.Duration) error {
	runtime.GOMAXPROCS(64) // each answer that is waited for holds one of them
	replies := answers()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/search\n", listener.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	return http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		due := time.Now().Add(delay)
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		h := fnv.New32a()
		h.Write(body)
		pause(due)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(replies[h.Sum32()%uint32(len(replies))]) // the client may have left
	}))
}

// backend starts serve in a process of its own.
func backend(delay time.Duration) (url string, stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	cmd := exec.Command(self, "-delay", delay.String(), "serve")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	url, err = bufio.NewReader(out).ReadString('\n')
	return strings.TrimSpace(url), func() { in.Close(); _ = cmd.Wait() }, err
}

// body is the request for a query, as the connector's template makes it.
func body(query string) []byte {
	return fmt.Appendf(nil, `{"q": %q, "k": %d}`, query, depth)
}
