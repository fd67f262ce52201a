package trec

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/assay-eval/assay"
)

// write makes a file and returns its name.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// line is a parsed line of a run.
type line struct {
	Doc   string
	Score float64
}

// collected is a run as a test sees it.
type collected struct {
	Queries map[string][]line
	Tag     string
	Odd     int // contradictions
}

// collect reads a run, in chunks of the given size, sorted.
func collect(path string, d Dialect, chunk, workers int) (collected, error) {
	r, err := OpenRun(path, d)
	if err != nil {
		return collected{}, err
	}
	defer r.Close()
	r.chunk = chunk
	var mu sync.Mutex
	c := collected{Queries: map[string][]line{}}
	add := func(_ int, b *Block) error {
		mu.Lock()
		defer mu.Unlock()
		if _, ok := c.Queries[string(b.Query)]; ok {
			return fmt.Errorf("query %s delivered twice", b.Query)
		}
		b.Sort()
		c.Odd += b.Contradictions
		for _, h := range b.Hits {
			c.Queries[string(b.Query)] = append(c.Queries[string(b.Query)], line{string(b.Doc(h)), h.Score})
		}
		return nil
	}
	err = r.Each(context.Background(), workers, add)
	if errors.Is(err, ErrScattered) {
		c = collected{Queries: map[string][]line{}}
		err = r.EachGathered(context.Background(), workers, add)
	}
	c.Tag = r.Tag()
	return c, err
}

func TestRunFormat(t *testing.T) {
	// Expectations are what trec_eval 9.0.8 was seen to do (conformance data, edge_cases).
	for _, c := range []struct {
		name, text string
		want       map[string][]line
	}{
		{"plain", "1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t\n2 Q0 a 1 1 t\n", map[string][]line{"1": {{"a", 2.5}, {"b", 1.5}}, "2": {{"a", 1}}}},
		{"tabs and runs of blanks", "1\tQ0\ta\t1\t2.5\tt\n 1  Q0\v b \f 2 1.5 t \n", map[string][]line{"1": {{"a", 2.5}, {"b", 1.5}}}},
		{"CRLF", "1 Q0 a 1 2 t\r\n1 Q0 b 2 1 t\r\n", map[string][]line{"1": {{"a", 2}, {"b", 1}}}},
		{"no last line feed", "1 Q0 a 1 2 t\n1 Q0 b 2 1 t", map[string][]line{"1": {{"a", 2}, {"b", 1}}}},
		{"blank lines", "\n1 Q0 a 1 2 t\n  \t\n1 Q0 b 2 1 t\n\n", map[string][]line{"1": {{"a", 2}, {"b", 1}}}},
		{"text behind the tag", "1 Q0 a 1 2 t junk more\n1 Q0 b 2 1 t\n", map[string][]line{"1": {{"a", 2}, {"b", 1}}}},
		{"rank that is none", "1 Q0 a xx 2 t\n1 Q0 b -1 1 t\n", map[string][]line{"1": {{"a", 2}, {"b", 1}}}},
		{"ties by id, last first", "1 Q0 9 1 2 t\n1 Q0 100 2 2 t\n1 Q0 Z 3 2 t\n1 Q0 a 4 2 t\n", map[string][]line{"1": {{"a", 2}, {"Z", 2}, {"9", 2}, {"100", 2}}}},
		{"float32 ties", "1 Q0 a 1 0.123456789 t\n1 Q0 b 2 0.123456788 t\n", map[string][]line{"1": {{"b", float64(float32(0.123456789))}, {"a", float64(float32(0.123456789))}}}},
		{"scattered", "1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n1 Q0 b 2 3 t\n2 Q0 b 2 1 t\n", map[string][]line{"1": {{"b", 3}, {"a", 2}}, "2": {{"a", 2}, {"b", 1}}}},
		{"forms of numbers", "1 Q0 a 1 +1e3 t\n1 Q0 b 1 -inf t\n1 Q0 c 1 .5 t\n1 Q0 d 1 5. t\n1 Q0 e 1 -0.25 t\n1 Q0 f 1 Infinity t\n",
			map[string][]line{"1": {{"f", math.Inf(1)}, {"a", 1000}, {"d", 5}, {"c", 0.5}, {"e", -0.25}, {"b", math.Inf(-1)}}}},
		{"long ids", "a-query-id-of-more-than-sixteen Q0 a-document-id-of-forty-bytes-or-more-000001 1 2 a-tag-of-more-than-16-bytes\n" +
			"a-query-id-of-more-than-sixteen Q0 a-document-id-of-forty-bytes-or-more-000002 2 1 a-tag-of-more-than-16-bytes\n",
			map[string][]line{"a-query-id-of-more-than-sixteen": {{"a-document-id-of-forty-bytes-or-more-000001", 2}, {"a-document-id-of-forty-bytes-or-more-000002", 1}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, chunk := range []int{1, 7, 30, chunkSize} {
				got, err := collect(write(t, "run", c.text), Dialect{}, chunk, 2)
				if err != nil {
					t.Fatalf("chunk %d: %v", chunk, err)
				}
				if diff := cmp.Diff(c.want, got.Queries); diff != "" {
					t.Errorf("chunk %d:\n%s", chunk, diff)
				}
			}
		})
	}
}

// TestC1IDsMayHoldAnythingButBlanks: only ASCII blanks separate fields.
func TestC1IDsMayHoldAnythingButBlanks(t *testing.T) {
	ids := []string{`a,b`, `"a"`, `it's`, `#1`, "a\u00a0b", "a\u0085b", "a\u3000b", "\xff\xfe", "a\x01b"}
	var qrels, run strings.Builder
	for i, id := range ids {
		fmt.Fprintf(&qrels, "%s 0 d%s %d\n", id, id, i)
		fmt.Fprintf(&run, "%s Q0 d%s 1 %d t\n", id, id, i)
	}
	q, err := ReadQrels(write(t, "qrels", qrels.String()), Dialect{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := collect(write(t, "run", run.String()), Dialect{}, chunkSize, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range ids {
		if want := []line{{"d" + id, float64(i)}}; !slices.Equal(got.Queries[id], want) {
			t.Errorf("run query %q: %v, want %v", id, got.Queries[id], want)
		}
		j := q.Lookup([]byte(id))
		if j == nil {
			t.Errorf("qrels query %q is missing", id)
		} else if g, ok := j.Grade([]byte("d" + id)); !ok || g != float64(i) {
			t.Errorf("qrels query %q: grade %v %v, want %d", id, g, ok, i)
		}
	}
}

// TestC2RankColumnHasNoSay: scores decide, contradictions are counted, equal ranks are none.
func TestC2RankColumnHasNoSay(t *testing.T) {
	for _, c := range []struct {
		name, text string
		odd        int
	}{
		{"agrees", "1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 c 3 1 t\n", 0},
		{"contradicts", "1 Q0 c 1 1 t\n1 Q0 b 2 2 t\n1 Q0 a 3 3 t\n", 2},
		{"zeros", "1 Q0 a 0 3 t\n1 Q0 b 0 2 t\n1 Q0 c 0 1 t\n", 0},
		{"equal scores", "1 Q0 a 2 1 t\n1 Q0 c 1 1 t\n", 0},
		{"no numbers", "1 Q0 b x 1 t\n1 Q0 a y 2 t\n", 0},
	} {
		got, err := collect(write(t, "run", c.text), Dialect{}, chunkSize, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got.Odd != c.odd {
			t.Errorf("%s: %d contradictions, want %d", c.name, got.Odd, c.odd)
		}
		if scores := got.Queries["1"]; !slices.IsSortedFunc(scores, func(x, y line) int { return int(y.Score - x.Score) }) {
			t.Errorf("%s: order %v", c.name, scores)
		}
	}
}

func TestReleaseTenReadsComments(t *testing.T) {
	run := "# a comment\n  # another\n1 Q0 #a 1 2 t\n"
	got, err := collect(write(t, "run", run), Dialect{Release: Release10}, chunkSize, 1)
	if err != nil || len(got.Queries["1"]) != 1 {
		t.Errorf("run: %v %v", got, err)
	}
	if _, err := collect(write(t, "run", run), Dialect{}, chunkSize, 1); err == nil || !strings.Contains(assay.Hint(err), "--compat 10") {
		t.Errorf("release 9: %v, hint %q", err, assay.Hint(err))
	}
	q, err := ReadQrels(write(t, "qrels", "# c\n1 0 #a 1\n# last\n"), Dialect{Release: Release10})
	if err != nil || len(q.Queries) != 1 {
		t.Errorf("qrels: %v", err)
	}
	if _, err := ReadQrels(write(t, "qrels", "# one\n# two\n1 0 a 1\n"), Dialect{Release: Release10}); err == nil {
		t.Error("two comment lines in a row are accepted in qrels")
	}
}

func TestCompressed(t *testing.T) {
	text := randomRun(rand.New(rand.NewPCG(1, 1)), 50)
	want, err := collect(write(t, "run", text), Dialect{}, chunkSize, 1)
	if err != nil {
		t.Fatal(err)
	}
	var gz, zs bytes.Buffer
	zw := gzip.NewWriter(&gz)
	zw.Write([]byte(text))
	zw.Close()
	enc, err := zstd.NewWriter(&zs)
	if err != nil {
		t.Fatal(err)
	}
	enc.Write([]byte(text))
	enc.Close()
	for name, packed := range map[string][]byte{"run.gz": gz.Bytes(), "run.zst": zs.Bytes()} {
		for _, chunk := range []int{1, 100, chunkSize} {
			got, err := collect(write(t, name, string(packed)), Dialect{}, chunk, 2)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s chunk %d:\n%s", name, chunk, diff)
			}
		}
		_, err := collect(write(t, name, string(packed[:len(packed)-20])), Dialect{}, chunkSize, 2)
		if !errors.Is(err, assay.ErrUsage) || !strings.Contains(err.Error(), "truncated") {
			t.Errorf("%s truncated: %v", name, err)
		}
	}
}

// TestStandardInput reads a pipe, which cannot be read twice, also when the lines are scattered.
func TestStandardInput(t *testing.T) {
	for name, text := range map[string]string{"grouped": "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 a 1 1 t\n", "scattered": "1 Q0 a 1 2 t\n2 Q0 a 1 1 t\n1 Q0 b 2 1 t\n"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			w.WriteString(text)
			w.Close()
		}()
		old := os.Stdin
		os.Stdin = r
		got, err := collect(Stdin, Dialect{}, 16, 2)
		os.Stdin = old
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := map[string][]line{"1": {{"a", 2}, {"b", 1}}, "2": {{"a", 1}}}
		if diff := cmp.Diff(want, got.Queries); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// randomRun writes a run with lines of changing shape.
func randomRun(rng *rand.Rand, queries int) string {
	var b strings.Builder
	for q := range queries {
		for d := range 1 + rng.IntN(30) {
			score := 40 - float64(d) + float64(rng.IntN(3))
			format := []string{"%.6f", "%.0f", "%g", "%.2f", "%.9f", "%e"}[rng.IntN(6)]
			fmt.Fprintf(&b, "q%d%sQ0%sd%d %d "+format+"%stag\n", q, []string{" ", "\t", "  "}[rng.IntN(3)], []string{" ", "\t"}[rng.IntN(2)],
				rng.IntN(1<<(1+rng.IntN(30))), d+1, score, []string{" ", "\t"}[rng.IntN(2)])
		}
	}
	return b.String()
}

// TestChunksDoNotMatter reads one run with every chunk size and worker count.
func TestChunksDoNotMatter(t *testing.T) {
	text := randomRun(rand.New(rand.NewPCG(3, 1)), 200)
	path := write(t, "run", text)
	want := slowly(t, text)
	for _, chunk := range []int{1, 50, 333, 4096, len(text), chunkSize} {
		for _, workers := range []int{1, 2, 5} {
			got, err := collect(path, Dialect{Lenient: true}, chunk, workers)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got.Queries); diff != "" {
				t.Fatalf("chunk %d, %d workers:\n%s", chunk, workers, diff)
			}
		}
	}
}

// slowly parses a run the plain way.
func slowly(t testing.TB, text string) map[string][]line {
	out := map[string][]line{}
	for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		f := strings.Fields(l)
		var score float64
		if _, err := fmt.Sscan(f[4], &score); err != nil {
			t.Fatal(err)
		}
		out[f[0]] = append(out[f[0]], line{f[2], float64(float32(score))})
	}
	for q := range maps.Keys(out) {
		slices.SortFunc(out[q], func(a, b line) int {
			if a.Score != b.Score {
				return int(math.Copysign(1, b.Score-a.Score))
			}
			return strings.Compare(b.Doc, a.Doc)
		})
	}
	return out
}
