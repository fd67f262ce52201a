package discover

import (
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// address is one place to look at.
type address struct {
	kind   string // "" to find out
	url    string
	from   string
	keyEnv string
}

// usual are the addresses at which these servers listen when nobody configures them.
var usual = []address{
	{kind: Ollama, url: "http://127.0.0.1:11434"},
	{kind: Qdrant, url: "http://127.0.0.1:6333"},
	{kind: Chroma, url: "http://127.0.0.1:8000"},
	{kind: OpenAI, url: "http://127.0.0.1:8000/v1"}, // vLLM
	{kind: OpenAI, url: "http://127.0.0.1:8080/v1"}, // llama.cpp, LocalAI
	{kind: OpenAI, url: "http://127.0.0.1:1234/v1"}, // LM Studio
	{kind: OpenAI, url: "http://127.0.0.1:7997"},    // Infinity
	{kind: OpenAI, url: "http://127.0.0.1:3000/v1"}, // text-embeddings-inference
	{kind: Postgres}, // the address is that of PGPORT and its like
}

const fromUsual = "usual address"

// keyVariables hold the key of a kind of server, by custom of their own clients.
var keyVariables = map[string]string{OpenAI: "OPENAI_API_KEY", Qdrant: "QDRANT_API_KEY", Chroma: "CHROMA_API_KEY"}

// addresses lists where to look: what the person named, or else what the environment names and, for kinds that it
// does not name, the usual addresses. A key goes only to the server that the environment or the person names beside it.
func (o *Options) addresses() []address {
	var out []address
	if len(o.At) > 0 {
		for _, at := range o.At {
			out = append(out, address{url: at, from: "--at"})
		}
		return out
	}
	named := map[string]bool{}
	for _, a := range o.environment() {
		out, named[a.kind] = append(out, a), true
	}
	for _, a := range usual {
		if !named[a.kind] {
			if a.from = fromUsual; a.kind == Postgres {
				a.url = o.postgresURL()
			}
			out = append(out, a)
		}
	}
	return out
}

// environment reads the variables that the servers' own tools and clients read.
func (o *Options) environment() []address {
	var out []address
	add := func(kind, variable string, form func(string) string) bool {
		v, ok := o.lookup(variable)
		if !ok {
			return false
		}
		out = append(out, address{kind: kind, url: form(v), from: variable, keyEnv: keyVariables[kind]})
		return true
	}
	add(Ollama, "OLLAMA_HOST", ollamaURL)
	_ = add(OpenAI, "OPENAI_BASE_URL", strings.TrimSpace) || add(OpenAI, "OPENAI_API_BASE", strings.TrimSpace)
	_ = add(Qdrant, "QDRANT_URL", strings.TrimSpace) || add(Qdrant, "QDRANT_HOST", o.hostAndPort("QDRANT_PORT", "6333"))
	_ = add(Chroma, "CHROMA_URL", strings.TrimSpace) || add(Chroma, "CHROMA_HOST", o.hostAndPort("CHROMA_PORT", "8000")) ||
		add(Chroma, "CHROMA_SERVER_HOST", o.hostAndPort("CHROMA_SERVER_HTTP_PORT", "8000"))
	_ = add(Postgres, "DATABASE_URL", strings.TrimSpace) || add(Postgres, "POSTGRES_URL", strings.TrimSpace) ||
		add(Postgres, "PGHOST", func(string) string { return o.postgresURL() })
	for i := range out {
		if out[i].kind == Postgres {
			out[i].keyEnv = out[i].from
			if out[i].from == "PGHOST" {
				out[i].keyEnv = "PGPASSWORD"
			}
		}
	}
	return out
}

// hostAndPort completes a host that has neither scheme nor port.
func (o *Options) hostAndPort(variable, port string) func(string) string {
	if v, ok := o.lookup(variable); ok {
		port = v
	}
	return func(host string) string { return complete(host, "http", port) }
}

// ollamaURL reads OLLAMA_HOST as Ollama does: scheme and port may be missing, and an address to listen on
// is reached on this machine.
func ollamaURL(host string) string {
	if scheme, rest, ok := strings.Cut(strings.TrimSpace(host), "://"); ok {
		return complete(rest, scheme, "")
	}
	return complete(host, "http", "11434")
}

// complete makes a URL of HOST, HOST:PORT, :PORT or a URL.
func complete(host, scheme, port string) string {
	host = strings.TrimSpace(host)
	if strings.Contains(host, "://") {
		return host
	}
	host, path, _ := strings.Cut(strings.TrimRight(host, "/"), "/")
	name, own, err := net.SplitHostPort(host)
	if err != nil {
		name, own = strings.Trim(host, "[]"), port
	}
	if ip, err := netip.ParseAddr(name); name == "" || err == nil && ip.IsUnspecified() {
		name = "127.0.0.1"
	}
	u := url.URL{Scheme: scheme, Host: name, Path: path}
	switch {
	case own != "":
		u.Host = net.JoinHostPort(name, own)
	case strings.Contains(name, ":"):
		u.Host = "[" + name + "]"
	}
	return u.String()
}

// lookup finds a variable that is set and not empty.
func (o *Options) lookup(name string) (string, bool) {
	if name == "" || o.Lookup == nil {
		return "", false
	}
	v, ok := o.Lookup(name)
	return v, ok && strings.TrimSpace(v) != ""
}
