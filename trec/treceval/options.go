package treceval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/trec"
)

// Options are trec_eval's options under their long meaning.
type Options struct {
	Qrels, Run string       // file names; "-" is standard input
	Measures   []string     // -m, in any spelling; none means official
	PerQuery   bool         // -q
	NoSummary  bool         // -n
	Complete   bool         // -c
	Level      int          // -l; lowest relevant grade
	Depth      int          // -M; 0 means no cut
	JudgedOnly bool         // -J
	NumDocs    int64        // -N
	Release    trec.Release // 0 means 9
	Workers    int          // 0 means one per core

	exact bool // print 17 digits, for the tests
}

// check refuses what makes no sense before any file is opened.
func (o *Options) check() error {
	switch {
	case o.Level < 0:
		return assay.Usagef("the relevance level is %d, must not be negative", o.Level)
	case o.Depth < 0:
		return assay.Usagef("the number of documents per query is %d, must be at least 1", o.Depth)
	}
	return nil
}

// level is the relevance level as measure.Topic has it.
func (o *Options) level() float64 {
	if o.Level == 0 {
		return -0.5 // grade 0 is relevant, negative grades are not
	}
	return float64(o.Level)
}
