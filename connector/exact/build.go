package exact

import (
	"context"
	"iter"
	"math"
	"runtime"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/internal/chunkset"
)

// Config says how vectors are compared.
type Config struct {
	Distance string // connector.Cosine (the default), Dot, Euclid or Manhattan
	Workers  int    // goroutines of SearchBatch; 0 is GOMAXPROCS. It has no influence on answers
}

// Index holds chunks and their vectors and is immutable. It is safe for concurrent use.
type Index struct {
	cfg     Config
	set     *chunkset.Set
	dim     int
	vectors []float32 // row i belongs to the chunk with number i
	size    []float64 // by row: the norm, or for Euclid its square
	largest float64   // norm
	zero    int       // stored zero vectors, counted under cosine only
	blocks  []block
	scratch sync.Pool
}

// Build indexes the chunks of a stream by their Vector. It fails with the stream's first error, on a chunk
// without vector, of another dimension than the first or with a value that is not finite, on a missing or
// repeated id (all KindInvalid) and when there is no chunk at all (KindEmpty).
func Build(ctx context.Context, chunks iter.Seq2[assay.Chunk, error], cfg Config) (*Index, error) {
	const batch = 1024
	var all []assay.Chunk
	var vectors []float32
	err := chunkset.Batches(ctx, chunks, batch, func(_ int, group []assay.Chunk) error {
		for i := range group {
			c := &group[i]
			if len(c.Vector) == 0 {
				return assay.Errorf(assay.KindInvalid, op, c.ID, "the chunk has no vector")
			}
			if n := len(vectors) + len(c.Vector); n != (len(all)+i+1)*len(c.Vector) {
				return assay.Errorf(assay.KindInvalid, op, c.ID, "the vector has %d dimensions, the ones before it %d",
					len(c.Vector), len(vectors)/(len(all)+i))
			}
			vectors = append(vectors, c.Vector...)
			c.Vector = nil
		}
		all = append(all, group...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return FromVectors(all, vectors, cfg)
}

// FromVectors indexes chunks whose vectors lie one after the other in one slice, in the order of the
// chunks. It takes both slices over and reorders them in place.
func FromVectors(chunks []assay.Chunk, vectors []float32, cfg Config) (*Index, error) {
	var err error
	if cfg.Distance, err = checkDistance(cfg.Distance); err != nil {
		return nil, err
	}
	if cfg.Workers < 0 {
		return nil, assay.Errorf(assay.KindInvalid, op, "", "workers is %d; it must not be negative", cfg.Workers)
	}
	if cfg.Workers == 0 {
		cfg.Workers = runtime.GOMAXPROCS(0)
	}
	set, from, err := chunkset.New(op, chunks)
	if err != nil {
		return nil, err
	}
	n := set.Len()
	if len(vectors) == 0 || len(vectors)%n != 0 {
		return nil, assay.Errorf(assay.KindInvalid, op, "", "%d values are not whole vectors for %d chunks", len(vectors), n)
	}
	x := &Index{cfg: cfg, set: set, dim: len(vectors) / n, vectors: vectors}
	x.scratch.New = func() any { return x.newScratch() }
	reorder(vectors, x.dim, from)
	if err := x.measure(); err != nil {
		return nil, err
	}
	x.cutBlocks()
	return x, nil
}

// reorder moves row from[i] to place i for all i, along the cycles of the permutation.
func reorder(vectors []float32, dim int, from []int) {
	row := func(i int) []float32 { return vectors[i*dim : (i+1)*dim] }
	done := make([]bool, len(from))
	held := make([]float32, dim)
	for start := range from {
		if done[start] || from[start] == start {
			continue
		}
		copy(held, row(start))
		i := start
		for ; from[i] != start; i = from[i] {
			copy(row(i), row(from[i]))
			done[i] = true
		}
		copy(row(i), held)
		done[i] = true
	}
}

// measure computes the sizes of the vectors and checks their values.
func (x *Index) measure() error {
	x.size = make([]float64, x.set.Len())
	for i := range x.size {
		v := x.row(i)
		if j := notFinite(v); j >= 0 {
			return assay.Errorf(assay.KindInvalid, op, x.set.Chunk(i).ID, "value %d of the vector is %v", j+1, v[j])
		}
		square := dot64(v, v)
		norm := math.Sqrt(square)
		x.size[i] = norm
		if x.cfg.Distance == connector.Euclid {
			x.size[i] = square
		}
		x.largest = max(x.largest, norm)
		if norm == 0 && x.cfg.Distance == connector.Cosine {
			x.zero++
		}
	}
	return nil
}

func (x *Index) row(i int) []float32 { return x.vectors[i*x.dim : (i+1)*x.dim : (i+1)*x.dim] }

// notFinite is the index of the first value that is NaN or infinite, or -1.
func notFinite(v []float32) int {
	for i, f := range v {
		if f-f != 0 {
			return i
		}
	}
	return -1
}
