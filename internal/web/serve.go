package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/assay-eval/assay"
)

// Server is a page on a port of this machine.
type Server struct {
	URL string // with the token: whoever has it may use the page

	http *http.Server
	done chan error
}

// Serve listens on loopback and serves a page to whoever has the token. Port 0 takes a free one.
func Serve(ctx context.Context, port int, page http.Handler) (*Server, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return nil, assay.WithHint(fmt.Errorf("serving the page: %w", err), "--port 0 takes a port that is free")
	}
	token := NewToken()
	u := url.URL{Scheme: "http", Host: l.Addr().String(), Path: "/", RawQuery: url.Values{"token": {token}}.Encode()}
	s := &Server{URL: u.String(), done: make(chan error, 1), http: &http.Server{
		Handler: guard(token, page), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 5 * time.Minute, MaxHeaderBytes: 64 << 10,
	}}
	go func() { s.done <- s.http.Serve(l) }()
	return s, nil
}

// Wait serves until ctx ends, lets answers that are under way be stored, and returns nil; or the error that ended it before.
func (s *Server) Wait(ctx context.Context) error {
	select {
	case err := <-s.done:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := s.http.Shutdown(end); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}
