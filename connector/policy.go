package connector

import (
	"context"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/call"
)

// Policy is how a retriever is called. The zero Policy adds nothing.
type Policy struct {
	Retry       call.Policy   // further tries after a failure that passes by itself
	Timeout     time.Duration // deadline of one try; 0 means none but the caller's
	Concurrency int           // calls under way at once; 0 means no limit
	Rate        float64       // calls started per second; 0 means no limit
}

// Effort accounts for attempts, waits and failed time of the calls made under a context.
type Effort = call.Effort

// WithEffort gives the calls made under the returned context an account.
func WithEffort(ctx context.Context) (context.Context, *Effort) { return call.WithEffort(ctx) }

// Wrap puts a policy around a retriever: each try waits for its turn, then has its deadline; a try that
// failed for a passing reason is made again. Timings.Search of the response is the time of the try that
// succeeded and nothing else (a retriever that times its own stages keeps them); further tries are
// noted as "retried".
//
// The optional powers found in r by assay.As obey the policy too: exact searches, counts, fetches and
// inspections like searches; a listing that breaks off is begun again and resumes behind the last chunk
// it gave, which the contract of a stable order allows.
func Wrap(r assay.Retriever, p Policy) assay.Retriever {
	guard := &guard{policy: p, gate: call.NewGate(p.Concurrency, p.Rate)}
	chain := r
	// One link per power, so that assay.As finds a power in the chain exactly when r has it.
	if x, ok := assay.As[assay.ExactSearcher](r); ok {
		chain = &exactLink{link{chain}, guard, x}
	}
	if x, ok := assay.As[assay.Counter](r); ok {
		chain = &countLink{link{chain}, guard, x}
	}
	if x, ok := assay.As[assay.ChunkLister](r); ok {
		chain = &listLink{link{chain}, guard, x}
	}
	if x, ok := assay.As[assay.ChunkFetcher](r); ok {
		chain = &fetchLink{link{chain}, guard, x}
	}
	if x, ok := assay.As[assay.Inspector](r); ok {
		chain = &inspectLink{link{chain}, guard, x}
	}
	return &guarded{link{chain}, guard, r}
}

// guard applies one policy to all powers of one retriever, so that they share its limits.
type guard struct {
	policy Policy
	gate   *call.Gate
}

// do makes one call under the policy and says how many tries it took.
func do[T any](ctx context.Context, g *guard, f func(context.Context) (T, error)) (v T, tries int, err error) {
	v, err = call.Retry(ctx, g.policy.Retry, func(ctx context.Context) (T, error) {
		tries++
		leave, err := g.gate.Enter(ctx)
		if err != nil {
			var zero T
			return zero, err
		}
		defer leave()
		return call.Deadline(ctx, g.policy.Timeout, f)
	})
	return v, tries, err
}

func (g *guard) search(ctx context.Context, req assay.Request, f func(context.Context, assay.Request) (assay.Response, error)) (assay.Response, error) {
	resp, tries, err := do(ctx, g, func(ctx context.Context) (assay.Response, error) {
		start := time.Now()
		resp, err := f(ctx, req)
		if t := &resp.Timings; t.Embed+t.Search+t.Fuse+t.Rerank == 0 && !Untimed(resp) {
			t.Search = time.Since(start)
		}
		return resp, err
	})
	if err != nil {
		return assay.Response{}, err
	}
	AddNote(&resp, "retried", tries-1)
	return resp, nil
}

// link is one element of the chain that assay.As walks.
type link struct{ next assay.Retriever }

func (l link) Search(ctx context.Context, req assay.Request) (assay.Response, error) {
	return l.next.Search(ctx, req)
}

// Unwrap gives the next element.
func (l link) Unwrap() assay.Retriever { return l.next }

type guarded struct {
	link
	guard *guard
	inner assay.Retriever
}

func (g *guarded) Search(ctx context.Context, req assay.Request) (assay.Response, error) {
	return g.guard.search(ctx, req, g.inner.Search)
}

type exactLink struct {
	link
	guard *guard
	power assay.ExactSearcher
}

func (l *exactLink) SearchExact(ctx context.Context, req assay.Request) (assay.Response, error) {
	return l.guard.search(ctx, req, l.power.SearchExact)
}

type countLink struct {
	link
	guard *guard
	power assay.Counter
}

func (l *countLink) Count(ctx context.Context, filter *assay.Filter) (int, error) {
	n, _, err := do(ctx, l.guard, func(ctx context.Context) (int, error) { return l.power.Count(ctx, filter) })
	return n, err
}

type fetchLink struct {
	link
	guard *guard
	power assay.ChunkFetcher
}

func (l *fetchLink) FetchChunks(ctx context.Context, ids []string, withVectors bool) ([]assay.Chunk, error) {
	chunks, _, err := do(ctx, l.guard, func(ctx context.Context) ([]assay.Chunk, error) { return l.power.FetchChunks(ctx, ids, withVectors) })
	return chunks, err
}

type inspectLink struct {
	link
	guard *guard
	power assay.Inspector
}

func (l *inspectLink) Inspect(ctx context.Context) (assay.Inspection, error) {
	i, _, err := do(ctx, l.guard, l.power.Inspect)
	return i, err
}
