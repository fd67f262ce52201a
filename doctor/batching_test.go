package doctor_test

import (
	"testing"

	"github.com/assay-eval/assay/doctor"
)

func TestBatching(t *testing.T) {
	yaml := chromaSystem(t, collection(t, "cosine", handbook()), "")
	for name, c := range map[string]struct {
		change func(m *doctor.Model)
		want   want
	}{
		"healthy":          {func(*doctor.Model) {}, want{status: doctor.OK, found: "8 texts have the same vectors"}},
		"order lost":       {func(m *doctor.Model) { m.Embedder = shuffled{m.Embedder} }, want{doctor.Fault, "order", "8 of 8 vectors of a batch", "batch: 1"}},
		"neighbours mixed": {func(m *doctor.Model) { m.Embedder = bleeding{m.Embedder, 0.3} }, want{doctor.Fault, "batch", "another vector in a batch of 8", "batch: 1"}},
		"a little":         {func(m *doctor.Model) { m.Embedder = bleeding{m.Embedder, 0.03} }, want{doctor.Warning, "batch", "not quite", "batch: 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := examine(t, yaml, doctor.Options{Only: []string{"batching"}}, func(s *doctor.Setup) { c.change(s.Models[0]) })
			c.want.check(t, finding(t, r, "batching", "model minilm"))
		})
	}
}
