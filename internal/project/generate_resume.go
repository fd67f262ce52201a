package project

import (
	"bufio"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
	"github.com/assay-eval/assay/internal/jsonl"
	"github.com/assay-eval/assay/testset"
)

// readExamples reads real queries, one a line; "" is none.
func readExamples(path string) ([]string, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, assay.Usagef("generate.examples: %w", err)
	}
	defer f.Close()
	var out []string
	scan := bufio.NewScanner(f)
	for scan.Scan() {
		if line := strings.TrimSpace(strings.TrimPrefix(scan.Text(), "\ufeff")); line != "" {
			out = append(out, line)
		}
	}
	return out, scan.Err()
}

// answered are the questions of each chunk that earlier calls of the same kind have settled.
type answered map[string]map[int]bool

func (a answered) add(chunk string, nth int) {
	if a[chunk] == nil {
		a[chunk] = map[int]bool{}
	}
	a[chunk][nth] = true
}

// count is how many of the first questions of a chunk are settled.
func (a answered) count(chunk string, of int) int {
	n := 0
	for nth := range of {
		if a[chunk][nth] {
			n++
		}
	}
	return n
}

// asked finds what earlier calls of the same kind (method, model, prompt and seed) have asked of each chunk, and counts the
// queries they gave. Queries written before their place among the questions of a chunk was kept say 0, as the first one
// does: each takes the first place that nothing else has.
func asked(set *testset.Set, rejects string, like assay.Origin) (done answered, accepted int, err error) {
	done = answered{}
	var first []string
	for _, q := range set.Queries() {
		switch o := q.Origin; {
		case !generate.SameKind(o, like):
			continue
		case o.Nth == 0:
			first = append(first, o.Chunk)
		default:
			done.add(o.Chunk, o.Nth)
		}
		accepted++
	}
	for r, err := range sameRejects(rejects, like) {
		if err != nil {
			return nil, 0, err
		}
		done.add(r.Chunk, r.Nth)
	}
	for _, chunk := range first {
		nth := 0
		for done[chunk][nth] {
			nth++
		}
		done.add(chunk, nth)
	}
	return done, accepted, nil
}

// sameRejects are what earlier calls of the same kind have refused.
func sameRejects(path string, like assay.Origin) iter.Seq2[generate.Reject, error] {
	return func(yield func(generate.Reject, error) bool) {
		for r, err := range jsonl.Read[generate.Reject](path) {
			v := r.Value
			// Earlier releases kept a wrong key as a reject of the question, with the kind that is none of a reply.
			if err == nil && v.Rule == "reply" && strings.HasPrefix(v.Reason, string(assay.KindRefused)+":") {
				continue
			}
			if err == nil && (v.Prompt != like.Prompt || v.Seed != like.Seed || v.Method != like.Method || v.Model != like.Model) {
				continue
			}
			if !yield(v, err) {
				return
			}
		}
	}
}

// Rejects are all questions that were refused, oldest first.
func (p *Project) Rejects() iter.Seq2[generate.Reject, error] {
	return func(yield func(generate.Reject, error) bool) {
		for r, err := range jsonl.Read[generate.Reject](filepath.Join(p.Config.Testset, testset.RejectsFile)) {
			if !yield(r.Value, err) {
				return
			}
		}
	}
}
