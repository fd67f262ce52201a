// Command gentrec writes a run and qrels of the size of MS MARCO passage dev (6,980 queries by 1,000
// documents, about 270 MB) from a seed, for the scoring benchmarks. The same flags give the same bytes.
//
//	go run ./bench/gentrec -dir .bench
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

type options struct {
	queries, depth, relevant int
	seed                     uint64
	dir                      string
}

func main() {
	log.SetFlags(0)
	var o options
	flag.IntVar(&o.queries, "queries", 6980, "number of queries")
	flag.IntVar(&o.depth, "depth", 1000, "documents per query")
	flag.IntVar(&o.relevant, "relevant", 1, "most relevant documents per query; each has from 1 to that many")
	flag.Uint64Var(&o.seed, "seed", 1, "seed")
	flag.StringVar(&o.dir, "dir", ".", "folder for qrels.txt and run.txt")
	flag.Parse()
	if err := o.write(); err != nil {
		log.Fatalf("gentrec: %v", err)
	}
}

func (o *options) write() (err error) {
	if o.queries < 1 || o.depth < 1 || o.relevant < 1 {
		return errors.New("-queries, -depth and -relevant must be at least 1")
	}
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return err
	}
	qrels, err := os.Create(filepath.Join(o.dir, "qrels.txt"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, qrels.Close()) }()
	run, err := os.Create(filepath.Join(o.dir, "run.txt"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run.Close()) }()
	q, r := bufio.NewWriter(qrels), bufio.NewWriterSize(run, 1<<20)
	rng := rand.New(rand.NewPCG(o.seed, 0x6173736179))
	id := uint32(1000)
	for range o.queries {
		id += 1 + rng.Uint32N(150) // ids as in MS MARCO: up to seven digits, ascending
		o.query(q, r, rng, id)
	}
	return errors.Join(q.Flush(), r.Flush())
}

// collection is the number of documents, that of MS MARCO passages.
const collection = 8841823

// query writes one query: a descending ranking with scores like BM25's, six decimals as Anserini prints
// them, ties included, and relevant documents placed in it with a probability that falls with the rank.
func (o *options) query(qrels, run *bufio.Writer, rng *rand.Rand, id uint32) {
	docs := make([]uint32, 0, o.depth)
	seen := make(map[uint32]bool, o.depth)
	draw := func() uint32 {
		for {
			if d := rng.Uint32N(collection); !seen[d] {
				seen[d] = true
				return d
			}
		}
	}
	for range o.depth {
		docs = append(docs, draw())
	}
	judged := make(map[uint32]bool, o.relevant)
	for range 1 + rng.IntN(o.relevant) {
		doc := draw() // not retrieved
		if rank := int(rng.ExpFloat64() * 100); rank < o.depth && !judged[docs[rank]] {
			doc = docs[rank]
		}
		judged[doc] = true
		fmt.Fprintf(qrels, "%d 0 %d 1\n", id, doc)
	}
	score := 12 + 14*rng.Float64()
	line := make([]byte, 0, 64)
	for i, doc := range docs {
		line = strconv.AppendUint(line[:0], uint64(id), 10)
		line = append(line, " Q0 "...)
		line = strconv.AppendUint(line, uint64(doc), 10)
		line = append(line, ' ')
		line = strconv.AppendInt(line, int64(i+1), 10)
		line = append(line, ' ')
		line = strconv.AppendFloat(line, score, 'f', 6, 64)
		line = append(line, " Anserini\n"...)
		_, _ = run.Write(line) // bufio keeps the first error for Flush
		if rng.IntN(20) > 0 {
			score -= score * 0.004 * rng.Float64()
		}
	}
}
