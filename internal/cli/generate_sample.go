package cli

import (
	"fmt"

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
		if g.Short > 0 {
			defer o.notef("%s has too few chunks to ask about for its share: %s short of it", name, plural(g.Short, "query", "queries"))
		}
	}
	return t.Write(o.streams)
}

// tellPrecision says what the queries can tell, so that nobody learns it after the comparison.
func (o *generateOptions) tellPrecision(p *project.Precision) {
	if p == nil {
		return
	}
	worth := ""
	if p.Independent < p.Queries {
		worth = fmt.Sprintf(", worth %d independent ones (more documents would make it more)", p.Independent)
	}
	found := "no difference between two systems is found four times in five"
	if p.Detectable != nil {
		found = fmt.Sprintf("a difference of %.3f between two systems is found four times in five", *p.Detectable)
	}
	o.notef("%s%s: a recall near %g is known to about ± %.3f (95 %%), and %s, were one in five answered by only one of them",
		plural(p.Queries, "query", "queries"), worth, project.TypicalRecall, p.HalfWidth, found)
}
