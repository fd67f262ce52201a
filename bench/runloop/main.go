// Command runloop measures what the run loop costs beside the system it measures.
//
//	go run ./bench/runloop overhead   the loop against a bare HTTP client, at 1, 4 and 16 workers
//	go run ./bench/runloop memory     peak memory of the loop and of `assay run`, from 1,000 to 100,000 queries
//	go run ./bench/runloop start      start of `assay version`, and the size of the binary
//	go run ./bench/runloop sample     `assay generate` drawing from 300,000 chunks
//
// The backend is a process of its own that answers every search 5 ms after it came, with ten hits.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("runloop: ")
	turns := flag.Int("turns", 41, "turns of each program; medians are printed")
	delay := flag.Duration("delay", 5*time.Millisecond, "time the backend takes for an answer")
	workers := flag.Int("workers", 16, "workers, where only one number is measured")
	queries := flag.Int("queries", 0, "queries, where only one number is measured; 0 measures several")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: runloop [flags] overhead|memory|start|sample")
		flag.PrintDefaults()
	}
	flag.Parse()
	var err error
	switch what := flag.Arg(0); what {
	case "overhead":
		err = overhead(*turns, *delay)
	case "memory":
		err = memory(*delay, *workers)
	case "start":
		err = start(*turns)
	case "sample":
		err = sample()
	case "serve": // started by the others
		err = serve(*delay)
	case "loop": // likewise
		err = loop(flag.Arg(1), *workers, *queries)
	default:
		flag.Usage()
		os.Exit(2)
	}
	if err != nil {
		log.Fatal(err)
	}
}
