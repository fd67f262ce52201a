package connector

import (
	"context"
	"errors"
	"iter"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/call"
)

type listLink struct {
	link
	guard *guard
	power assay.ChunkLister
}

// errStopped ends a try whose consumer has had enough.
type errStopped struct{}

func (errStopped) Error() string { return "stopped" }

// ListChunks retries under the policy. Timeout does not apply: it is meant for one reply, and a listing
// is as long as the index is large. Nor do the limits: whoever walks the listing may search meanwhile,
// and would wait for a turn that its own listing holds.
func (l *listLink) ListChunks(ctx context.Context, opts assay.ListOptions) iter.Seq2[assay.Chunk, error] {
	return func(yield func(assay.Chunk, error) bool) {
		given, last := 0, ""
		_, err := call.Retry(ctx, l.guard.policy.Retry, func(ctx context.Context) (struct{}, error) {
			skip := given
			for chunk, err := range l.power.ListChunks(ctx, opts) {
				if err != nil {
					return struct{}{}, err
				}
				if skip > 0 {
					if skip--; skip == 0 && chunk.ID != last {
						return struct{}{}, assay.Errorf(assay.KindInternal, "list", chunk.ID,
							"the index changed while it was listed: chunk %d was %s before a retry", given, last)
					}
					continue
				}
				given, last = given+1, chunk.ID
				if !yield(chunk, nil) {
					return struct{}{}, errStopped{}
				}
			}
			if skip > 0 {
				return struct{}{}, assay.Errorf(assay.KindInternal, "list", last, "the index shrank while it was listed: it had %d chunks or more", given)
			}
			return struct{}{}, nil
		})
		var stopped errStopped
		if err != nil && !errors.As(err, &stopped) {
			yield(assay.Chunk{}, err)
		}
	}
}
