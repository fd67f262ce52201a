package discover

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/rest"
)

// DefaultTimeout is how long a short question may take: ample for a server on this machine.
const DefaultTimeout = 2 * time.Second

// Absent is an address somebody named at which nothing that is known answered.
type Absent struct {
	URL    string `json:"url"`
	From   string `json:"from"`
	Reason string `json:"reason"`
}

// Found is what was found.
type Found struct {
	Servers []Server `json:"servers"`
	Absent  []Absent `json:"absent,omitempty"` // of addresses that were named; a usual address without a server is no news
	Looked  []string `json:"looked"`           // every address that was asked
}

// Look asks every address at once and waits for all. The order of the result is that of the addresses, whoever
// answers first.
func Look(ctx context.Context, o Options) Found {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	places := o.addresses()
	servers, reasons := make([][]Server, len(places)), make([]error, len(places))
	var wg sync.WaitGroup
	for i, a := range places {
		wg.Go(func() { servers[i], reasons[i] = o.ask(ctx, a) })
	}
	wg.Wait()
	var found Found
	for i, a := range places {
		shown := withoutPassword(a.url)
		if !slices.Contains(found.Looked, shown) {
			found.Looked = append(found.Looked, shown)
		}
		for _, s := range servers[i] {
			found.add(s)
		}
		if len(servers[i]) == 0 && a.from != fromUsual {
			found.Absent = append(found.Absent, Absent{shown, a.from, reason(reasons[i])})
		}
	}
	return found
}

// add keeps a server unless it is there already: Ollama speaks OpenAI's API at the same address, too.
func (f *Found) add(s Server) {
	for _, have := range f.Servers {
		same := hostOf(have.URL) == hostOf(s.URL) && (s.Kind != Postgres || have.URL == s.URL)
		if same && (have.Kind == s.Kind || have.Kind == Ollama && s.Kind == OpenAI) {
			return
		}
	}
	f.Servers = append(f.Servers, s)
}

// probes are the ways to find out what an address is, each by an answer that only its kind of server gives.
var probes = []struct {
	kind string
	ask  func(context.Context, *Options, *Server) error
}{{Ollama, askOllama}, {Qdrant, askQdrant}, {Chroma, askChroma}, {OpenAI, askOpenAI}}

// ask asks one address; one whose kind is unknown is asked in all ways until one fits.
func (o *Options) ask(ctx context.Context, a address) ([]Server, error) {
	if a.kind == Postgres || strings.HasPrefix(a.url, "postgres://") || strings.HasPrefix(a.url, "postgresql://") {
		return askPostgres(ctx, o, a)
	}
	var last error
	for _, p := range probes {
		if a.kind != "" && a.kind != p.kind {
			continue
		}
		s := Server{Kind: p.kind, URL: strings.TrimRight(a.url, "/"), From: a.from, KeyEnv: a.keyEnv, asked: a.from == "--at"}
		if s.asked {
			s.KeyEnv = keyVariables[p.kind]
		}
		err := p.ask(ctx, o, &s)
		if err == nil {
			return []Server{s}, nil
		}
		// What the address said to the likeliest question explains most: it is not there, or wants a key.
		if last == nil || assay.KindOf(err) == assay.KindRefused {
			last = err
		}
		if assay.KindOf(err) == assay.KindUnavailable || assay.KindOf(err) == assay.KindTimeout {
			return nil, err
		}
	}
	return nil, last
}

// get reads one JSON document.
func get(ctx context.Context, c *rest.Client, path string, query url.Values, out any) error {
	return c.Call(ctx, rest.Request{Op: "look", Method: "GET", Path: path, Query: query}, out)
}

// notThis is the error of an answer that another kind of server gives.
func notThis(kind string) error {
	return assay.Errorf(assay.KindMalformed, "look", "", "it answers, and not as %s does", kind)
}

func reason(err error) string {
	switch assay.KindOf(err) {
	case assay.KindUnavailable:
		return "nothing listens there"
	case assay.KindTimeout:
		return "no answer in time"
	case assay.KindRefused:
		return "it wants a key, or another one"
	case assay.KindNotFound, assay.KindMalformed, assay.KindInvalid:
		return "something answers there that is none of the servers assay knows"
	}
	if err == nil {
		return "nothing was found there"
	}
	return err.Error()
}

func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	if u.Hostname() == "localhost" {
		return "127.0.0.1:" + u.Port()
	}
	return u.Host
}

// withoutPassword is a URL that can be shown.
func withoutPassword(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "an address that cannot be read"
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	u.RawQuery, u.Fragment = "", ""
	return u.String()
}
