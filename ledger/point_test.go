package ledger_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/ledger"
)

// history writes lines as they are.
func history(t testing.TB, text string) *ledger.History {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ledger.HistoryFile), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return ledger.OpenHistory(dir)
}

var asked = []string{"recall@10", "n_queries"}

// points reads the points of a history, and what was said of its other lines.
func points(h *ledger.History) (out []ledger.Point, bad []string) {
	for p, err := range h.Points(asked, nil) {
		if err != nil {
			bad = append(bad, err.Error())
			continue
		}
		c := *p
		c.Values, c.Bounds = append([]float64{}, p.Values...), append([][2]float64{}, p.Bounds...)
		out = append(out, c)
	}
	return out, bad
}

// pointOf is the point of a record that was decoded in full.
func pointOf(r *ledger.Record) ledger.Point {
	p := ledger.Point{Timestamp: r.Timestamp, Run: r.Run, Name: r.Name, System: r.Label(), Rescored: r.Rescored}
	for _, m := range asked {
		v, b := math.NaN(), [2]float64{math.NaN(), math.NaN()}
		if x, ok := r.Metrics[m]; ok {
			v = x
		}
		if x, ok := r.Intervals[m]; ok {
			b = x
		}
		p.Values, p.Bounds = append(p.Values, v), append(p.Bounds, b)
	}
	return p
}

var samePoint = cmp.Options{cmpopts.EquateNaNs(), cmpopts.IgnoreUnexported(ledger.Point{}), cmpopts.IgnoreFields(ledger.Point{}, "Fingerprint"), cmp.Comparer(func(a, b ledger.Time) bool { return a.Equal(b.Time) })}

// odd are lines of all sorts; those of a plain script among them.
const odd = `{"timestamp":"2026-08-18T17:00:00Z","config":{"collection":"docs"},"metrics":{"recall@10":0.3,"n_queries":20}}
{"timestamp":"2026-08-19T00:30:00+08:00","config":{"embed_model":"x \"y\" \u00e9"},"metrics":{"recall@10":null,"note":"n/a"}}
{"foo":1}
{ "metrics" : { "recall@10" : 1e-1 } , "timestamp" : 1787076000.5 , "config" : null }
{"timestamp":"soon","metrics":{}}
{"timestamp":"2026-08-18T16:45:00","config":{"system":7},"metrics":{"recall@10":0.2},"run":"r1","name":"n\tame","system":"s","intervals":{"recall@10":[0.1,0.3],"map":[0,1]},"rescored":true,"fingerprint":{"a":"1"}}
{"Timestamp":"2026-08-18T16:46:00","metrics":{"recall@10":0.25}}
{"timestamp":"2026-08-18T16:47:00","metrics":null}
[1]
{"timestamp":"2026-08-18T16:48:00","metrics":{"recall@10":0.5},"fingerprint":{"a":"1"}}
{"timest`

// TestPointsAreTheRecords: the fast reader says what the full one says, in the same order, and names the same bad lines.
func TestPointsAreTheRecords(t *testing.T) {
	h := history(t, odd)
	records, badRecords := h.Sorted(nil)
	var want []ledger.Point
	for i := range records {
		want = append(want, pointOf(&records[i]))
	}
	got, bad := points(h)
	if diff := cmp.Diff(want, got, samePoint); diff != "" {
		t.Error(diff)
	}
	if len(bad) != len(badRecords) || len(bad) != 4 || !strings.Contains(bad[0], ledger.HistoryFile+":3") {
		t.Errorf("%q, want %q", bad, badRecords)
	}
	if got[1].Fingerprint == 0 || got[1].Fingerprint != got[3].Fingerprint || got[2].Fingerprint != 0 {
		t.Errorf("fingerprints %v", got)
	}
	index, err := h.Index(func(p *ledger.Point) bool { return p.System == got[1].System })
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for p, err := range index.Points(asked) {
		if r, bad := index.Record(at); err != nil || bad != nil || r.Run != p.Run || r.Name != p.Name || r.Label() != got[1].System || !r.Timestamp.Equal(p.Timestamp.Time) {
			t.Errorf("record %d is %+v, its point %+v (%v, %v)", at, r, p, bad, err)
		}
		at++
	}
	if at == 0 || at != index.Len() || at == len(got) {
		t.Errorf("%d of %d records are of the system", at, len(got))
	}
	tail := index.Newest(1)
	r, ok := tail.Latest(func(err error) { t.Error(err) })
	if last, err := index.Record(index.Len() - 1); !ok || tail.Len() != 1 || err != nil || r.Run != last.Run {
		t.Errorf("the newest is %+v, want %+v", r, last)
	}
}

func FuzzPoints(f *testing.F) {
	for line := range strings.Lines(odd) {
		f.Add(strings.TrimRight(line, "\n"))
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "\n\r") || strings.Contains(line, "\ufffd") || strings.ToValidUTF8(line, "") != line {
			return
		}
		h := history(t, line+"\n")
		records, bad := h.Sorted(nil)
		if len(bad) > 0 || len(records) != 1 {
			return
		}
		got, said := points(h)
		if len(got) != 1 || len(said) > 0 {
			t.Fatalf("%q: %v %q", line, got, said)
		}
		// Of a member that is given twice either may count.
		if diff := cmp.Diff(pointOf(&records[0]), got[0], samePoint); diff != "" && strings.Count(line, `"metrics"`)+strings.Count(line, `"timestamp"`) == 2 && !twice(line) {
			t.Errorf("%q:\n%s", line, diff)
		}
	})
}

// twice reports that some key may be repeated.
func twice(line string) bool {
	for _, k := range append([]string{"run", "name", "system", "config", "collection", "embed_model", "intervals", "rescored"}, asked...) {
		if strings.Count(strings.ToLower(line), `"`+k) > 1 {
			return true
		}
	}
	return false
}

// TestKilledAtEveryByte cuts an append of a real record at every offset: the ledger opens with every earlier line, and the next append
// is whole.
func TestKilledAtEveryByte(t *testing.T) {
	plain := `{"timestamp":"2026-01-01T00:00:00Z","config":{},"metrics":{"recall@10":0.1}}` + "\n"
	full, err := json.Marshal(ledger.Record{Timestamp: ledger.Time{Time: time.Unix(1.8e9, 0).UTC()}, Config: map[string]any{"note": "<é\u2028\"\\>"}, Metrics: map[string]float64{"recall@10": 0.2}, Run: "r2",
		Fingerprint: ledger.Fingerprint{"k": "v"}, Warnings: []assay.Warning{{Code: "c", Text: "t"}}})
	if err != nil {
		t.Fatal(err)
	}
	torn := append(full, '\n')
	for cut := range len(torn) + 1 {
		h := history(t, plain+plain+string(torn[:cut]))
		before, bad := points(h)
		if len(bad) > 0 {
			t.Fatalf("cut at %d: %v", cut, bad)
		}
		if err := h.Append(ledger.Record{Timestamp: ledger.Time{Time: time.Unix(1.9e9, 0)}, Metrics: map[string]float64{"recall@10": 0.3}}); err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		want := []float64{0.1, 0.1, 0.3}
		if cut >= len(full) {
			want = []float64{0.1, 0.1, 0.2, 0.3}
		}
		if len(before) != len(want)-1 {
			t.Errorf("cut at %d: %d records before the repair", cut, len(before))
		}
		after, bad := points(h)
		var got []float64
		for _, p := range after {
			got = append(got, p.Values[0])
		}
		if !cmp.Equal(want, got) || len(bad) > 0 {
			t.Fatalf("cut at %d: %v, %v", cut, got, bad)
		}
	}
}

// BenchmarkHistory reads a history of 100,000 lines of two kilobytes, which is 200 MB, and 10,000 for comparison: what it
// allocates does not grow with the length of the lines.
func BenchmarkHistory(b *testing.B) {
	var fp strings.Builder
	for i := range 20 {
		fmt.Fprintf(&fp, `"system.retriever.params.key_%d":"sha256:c1a3e0fa4eb953dfec480f4b993b23410f58ecbb0a4d238a922cb2a5e41c1a57",`, i)
	}
	for _, n := range []int{10_000, 100_000} {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, `{"timestamp":"2026-%02d-%02dT%02d:%02d:00Z","config":{"system":"docs","k":10},"metrics":{"mrr@10":0.6381216931216932,"n_queries":60,"ndcg@10":0.651896385656584,"recall@10":0.%d},"run":"20261202-%06d","system":"docs","intervals":{"recall@10":[0.625,0.8416666666666667]},"fingerprint":{%s"z":"1"}}`+"\n",
				1+i/10000, 1+i/400%25, i/60%24, i%60, i%10000, i, fp.String())
		}
		h := history(b, text.String())
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			b.ReportAllocs()
			for b.Loop() {
				lines := 0
				for p, err := range h.Points([]string{"recall@10", "ndcg@10", "n_queries"}, nil) {
					if err != nil {
						b.Fatal(err)
					}
					lines += len(p.Values) / 3
				}
				if lines != n {
					b.Fatal(lines)
				}
			}
		})
	}
}
