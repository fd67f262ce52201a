package all

import (
	"errors"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/bm25/analyze"
	"github.com/assay-eval/assay/internal/option"
)

// The kinds that search the project's own documents. They are built by the pipeline, which has the chunks
// and the other systems; here stand their settings, so that they are checked and documented like all.

// BM25 holds the settings of kind bm25.
type BM25 struct {
	K1       float64 `option:"k1" default:"0.9" min:"0" help:"saturation of the term frequency; 0 ignores it"`
	B        float64 `option:"b" default:"0.4" min:"0" help:"share of the length normalization, 0 to 1"`
	Analyzer string  `option:"analyzer" default:"english" help:"how words are cut and folded: arabic, danish, dutch, english, finnish, french, german, hungarian, irish, italian, norwegian, portuguese, romanian, russian, spanish, swedish, tamil or turkish, or the two-letter code of one; cjk for Chinese, Japanese and Korean; standard for words as they are"`
}

// Check finds what the option tags cannot say.
func (s BM25) Check() []option.Problem {
	var out []option.Problem
	if s.B > 1 {
		out = append(out, option.Problem{Option: "b", Err: errors.New("must be at most 1")})
	}
	if _, err := analyze.New(s.Analyzer); err != nil {
		out = append(out, option.Problem{Option: "analyzer", Err: err})
	}
	return out
}

// Exact holds the settings of kind exact.
type Exact struct {
	Distance string `option:"distance" default:"cosine" enum:"cosine,dot,euclid,manhattan" help:"how vectors are compared"`
}

// Fuse holds the settings of kind fuse.
type Fuse struct {
	Of     []string `option:"of,required" help:"names of the systems that are fused"`
	Method string   `option:"method" default:"rrf" enum:"rrf" help:"reciprocal rank fusion"`
	K      int      `option:"rrf_k" default:"60" min:"0" help:"constant of RRF: a hit at rank r adds 1/(k+r)"`
	Depth  int      `option:"depth" default:"100" min:"1" help:"hits asked of each system"`
}

// Check finds what the option tags cannot say.
func (s Fuse) Check() []option.Problem {
	var out []option.Problem
	seen := map[string]bool{}
	for _, name := range s.Of {
		if seen[name] {
			out = append(out, option.Problem{Option: "of", Err: fmt.Errorf("names %q twice", name)})
		}
		seen[name] = true
	}
	if len(s.Of) < 2 {
		out = append(out, option.Problem{Option: "of", Err: errors.New("needs at least two systems")})
	}
	return out
}

func lexical() connector.Kind {
	return connector.Define[BM25](connector.Kind{
		Name: "bm25", Help: "lexical search over the project's documents: BM25 with Lucene's formula, deterministic", Verified: "published results on SciFact",
		Capabilities: assay.Capabilities{ReturnsText: true, Filters: true, Lists: true, Fetches: true, Counts: true, Inspects: true},
	}, nil)
}

func dense() connector.Kind {
	return connector.Define[Exact](connector.Kind{
		Name: "exact", Help: "dense search over the project's documents: every vector is compared", Verified: "brute force and published results on SciFact",
		Capabilities: assay.Capabilities{NeedsVector: true, ReturnsText: true, Filters: true, Lists: true, Fetches: true, Counts: true, Exact: true, Inspects: true},
	}, nil)
}

func fused() connector.Kind {
	return connector.Define[Fuse](connector.Kind{
		Name: "fuse", Help: "several systems of this project as one, their ranks fused", Verified: "recomputed fusions",
		Capabilities: assay.Capabilities{ReturnsText: true, Filters: true},
	}, nil)
}
