//go:build unix

// Command exact measures assay's exact search for bench/peers/exact.sh: one JSON object of numbers on standard output.
package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/bench/peers/cputime"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/exact"
)

const (
	queries = 256
	k       = 100
)

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path, count, dimension string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	dim, err := strconv.Atoi(dimension)
	if err != nil {
		return err
	}
	x, reqs, err := load(path, n, dim)
	if err != nil {
		return err
	}
	one, oneCPU, err := single(x, reqs)
	if err != nil {
		return err
	}
	all, allCPU, first, err := batch(x, reqs)
	if err != nil {
		return err
	}
	millis := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	return json.NewEncoder(os.Stdout).Encode(map[string]float64{
		"one query, ms":                              millis(one[len(one)/2]),
		"one query, fastest, ms":                     millis(one[0]),
		"one query, ms of processor time":            millis(oneCPU[len(oneCPU)/2]),
		"256 queries, queries / s":                   queries / all.Seconds(),
		"256 queries, queries / s of processor time": queries / allCPU.Seconds(),
		"first hits, sum of indexes":                 float64(first),
	})
}

// load reads n vectors and the queries after them.
func load(path string, n, dim int) (*exact.Index, []assay.Request, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	if len(data) != 4*(n+queries)*dim {
		return nil, nil, fmt.Errorf("%s has %d bytes, want %d", path, len(data), 4*(n+queries)*dim)
	}
	values := make([]float32, (n+queries)*dim)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	chunks := make([]assay.Chunk, n)
	for i := range chunks {
		chunks[i].ID = fmt.Sprintf("%09d", i)
	}
	x, err := exact.FromVectors(chunks, values[:n*dim:n*dim], exact.Config{Distance: connector.Dot})
	reqs := make([]assay.Request, queries)
	for i := range reqs {
		reqs[i] = assay.Request{Vector: values[(n+i)*dim : (n+i+1)*dim], K: k}
	}
	runtime.GC()
	return x, reqs, err
}

// single times 40 queries, one at a time, sorted.
func single(x *exact.Index, reqs []assay.Request) (wall, cpu []time.Duration, err error) {
	for i := range 41 {
		start, used := time.Now(), cputime.Process()
		if _, err := x.Search(context.Background(), reqs[i]); err != nil {
			return nil, nil, err
		}
		if i > 0 { // the first one warms up
			cpu = append(cpu, cputime.Process()-used)
			wall = append(wall, time.Since(start))
		}
	}
	slices.Sort(wall)
	slices.Sort(cpu)
	return wall, cpu, nil
}

// batch takes the best of five batches, and the sum of the numbers of the first hits to compare.
func batch(x *exact.Index, reqs []assay.Request) (wall, cpu time.Duration, first int, err error) {
	wall, cpu = time.Hour, time.Hour
	for range 5 {
		start, used := time.Now(), cputime.Process()
		res, err := x.SearchBatch(context.Background(), reqs)
		if err != nil {
			return 0, 0, 0, err
		}
		cpu = min(cpu, cputime.Process()-used)
		wall = min(wall, time.Since(start))
		first = 0
		for _, r := range res {
			i, err := strconv.Atoi(r.Hits[0].ID)
			if err != nil {
				return 0, 0, 0, err
			}
			first += i
		}
	}
	return wall, cpu, first, nil
}
