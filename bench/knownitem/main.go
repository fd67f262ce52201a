// Command knownitem asks whether simulated queries rank systems as real ones do: variants of BM25 on SciFact, by
// real claims and by known-item sets, with the agreement that two sets of real claims have beside it.
//
//	ASSAY_SHARED=../shared go run ./bench/knownitem
//
// The table goes to docs/evidence.md as it is, whatever it says.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-eval/assay/generate"
	"github.com/assay-eval/assay/internal/scifact"
)

// size is the number of queries of every set: that of the test split.
const size = 300

func main() {
	log.SetFlags(0)
	log.SetPrefix("knownitem: ")
	seeds := flag.Int("seeds", 20, "known-item sets of each kind, and real sets")
	flag.Parse()
	if err := run(filepath.Join(os.Getenv("ASSAY_SHARED"), "data", "scifact"), *seeds); err != nil {
		log.Fatal(err)
	}
}

func run(dir string, seeds int) error {
	c, err := scifact.Load(dir)
	if err != nil {
		return err
	}
	terms, err := generate.CountTerms(each(c.Chunks))
	if err != nil {
		return err
	}
	all, err := systems(context.Background(), c.Chunks)
	if err != nil {
		return err
	}
	real, err := means(all, claims(c.Queries, c.Qrels))
	if err != nil {
		return err
	}
	fmt.Printf("%d systems; by the %d real queries, nDCG@10 from %.4f (%s) to %.4f (%s).\n\n", len(all), size,
		slices.Min(real), all[worst(real)].name, slices.Max(real), all[best(real)].name)
	fmt.Println("| queries | tau, all systems | tau, one analyzer | tau, real top 10 | stemming wins | real nDCG@10 lost by its choice |")
	fmt.Println("| --- | --- | --- | --- | --- | --- |")
	train, qrels, err := scifact.Split(dir, "train")
	if err != nil {
		return err
	}
	others := report{name: "300 other real claims"}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 3))
		drawn := slices.Clone(train)
		rng.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
		if err := others.add(all, real, claims(drawn[:size], qrels)); err != nil {
			return err
		}
	}
	others.print()
	for _, model := range generate.TermModels {
		for _, lambda := range []float64{0, 0.2} {
			r := report{name: fmt.Sprintf("known-item, %s, λ %g", model, lambda)}
			for seed := range seeds {
				set, err := simulated(c.Chunks, &generate.KnownItem{Terms: terms, Model: model, Lambda: lambda, Seed: uint64(seed)})
				if err != nil {
					return err
				}
				if err := r.add(all, real, set); err != nil {
					return err
				}
			}
			r.print()
		}
	}
	return nil
}
