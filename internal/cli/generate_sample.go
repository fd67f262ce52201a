package cli

import (
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/internal/term"
)

// printGroups shows what was drawn of each group of generate.by.
func (o *generateOptions) printGroups(c project.ChunkCounts) error {
	if c.Repeats > 0 {
		o.notef("%s passed over: near duplicates of others that were drawn", plural(c.Repeats, "chunk", "chunks"))
	}
	if len(c.Groups) == 0 {
		return nil
	}
	t := &term.Table{Header: []string{"group", "chunks", "drawn", "weight"}, Right: []bool{1: true, 2: true, 3: true}}
	for _, g := range c.Groups {
		name := g.Group
		if name == "" {
			name = "(without)"
		}
		weight := g.Weight
		if weight == 0 {
			weight = 1
		}
		t.Add(name, g.Eligible, g.Drawn, weight)
	}
	return t.Write(o.streams)
}

// tellPrecision says what the queries can tell, so that nobody learns it after the comparison.
func (o *generateOptions) tellPrecision(p *project.Precision) {
	if p == nil {
		return
	}
	o.notef("%s: a recall near %g is known to about ± %.3f (95 %%), and a difference of %.3f between two systems is found four times in five",
		plural(p.Queries, "query", "queries"), project.TypicalRecall, p.HalfWidth, p.Detectable)
}
