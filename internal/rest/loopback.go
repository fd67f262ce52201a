package rest

import (
	"net/netip"
	"net/url"
	"strings"
)

// Loopback reports whether a URL leads to this machine. An empty one is a default, which always does, and so does the path of
// a Unix socket.
func Loopback(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	host := u.Hostname()
	if host == "" || strings.HasPrefix(host, "/") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
