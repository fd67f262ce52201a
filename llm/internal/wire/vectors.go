package wire

import (
	"fmt"
	"sync/atomic"

	"github.com/assay-eval/assay/internal/rest"
)

// Dimension holds the vectors of one client to one length: that of the first it has seen. A model that
// was exchanged under a running client is so noticed. The zero value is ready.
type Dimension struct{ n atomic.Int64 }

// Check says what is wrong with a vector: no components, another length than the others, not finite, or
// all zero, which no text is embedded as and which has no direction to search in.
func (d *Dimension) Check(v []float32) error {
	switch {
	case len(v) == 0:
		return fmt.Errorf("a vector without components")
	case !rest.Finite(v):
		return fmt.Errorf("a vector with a component that is not finite")
	case zero(v):
		return fmt.Errorf("a vector of zeros")
	}
	if !d.n.CompareAndSwap(0, int64(len(v))) && d.n.Load() != int64(len(v)) {
		return fmt.Errorf("a vector of %d dimensions where earlier ones had %d", len(v), d.n.Load())
	}
	return nil
}

func zero(v []float32) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}
