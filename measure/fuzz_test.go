package measure

import (
	"errors"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
)

// FuzzParse: a name is refused with one line, or its canonical spelling parses to itself.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"recall@10", "nDCG(dcg='exp-log2')@10", "P.5,10", "ndcg.1=3,2=9", "iprec_at_recall_0.10", "rbp(p=.8)", "11pt_avg(at=0/.5)",
		"span_recall@20tok", "utility_1,-1,0,0", "map_cut", "@", "(", ")(", "p(=)@", "p@5@6", "ndcg_at_", "_1", "set_F.", "p(rel=1e309)@1", "ndcg(1=3,1=4)", "P(cutoff=3)@4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		list, err := ParseList(name)
		if err != nil {
			if !errors.Is(err, assay.ErrUsage) {
				t.Errorf("%q: %v is not a usage error", name, err)
			}
			return
		}
		for _, m := range list {
			if again, err := Parse(m.Name()); err != nil || again.Name() != m.Name() {
				t.Errorf("%q: canonical %q parses to %v, %v", name, m.Name(), again, err)
			}
			if strings.ContainsAny(m.Name(), " \t\n") {
				t.Errorf("%q: canonical %q holds a blank", name, m.Name())
			}
			if v, _ := m.Value(&Topic{Ranked: []float64{1, NotJudged}, Gold: []float64{1, 0}}); !m.Definition().Range.Contains(v) {
				t.Errorf("%s = %v leaves its range", m.Name(), v)
			}
		}
	})
}
