package doctor

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// MaxListed bounds how many chunks of an index are read.
const MaxListed = 20_000

// listing is the chunks of an index or corpus, without vectors, in its own order.
type listing struct {
	chunks []assay.Chunk
	whole  bool // false when the index has more than MaxListed
}

// share names n of the chunks that were read.
func (l *listing) of(n int) string {
	of := fmt.Sprintf("%d of %d chunks", n, len(l.chunks))
	if !l.whole {
		of += " read"
	}
	return of
}

// list reads the chunks of a system: those of its store, or of the corpus it is built over.
func (x *exam) list(ctx context.Context, s *System) (*listing, error) {
	if s.Embedded {
		return x.listCorpus(ctx)
	}
	return x.listings.get(s, func() (*listing, error) {
		l, ok := assay.As[assay.ChunkLister](s.Store)
		if !ok {
			return nil, fmt.Errorf("a retriever of kind %s cannot list its chunks", s.Kind)
		}
		return read(ctx, l)
	})
}

func (x *exam) listCorpus(ctx context.Context) (*listing, error) {
	c := x.setup.Corpus
	return x.listings.get(c, func() (*listing, error) { return read(ctx, c.Chunks) })
}

func read(ctx context.Context, l assay.ChunkLister) (*listing, error) {
	out := &listing{whole: true}
	for c, err := range l.ListChunks(ctx, assay.ListOptions{}) {
		if err != nil {
			return nil, err
		}
		if len(out.chunks) == MaxListed {
			out.whole = false
			break
		}
		out.chunks = append(out.chunks, c)
	}
	if len(out.chunks) == 0 {
		return nil, errors.New("it holds no chunk")
	}
	return out, nil
}

// sample draws chunks that have a text, in random order. Equal listings and seeds give equal samples, and a
// larger sample begins with the smaller.
func (l *listing) sample(n int, seed uint64) []assay.Chunk {
	var out []assay.Chunk
	for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(len(l.chunks)) {
		if len(out) == n {
			break
		}
		if strings.TrimSpace(l.chunks[i].Text) != "" {
			out = append(out, l.chunks[i])
		}
	}
	return slices.Clip(out)
}
