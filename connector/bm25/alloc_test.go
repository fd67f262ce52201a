//go:build !race

package bm25_test

import "testing"

// TestAllocations: a search allocates the list it returns and nothing else. (The race detector
// makes pools forget on purpose.)
func TestAllocations(t *testing.T) {
	c := collection(t)
	x := build(t, c.Chunks, titleAndText())
	i := 0
	run := func() {
		search(t, x, c.Queries[i%len(c.Queries)].Text, 100)
		i++
	}
	for range c.Queries {
		run()
	}
	if n := testing.AllocsPerRun(len(c.Queries), run); n > 1 {
		t.Errorf("%v allocations a search", n)
	}
}
