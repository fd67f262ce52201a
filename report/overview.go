package report

import "fmt"

// Overview sets the last runs of several systems side by side. It names no winner: that takes a paired test, which is
// what a comparison is for.
func Overview(runs []*Explanation, o RunOptions) *Model {
	m := &Model{Title: fmt.Sprintf("%d systems", len(runs)), Kind: "last run of each system", Document: o.Document,
		Summary: "The last run of each system, each scored with today's labels. Intervals that overlap do not say that systems are equal, and those that do not are no test: `assay compare A B` pairs the queries and tests."}
	t := &Table{ID: "systems", Caption: "Means by system", Columns: Columns("system", "run", "n")}
	for _, mean := range runs[0].Scored.Means {
		t.Columns = append(t.Columns, Column{Name: mean.Measure})
	}
	for _, r := range runs {
		row := []Cell{Code(r.Info.System), Code(r.Info.ID), Count(r.Scored.Counts.Scored)}
		for i := range r.Scored.Means {
			row = append(row, meanCell(&r.Scored.Means[i]))
		}
		t.Add(row...)
	}
	m.Add(Section{ID: "measures", Title: "Measures", Blocks: []Block{t, overviewForest(runs)}})
	curve, stages := &Curve{X: "k, hits looked at", Y: "recall@k"}, &Stages{}
	for _, r := range runs {
		if d := r.depth(); d != nil {
			curve.Series = append(curve.Series, d[0].(*Plot).Figure.(*Curve).Series[0])
		}
		for i := range r.Latency {
			stages.Rows = append(stages.Rows, r.Latency[i].stage(r.Info.System))
		}
	}
	if len(curve.Series) > 0 {
		m.Add(Section{ID: "depth", Title: "Recall by depth", Blocks: []Block{&Plot{ID: "recall-curve", Title: "recall@k", Reading: "The share of the relevant texts among the first k hits, with 95 % intervals as bands.", Figure: curve}}})
	}
	if len(stages.Rows) > 0 {
		m.Add(Section{ID: "latency", Title: "Latency by stage", Blocks: []Block{&Plot{ID: "stages", Title: "Time of one query by stage", Reading: stagesReading, Figure: stages}}})
	}
	for _, r := range runs {
		doubts := r.doubts()
		m.Add(Section{ID: "doubts-" + r.Info.System, Title: "What to know about " + r.Info.System, Blocks: doubts})
	}
	m.Made = "Made by assay " + o.Version + "; `assay report --system NAME --out FILE.html` explains one run in full."
	return m
}

// overviewForest has a group for each measure and a row for each system.
func overviewForest(runs []*Explanation) *Plot {
	f := &Forest{Value: "mean over queries", Lo: 0, Hi: 1}
	for i, mean := range runs[0].Scored.Means {
		for _, r := range runs {
			if i >= len(r.Scored.Means) || r.Scored.Means[i].Scored == 0 {
				continue
			}
			f.add(r.Info.System, &r.Scored.Means[i])
			f.Rows[len(f.Rows)-1].Group = mean.Measure
		}
	}
	return &Plot{ID: "means", Title: "Means with their intervals", Reading: "A dot is the mean over queries, the line its 95 % interval.", Figure: f}
}
