package trec

import (
	"bytes"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var runSeeds = []string{
	"1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t\n2 Q0 a 1 1 t\n",
	"1\tQ0\ta\t1\t2.5\tt\n1\tQ0\tb\t2\t-1.5\tt\n",
	"q Q0 d  5 t\nq Q0 d 1 5 t\nq Q0 dd 2  4 t\n",
	"q Q0 12345678 1 5 t\nq Q0 123456789 2 4.000001 t\nq Q0 1234567 3 4 t\n",
	"q Q0 a 12345678 5 t\nq Q0 b 1 5. t\nq Q0 c 1 .5 t\nq Q0 d 1 12345678 t\n",
	"# c\n 1 Q0 a 1 1e3 t x\r\n\n1 Q0 b 2 nan t\n",
	"1 Q0 a\x01 1 2 t\n1 Q0 a\x00 1 2 t\n",
	"a-query-id-of-more-than-sixteen Q0 a 1 2 a-tag-of-more-than-sixteen\na-query-id-of-more-than-sixteen Q0 b 1 1 a-tag-of-more-than-sixteen\n",
	"1 Q0 a 1 2 t",
	"1 Q0 \xff\xc2\xa0 1 \xc2\xa02 t\n",
}

// FuzzRun holds the fast path to the parser that reads field by field, and both to not panic.
func FuzzRun(f *testing.F) {
	for _, s := range runSeeds {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, text string, lenient bool) {
		if text == "" {
			return
		}
		for _, release := range []Release{Release9, Release10} {
			d := Dialect{Release: release, Lenient: lenient}
			want, wantErr := parseBy(d, text, false)
			got, err := parseBy(d, text, true)
			if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
				t.Fatalf("error %v, want %v", err, wantErr)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

// parsed is a block copied out.
type parsed struct {
	Query  string
	Docs   []string
	Scores []uint64
	Odd    int
}

// parseBy parses text with the fast path or without it.
func parseBy(d Dialect, text string, fast bool) (out []parsed, err error) {
	data := pad([]byte(text))
	var ps runParser
	ps.init(d, data, 0)
	emit := func(b *Block) error {
		p := parsed{Query: string(b.Query), Odd: b.Contradictions}
		b.Sort()
		for _, h := range b.Hits {
			p.Docs = append(p.Docs, string(b.Doc(h)))
			p.Scores = append(p.Scores, math.Float64bits(h.Score))
		}
		out = append(out, p)
		return nil
	}
	end := len(data) - padding
	if fast {
		return out, ps.chunk(end, emit)
	}
	b := &ps.block
	b.reset(nil)
	for p := 0; p < end; {
		next, changed, err := ps.line(p)
		switch {
		case err != nil:
			return out, err
		case changed:
			if err := ps.flush(emit); err != nil {
				return out, err
			}
			start := skipBlanks(data, p)
			b.reset(data[start:fieldEnd(data, start)])
		default:
			p = next
		}
	}
	return out, ps.flush(emit)
}

// FuzzQrels holds every judgment that was read to what can be looked up.
func FuzzQrels(f *testing.F) {
	for _, s := range []string{
		"1 0 a 1\n1 0 b 0\n2 0 a -1\n", "1 0 a 1.9\n1 0 b x\n", "# c\n1 0 a 1", "1\t0\ta\t+2\r\n", "\n", "1 0 a\n", "1 0 a 1 x\n", "1 0 a 1\n1 0 a 1\n",
		"query-id\tcorpus-id\tscore\n1\ta b\t1\n", "query-id\tcorpus-id\tscore\r\n1\ta\t1\r\n", "1 0 \x00 1\n", "\ufeff1 0 a 1\n", "1 0 a 99999999999999999999\n",
	} {
		f.Add(s, true)
		f.Add(s, false)
	}
	nothing, err := os.Open(os.DevNull)
	if err != nil {
		f.Fatal(err)
	}
	defer nothing.Close()
	f.Fuzz(func(t *testing.T, text string, lenient bool) {
		for _, release := range []Release{Release9, Release10} {
			q, err := readQrels(&source{name: "fuzz", pipe: true, size: -1, kept: []byte(text), file: nothing}, Dialect{Release: release, Lenient: lenient})
			if err != nil {
				if strings.Contains(err.Error(), "\n") {
					t.Errorf("error of several lines: %q", err)
				}
				continue
			}
			for i, j := range q.Queries {
				if i > 0 && q.Queries[i-1].Query >= j.Query {
					t.Errorf("queries %q and %q are out of order", q.Queries[i-1].Query, j.Query)
				}
				for k, doc := range j.Docs {
					g, ok := q.Lookup([]byte(j.Query)).Grade([]byte(doc))
					if !ok || math.IsNaN(g) || g != j.Grades[k] && j.repeat == nil {
						t.Errorf("grade of %q is %v %v, want %v", doc, g, ok, j.Grades[k])
					}
				}
			}
		}
	})
}

// FuzzScore compares with strconv, which rounds correctly.
func FuzzScore(f *testing.F) {
	for _, s := range []string{"1", "-1.5", "19.225471", "1234567.1234567", "12345678.1", "0x1p-2", "1e400", "inf", "-Infinity", "nan", "1_000", ".5", "5.", ".", "-", "+.e1", "1e", "1e+", "0x", "0xp1", "٣"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" || strings.ContainsAny(s, " \t\n\v\f\r") {
			return
		}
		want, err := strconv.ParseFloat(s, 64)
		valid := !strings.Contains(s, "_") && (err == nil || math.IsInf(want, 0)) && (!strings.ContainsAny(s, "xX") || strings.ContainsAny(s, "pP"))
		data := pad([]byte(s + " "))
		if x, end, ok := plainDecimal(data, 0); ok && (!valid || end != len(s) || math.Float64bits(x) != math.Float64bits(want)) {
			t.Errorf("plainDecimal(%q) = %v to %d, want %v to %d", s, x, end, want, len(s))
		}
		shape := unknown.score
		if x, ok := shape.learn(data, 0); ok {
			if math.Float64bits(x) != math.Float64bits(want) || shape.width != len(s) {
				t.Errorf("learn(%q) = %v, %d bytes, want %v, %d", s, x, shape.width, want, len(s))
			}
			if x, ok := shape.parse(data, 0); !ok && shape.whole > 0 || ok && math.Float64bits(x) != math.Float64bits(want) {
				t.Errorf("parse(%q) = %v %v, want %v", s, x, ok, want)
			}
		}
		got := CFloat([]byte(s))
		if valid && math.Float64bits(got) != math.Float64bits(want) && !math.IsNaN(want) {
			t.Errorf("CFloat(%q) = %v, want %v", s, got, want)
		}
		if x, ok := strictFloat([]byte(s)); ok && x != want {
			t.Errorf("strictFloat(%q) = %v, want %v", s, x, want)
		}
		// What follows a number does not change it, unless it continues the number.
		if valid && !bytes.ContainsAny([]byte(s), "xX") && !math.IsInf(want, 0) && !math.IsNaN(want) {
			if tail := CFloat([]byte(s + ",9")); math.Float64bits(tail) != math.Float64bits(want) {
				t.Errorf("CFloat(%q) = %v, want %v", s+",9", tail, want)
			}
		}
	})
}
