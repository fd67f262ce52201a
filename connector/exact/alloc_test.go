//go:build !race

package exact_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/exact"
)

// TestAllocations: a search allocates the list it returns and nothing else. (The race detector makes pools
// forget on purpose.)
func TestAllocations(t *testing.T) {
	const n, dim = 3000, 48
	x, err := exact.FromVectors(numbered(n), gaussian(newRand(), n, dim), exact.Config{})
	if err != nil {
		t.Fatal(err)
	}
	req := assay.Request{Vector: gaussian(newRand(), 1, dim), K: 100}
	search(t, x, req)
	if n := testing.AllocsPerRun(50, func() { search(t, x, req) }); n > 1 {
		t.Errorf("%v allocations a search", n)
	}
}
