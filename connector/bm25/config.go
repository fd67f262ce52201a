package bm25

import (
	"math"
	"runtime"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/bm25/analyze"
)

const op = "bm25"

// Config says how to index. Start from Default.
type Config struct {
	K1       float64 // term frequency saturation, at least 0; 0 ignores the frequency
	B        float64 // share of the length normalization, in [0, 1]
	Analyzer string  // a name from analyze.Names, or a language code

	// Text is what of a chunk is indexed; nil is the chunk's text. See TitleAndText.
	Text func(*assay.Chunk) string

	// Workers is the number of goroutines that analyze text while the index is built; 0 is GOMAXPROCS.
	// It has no influence on the index.
	Workers int
}

// Default is the configuration of Anserini's BM25 baselines, the ones published for BEIR: k1 0.9, b 0.4
// and English analysis.
func Default() Config { return Config{K1: 0.9, B: 0.4, Analyzer: "english"} }

// TitleAndText is a Config.Text that puts the title, when there is one, before the text.
func TitleAndText(c *assay.Chunk) string {
	if c.Title == "" {
		return c.Text
	}
	return c.Title + " " + c.Text
}

func (c *Config) check() (*analyze.Analyzer, error) {
	if !(c.K1 >= 0) || math.IsInf(c.K1, 0) {
		return nil, assay.Errorf(assay.KindInvalid, op, "", "k1 is %v; it must be a number of at least 0", c.K1)
	}
	if !(c.B >= 0 && c.B <= 1) {
		return nil, assay.Errorf(assay.KindInvalid, op, "", "b is %v; it must be between 0 and 1", c.B)
	}
	if c.Workers < 0 {
		return nil, assay.Errorf(assay.KindInvalid, op, "", "workers is %d; it must not be negative", c.Workers)
	}
	if c.Text == nil {
		c.Text = func(chunk *assay.Chunk) string { return chunk.Text }
	}
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	return analyze.New(c.Analyzer)
}
