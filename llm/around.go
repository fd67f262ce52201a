package llm

import (
	"context"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/call"
)

// Around is a behaviour put around every call of a model, whatever kind of model it is. It makes the
// call, once, several times or not at all, and returns the error of the one that counts.
type Around func(ctx context.Context, do func(context.Context) error) error

// Retry tries again under a policy while the error may pass. Time and attempts are accounted to the
// call.Effort of the context, so that no latency sample holds them.
func Retry(p call.Policy) Around {
	return func(ctx context.Context, do func(context.Context) error) error {
		_, err := call.Retry(ctx, p, func(ctx context.Context) (struct{}, error) { return struct{}{}, do(ctx) })
		return err
	}
}

// Limit lets at most concurrency calls be under way at once and perSecond start each second; 0 is no
// limit. All models that share the returned Around share the limit.
func Limit(concurrency int, perSecond float64) Around {
	gate := call.NewGate(concurrency, perSecond)
	return func(ctx context.Context, do func(context.Context) error) error {
		leave, err := gate.Enter(ctx)
		if err != nil {
			return err
		}
		defer leave()
		return do(ctx)
	}
}

// Deadline ends each call after d; 0 is no limit. Put it inside Retry, so that every attempt has the
// whole of it, and inside Limit, so that waiting for a turn does not use it up.
func Deadline(d time.Duration) Around {
	return func(ctx context.Context, do func(context.Context) error) error {
		_, err := call.Deadline(ctx, d, func(ctx context.Context) (struct{}, error) { return struct{}{}, do(ctx) })
		return err
	}
}

// chain makes one Around of several, the first outermost.
func chain(arounds []Around) Around {
	return func(ctx context.Context, do func(context.Context) error) error {
		for i := len(arounds) - 1; i >= 0; i-- {
			around, inner := arounds[i], do
			do = func(ctx context.Context) error { return around(ctx, inner) }
		}
		return do(ctx)
	}
}

// WrapEmbedder puts behaviours around an embedder, the first outermost: WrapEmbedder(e, Retry(p),
// Limit(1, 0), Deadline(d)).
func WrapEmbedder(e assay.Embedder, arounds ...Around) assay.Embedder {
	return &aroundEmbedder{e, chain(arounds)}
}

// WrapChat puts behaviours around a chat model, the first outermost.
func WrapChat(c assay.Chat, arounds ...Around) assay.Chat { return &aroundChat{c, chain(arounds)} }

// WrapReranker puts behaviours around a reranker, the first outermost.
func WrapReranker(r assay.Reranker, arounds ...Around) assay.Reranker {
	return &aroundReranker{r, chain(arounds)}
}

type aroundEmbedder struct {
	inner  assay.Embedder
	around Around
}

func (a *aroundEmbedder) Embed(ctx context.Context, req assay.EmbedRequest) (reply assay.EmbedReply, err error) {
	err = a.around(ctx, func(ctx context.Context) (err error) {
		reply, err = a.inner.Embed(ctx, req)
		return err
	})
	return reply, err
}

func (a *aroundEmbedder) Unwrap() any { return a.inner }

type aroundChat struct {
	inner  assay.Chat
	around Around
}

func (a *aroundChat) Chat(ctx context.Context, req assay.ChatRequest) (reply assay.ChatReply, err error) {
	err = a.around(ctx, func(ctx context.Context) (err error) {
		reply, err = a.inner.Chat(ctx, req)
		return err
	})
	return reply, err
}

func (a *aroundChat) Unwrap() any { return a.inner }

type aroundReranker struct {
	inner  assay.Reranker
	around Around
}

func (a *aroundReranker) Rerank(ctx context.Context, query string, texts []string) (scores []float64, err error) {
	err = a.around(ctx, func(ctx context.Context) (err error) {
		scores, err = a.inner.Rerank(ctx, query, texts)
		return err
	})
	return scores, err
}

func (a *aroundReranker) Unwrap() any { return a.inner }
