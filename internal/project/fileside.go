package project

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/measure"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/trec"
)

// fileSide scores the rankings in a file with the project's labels: a TREC run, or JSON lines as a script writes them. Hits
// of a TREC run are known by their ids only.
func (p *Project) fileSide(ctx context.Context, file string, measures []measure.Measure) (*compare.Side, error) {
	set, err := p.Testset()
	if err != nil {
		return nil, err
	}
	opts, err := p.scoreOptions(ctx, 0)
	if err != nil {
		return nil, err
	}
	s := &compare.Side{SideInfo: compare.SideInfo{Ref: file, Kind: compare.KindTREC, System: fileName(file), Finished: true}}
	var results []assay.Result
	var texts score.Passages
	if plain, err := isPlain(file); err != nil {
		return nil, err
	} else if plain {
		s.Kind = compare.KindPlain
		results, texts, err = readPlain(file, set)
		if err != nil {
			return nil, err
		}
	} else if results, err = readTREC(ctx, file, depth(measures)); err != nil {
		return nil, err
	}
	scored, err := score.Score(set, stream(results), texts, measures, opts)
	if err != nil {
		return nil, err
	}
	fill(s, scored)
	s.Explain = func(queries []string) (map[string]compare.Ranking, error) {
		return explain(set, stream(results), texts, opts, queries)
	}
	return s, nil
}

func stream(results []assay.Result) iter.Seq2[assay.Result, error] {
	return func(yield func(assay.Result, error) bool) {
		for _, r := range results {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// isPlain reports whether a file is JSON, by its first byte that is no blank.
func isPlain(file string) (bool, error) {
	f, err := os.Open(file)
	if err != nil {
		return false, assay.Classify(err, assay.ErrUsage)
	}
	defer f.Close()
	head, err := bufio.NewReader(f).Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, assay.Classify(err, assay.ErrUsage)
	}
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	return bytes.HasPrefix(head, []byte("{")) || bytes.HasPrefix(head, []byte("[")), nil
}

// fileName is a file without folder and ending, the name that its system goes by.
func fileName(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), ".gz")
	if cut := strings.TrimSuffix(name, filepath.Ext(name)); cut != "" {
		return cut
	}
	return name
}

// depth is how many hits of a ranking are kept for scoring: all of them, unless every measure stops earlier.
func depth(measures []measure.Measure) int {
	most := shownHits
	for _, m := range measures {
		name := m.Name()
		k, err := strconv.Atoi(name[strings.LastIndexByte(name, '@')+1:])
		if c := m.Definition().Cutoff; err != nil || c != measure.RankCutoff && c != measure.OptionalRank {
			return 0
		}
		most = max(most, k)
	}
	return most
}

// readTREC reads the rankings of a run file in trec_eval's order, the first of them by id first.
func readTREC(ctx context.Context, file string, depth int) ([]assay.Result, error) {
	var out []assay.Result
	err := eachBlock(ctx, file, func(b *trec.Block) error {
		b.Sort()
		r := assay.Result{Query: string(b.Query)}
		for _, h := range b.Hits {
			if depth > 0 && len(r.Hits) == depth {
				break
			}
			r.Hits = append(r.Hits, assay.RankedHit{ID: string(b.Doc(h)), Score: h.Score})
		}
		out = append(out, r)
		return nil
	}, func() { out = out[:0] })
	slices.SortFunc(out, func(a, b assay.Result) int { return strings.Compare(a.Query, b.Query) })
	return out, err
}

// eachBlock hands over each query's part of a run file, once: where the lines of one are scattered, reset is called and
// it starts anew.
func eachBlock(ctx context.Context, file string, fn func(*trec.Block) error, reset func()) error {
	run, err := trec.OpenRun(file, trec.Dialect{})
	if err != nil {
		return err
	}
	defer run.Close()
	each := func(_ int, b *trec.Block) error { return fn(b) }
	err = run.Each(ctx, 1, each)
	if errors.Is(err, trec.ErrScattered) {
		reset()
		err = run.EachGathered(ctx, 1, each)
	}
	return err
}
