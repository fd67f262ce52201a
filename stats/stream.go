package stats

import (
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
)

// purpose keeps the random streams of different uses apart.
type purpose uint64

const (
	forBootstrap purpose = 0x626f6f74
	forFlips     purpose = 0x666c6970
	forDirichlet purpose = 0x64697269
)

// stream returns the generator of one block of draws. Blocks have a fixed size,
// so which processor works on which block cannot change a number.
func stream(seed uint64, p purpose, block int) *rand.PCG {
	return rand.NewPCG(splitmix(seed^splitmix(uint64(p))), splitmix(uint64(p)<<32+uint64(block)))
}

// splitmix is the finalizer of SplitMix64 (Steele, Lea, Flood 2014). Neighbouring
// seeds and blocks would otherwise start PCG in neighbouring states.
func splitmix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// eachBlock calls work for every block from 0 to n−1, on as many goroutines as
// there are processors. newWork is called once per goroutine, for its buffers.
func eachBlock(n int, newWork func() func(block int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers <= 1 {
		work := newWork()
		for b := range n {
			work(b)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			work := newWork()
			for {
				b := int(next.Add(1)) - 1
				if b >= n {
					return
				}
				work(b)
			}
		})
	}
	wg.Wait()
}

// fillIndices fills dst with uniform indices below n (0 < n < 2^32), exactly
// uniform by Lemire's multiply-and-reject (ACM TOMACS 2019). Each 64-bit word
// serves two indices.
func fillIndices(src *rand.PCG, dst []uint32, n uint32) {
	reject := -n % n // 2^32 mod n
	i := 0
	for ; i+1 < len(dst); i += 2 {
		w := src.Uint64()
		hi, lo := bits.Mul32(uint32(w), n)
		hi2, lo2 := bits.Mul32(uint32(w>>32), n)
		if lo < reject {
			hi = oneIndex(src, n, reject)
		}
		if lo2 < reject {
			hi2 = oneIndex(src, n, reject)
		}
		dst[i], dst[i+1] = hi, hi2
	}
	if i < len(dst) {
		dst[i] = oneIndex(src, n, reject)
	}
}

func oneIndex(src *rand.PCG, n, reject uint32) uint32 {
	for {
		if hi, lo := bits.Mul32(uint32(src.Uint64()), n); lo >= reject {
			return hi
		}
	}
}
