package rest

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/assay-eval/assay"
)

// idlePerHost keeps one connection alive for each worker of a large run; Go's default of 2 would open
// a new one for almost every call.
const idlePerHost = 128

func newTransport(caFile string) (http.RoundTripper, error) {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DialContext = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	t.MaxIdleConnsPerHost = idlePerHost
	t.MaxIdleConns = 0
	if caFile == "" {
		return t, nil
	}
	pem, err := os.ReadFile(caFile)
	if err != nil {
		return nil, assay.Classify(fmt.Errorf("ca_file: %w", err), assay.ErrUsage)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, assay.Usagef("ca_file: %s holds no PEM certificate", caFile)
	}
	t.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	return t, nil
}

// checkRedirect follows a redirect only within the origin and only when the method stays what it was:
// anything else would send keys and text to a place that was not configured, or turn a search into a GET.
func checkRedirect(req *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) >= 5 || req.Method != first.Method || req.URL.Host != first.URL.Host || req.URL.Scheme != first.URL.Scheme {
		return http.ErrUseLastResponse
	}
	return nil
}
