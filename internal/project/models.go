package project

import (
	"context"
	"fmt"
	"maps"
	"os"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/ollama"
	"github.com/assay-eval/assay/llm/openai"
	"github.com/assay-eval/assay/llm/rerank"
)

// server turns a model's settings into those of an HTTP client and fetches its secrets.
func (p *Project) server(m config.Model) (rest.Config, error) {
	c := rest.Config{BaseURL: m.Remote.URL, CAFile: p.Config.Abs(m.Remote.CAFile), Timeout: m.Remote.Timeout}
	resolve := func(key string, ref secret.Ref) (secret.Value, error) {
		v, err := ref.Resolve(p.Config.Dir, os.LookupEnv)
		if err != nil {
			key = "models." + m.Name + "." + key
			return v, assay.WithHint(assay.Usagef("%s: %s: %w", p.Config.Where(key), key, err), "%s", assay.Hint(err))
		}
		return v, nil
	}
	var err error
	if m.Remote.APIKey != (secret.Ref{}) {
		if c.APIKey, err = resolve("api_key", m.Remote.APIKey); err != nil {
			return c, err
		}
	}
	for name, h := range m.Remote.Headers {
		if h.Text != "" {
			if c.Headers == nil {
				c.Headers = map[string]string{}
			}
			c.Headers[name] = h.Text
			continue
		}
		v, err := resolve("headers."+name, h.Ref)
		if err != nil {
			return c, err
		}
		if c.SecretHeaders == nil {
			c.SecretHeaders = map[string]secret.Value{}
		}
		c.SecretHeaders[name] = v
	}
	return c, nil
}

// client opens the client of a model once.
func (p *Project) client(name string) (any, config.Model, error) {
	m, ok := p.Config.Model(name)
	if !ok {
		return nil, m, assay.Usagef("no model is named %q in %s", name, p.Config.File)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if c, ok := p.models[name]; ok {
		return c, m, nil
	}
	server, err := p.server(m)
	if err != nil {
		return nil, m, err
	}
	var c any
	switch m.Provider {
	case "ollama":
		c, err = ollama.New(ollama.Options{Server: server, Model: m.Model, KeepAlive: m.KeepAlive, NumCtx: m.NumCtx,
			MaxTokens: m.MaxTokens, Batch: m.Batch, Truncate: m.Truncate})
	case "rerank":
		c, err = rerank.New(rerank.Options{Server: server, Model: m.Model, Batch: m.Batch, Truncate: m.Truncate})
	default:
		c, err = openai.New(openai.Options{Server: server, Model: m.Model, MaxTokens: m.MaxTokens, Batch: m.Batch, Truncate: m.Truncate})
	}
	if err != nil {
		return nil, m, assay.Usagef("%s: models.%s: %w", p.Config.Where("models."+name), name, err)
	}
	p.models[name] = c
	return c, m, nil
}

// writing is the deadline of a chat call that the configuration does not set: a model on a laptop's CPU
// writes ten tokens a second, and may have to be loaded first.
const writing = 5 * time.Minute

// around are the behaviours every call of a model gets: tries, a turn, a deadline, which is the one given
// unless the configuration names another.
func (p *Project) around(m config.Model, timeout time.Duration) []llm.Around {
	if m.Remote.Timeout > 0 {
		timeout = m.Remote.Timeout
	}
	return []llm.Around{llm.Retry(p.retry()), llm.Limit(m.Remote.Concurrency, m.Remote.Rate), llm.Deadline(timeout)}
}

// Model is an opened model and what it says it is.
type Model[T any] struct {
	Use      T
	Identity assay.Identity
}

// Embedder opens an embedding model with its prefixes, behind the cache. The scope keeps entries apart
// that must not be shared: queries are cached for the run that asks, so that each run measures the
// latency of its own calls, while documents (scope "") are cached for good.
func (p *Project) Embedder(ctx context.Context, name, scope string) (Model[assay.Embedder], error) {
	return p.embedder(ctx, name, scope, p.Config.Run.Timeout)
}

// indexing is the deadline of a call that embeds documents, which the configuration does not set: a batch of
// long ones takes a laptop's CPU minutes, and nobody measures how long.
const indexing = 5 * time.Minute

// embedder is Embedder with the deadline of a call for which the configuration names none.
func (p *Project) embedder(ctx context.Context, name, scope string, timeout time.Duration) (Model[assay.Embedder], error) {
	var none Model[assay.Embedder]
	c, m, err := p.client(name)
	if err != nil {
		return none, err
	}
	e, ok := c.(assay.Embedder)
	if !ok {
		return none, assay.Usagef("%s: model %s cannot embed", p.Config.Where("models."+name), name)
	}
	id, err := p.identify(ctx, name, c)
	if err != nil {
		return none, err
	}
	if w := llm.CheckPrefix(m.Model, m.QueryPrefix, m.DocumentPrefix); w != nil {
		p.opts.Warn(*w)
	}
	cache, err := p.cache()
	if err != nil {
		return none, err
	}
	cached := cache.Embedder(llm.WrapEmbedder(e, p.around(m, timeout)...), scoped(id, scope), m.Batch)
	return Model[assay.Embedder]{llm.Prefix(cached, m.QueryPrefix, m.DocumentPrefix), id}, nil
}

// scoped marks an identity so that cache entries of different scopes differ.
func scoped(id assay.Identity, scope string) assay.Identity {
	if scope == "" {
		return id
	}
	id.Details = maps.Clone(id.Details)
	if id.Details == nil {
		id.Details = map[string]string{}
	}
	id.Details["scope"] = scope
	return id
}

// Chat opens a chat model behind the cache. What is inside is put around each single call to the server,
// and not around replies that come from the cache.
func (p *Project) Chat(ctx context.Context, name string, inside ...llm.Around) (Model[assay.Chat], error) {
	var none Model[assay.Chat]
	c, m, err := p.client(name)
	if err != nil {
		return none, err
	}
	chat, ok := c.(assay.Chat)
	if !ok {
		return none, assay.Usagef("%s: model %s cannot chat", p.Config.Where("models."+name), name)
	}
	id, err := p.identify(ctx, name, c)
	if err != nil {
		return none, err
	}
	cache, err := p.cache()
	if err != nil {
		return none, err
	}
	return Model[assay.Chat]{cache.Chat(llm.WrapChat(chat, append(p.around(m, writing), inside...)...), id), id}, nil
}

// Reranker opens a rerank model. It is not cached: a run measures its latency.
func (p *Project) Reranker(ctx context.Context, name string) (Model[assay.Reranker], error) {
	var none Model[assay.Reranker]
	c, m, err := p.client(name)
	if err != nil {
		return none, err
	}
	r, ok := c.(assay.Reranker)
	if !ok {
		return none, assay.Usagef("%s: model %s cannot rerank", p.Config.Where("models."+name), name)
	}
	id, err := p.identify(ctx, name, c)
	if err != nil {
		return none, err
	}
	return Model[assay.Reranker]{llm.WrapReranker(r, p.around(m, p.Config.Run.Timeout)...), id}, nil
}

func (p *Project) identify(ctx context.Context, name string, client any) (assay.Identity, error) {
	id, err := llm.Identify(ctx, client)
	if err != nil {
		return id, fmt.Errorf("model %s: %w", name, err)
	}
	return id, nil
}
