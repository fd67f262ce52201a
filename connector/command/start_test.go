package command

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/fuse"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/pipeline"
)

// The start of a process, with whatever it loads, is no latency: the first answer of each has none, on every layer above.
func TestStartIsNoLatency(t *testing.T) {
	wrap := func() assay.Retriever { return connector.Wrap(program(t, "search"), connector.Policy{}) }
	fused, err := fuse.New([]fuse.Leg{{Name: "a", Retriever: wrap()}, {Name: "b", Retriever: program(t, "search")}}, fuse.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]assay.Retriever{"alone": program(t, "search"), "policy": wrap(), "fused": fused,
		"system": &pipeline.System{Name: "s", K: 1, Retriever: wrap()}} {
		for i := range 3 {
			resp, err := r.Search(t.Context(), assay.Request{Text: "x", K: 1})
			if err != nil {
				t.Fatal(err)
			}
			if first := i == 0; first != (resp.Timings.Search == 0) || first != connector.Untimed(resp) || first && resp.Timings.Total != 0 {
				t.Errorf("%s: answer %d: %+v, %v", name, i+1, resp.Timings, resp.Notes)
			}
		}
	}
}

// So is the start of the process that takes the place of one that ended.
func TestStartAgainIsNoLatency(t *testing.T) {
	p, err := New(Settings{Command: option.Texts("sh", "-c", `read q; echo '{"hits":[]}'; read q; echo '{"hits":[]}'; exit 0`)})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var timed []bool
	for i := range 4 {
		resp, err := p.Search(t.Context(), assay.Request{Text: "x", K: 1})
		if err != nil {
			t.Fatal(err)
		}
		timed = append(timed, resp.Timings.Search > 0)
		if i == 1 {
			p.mu.Lock()
			last := p.idle[0]
			p.mu.Unlock()
			<-last.exited
		}
	}
	if d := gocmp.Diff([]bool{false, true, false, true}, timed); d != "" {
		t.Error(d)
	}
}
