// Command simulate measures what assay's statistics promise: how often intervals
// hold the truth, how often tests cry wolf, how often they find what is there. It
// writes docs/statistics.md and fails if a promise of that page does not hold.
//
//	go run ./bench/simulate                     # the full run, some minutes
//	go run ./bench/simulate -replicates 300 -out /dev/stdout
//
// The same seed and number of replicates give the same page on any machine.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"strings"
	"text/template"
	"time"
)

//go:embed statistics.md.tmpl
var page string

func main() {
	replicates := flag.Int("replicates", 4000, "simulated samples per row")
	seed := flag.Uint64("seed", 1, "seed of the random streams")
	out := flag.String("out", "docs/statistics.md", "page to write")
	only := flag.String("only", "", "print this table alone, for example PPI, and write no page")
	flag.Parse()
	if err := run(study{*replicates, *seed}, *only, *out); err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
}

// section is one table of the page.
type section struct {
	name string
	run  func(study, *claims) string
}

var sections = []section{
	{"Graded", study.gradedCoverage},
	{"Binary", study.binaryCoverage},
	{"Differences", study.differenceCoverage},
	{"Newcombe", study.newcombeCoverage},
	{"Errors", study.errorRates},
	{"Power", study.power},
	{"Clusters", study.clustered},
	{"Strata", study.stratified},
	{"PPI", study.predictionPowered},
	{"Agreement", study.agreement},
	{"Chosen", study.chosen},
	{"Latency", study.latency},
	{"Multiplicity", study.multiplicity},
}

// run simulates every section and writes the page, or prints one table; broken
// promises are an error.
func run(s study, only, out string) error {
	if s.replicates < 100 {
		return fmt.Errorf("%d replicates: want at least 100", s.replicates)
	}
	c := &claims{replicates: s.replicates}
	data := map[string]any{"Replicates": s.replicates, "Seed": s.seed, "SE": fmt.Sprintf("%.4f", c.se(0.95)), "Draws": options.Draws, "Flips": options.Flips, "Pooled": pooledQueries * pooledEach}
	for _, sec := range sections {
		if only != "" && sec.name != only {
			continue
		}
		start := time.Now()
		data[sec.name] = sec.run(s, c)
		fmt.Fprintf(os.Stderr, "%-12s %v\n", sec.name, time.Since(start).Round(time.Second))
	}
	if only != "" {
		fmt.Println(data[only])
		return broken(c)
	}
	data["Claims"] = len(c.all)
	var b strings.Builder
	t := template.Must(template.New("page").Option("missingkey=error").Parse(page))
	if err := t.Execute(&b, data); err != nil {
		return err
	}
	if err := os.WriteFile(out, []byte(b.String()), 0o644); err != nil {
		return err
	}
	return broken(c)
}

func broken(c *claims) error {
	if list := c.broken(0); len(list) > 0 {
		return fmt.Errorf("%d of %d promises broken:\n  %s", len(list), len(c.all), strings.Join(list, "\n  "))
	}
	return nil
}
