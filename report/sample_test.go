package report

import (
	"math"
	"time"

	"github.com/assay-eval/assay/stats"
)

// hostile are texts that would do harm where a renderer took them for anything but text (cases C20).
var hostile = []string{
	`<img src=x onerror=alert(1)>`,
	`</script><script>alert(1)</script>`,
	`"><b>`,
	"`code` **bold** [link](javascript:alert(1)) | a | b |",
	"# heading\n- list\n```\nfence",
	"@everyone #1 https://evil.example/x www.evil.example a@b.example",
	"\x1b[31mred\x1b[0m \u202egnp.exe",
	"=HYPERLINK(\"http://evil.example\")",
	"</style></svg><svg onload=alert(1)>",
	"{{.}} ${x} %s &lt;b&gt; &amp;",
}

// sample is a model that holds every kind of block, with foreign text wherever foreign text can stand.
func sample(foreign string) *Model {
	iv := &stats.Interval{Lo: 0.61, Hi: 0.82}
	m := &Model{
		Title: foreign, Kind: "run report", Summary: "recall@10 is 0.72 over 40 queries.",
		Verdict:  &Verdict{Tone: Bad, Label: "regression", Text: "recall@10 dropped: " + foreign, Hint: "`assay compare last~1 last` shows where"},
		Facts:    []Fact{{"system", Code(foreign)}, {"started", At(time.Date(2026, 12, 2, 10, 0, 0, 0, time.UTC))}},
		Made:     "assay devel, 10,000 draws, seed 1",
		Document: map[string]string{"schema": "assay/sample/v1", "text": foreign},
	}
	table := &Table{ID: "measures", Caption: "Means over queries", Columns: Columns("measure", "mean", "difference", "p", "n", "latency", "note")}
	table.Add(Code("recall@10"), Score(0.72, iv), Delta(-0.1, &stats.Interval{Lo: -0.2, Hi: -0.01}).Toned(Bad), P(0.0123), Count(40), Millis(12.3, nil), String(foreign))
	table.Add(Code("mrr@10"), Score(math.NaN(), nil), Delta(0.1, nil).Toned(Good), P(0.00001), Count(40), DeltaMillis(-3, nil), Share(0.25))
	m.Add(Section{ID: "measures", Title: "Measures", Blocks: []Block{
		Warnings{{Code: "few", Text: "40 queries only: " + foreign}}, Text("Means with intervals; `assay rescore` records them."), table}})
	m.Add(Section{ID: "figures", Title: "Figures", Blocks: samplePlots(foreign)})
	m.Add(Section{ID: "worst", Title: "Worst queries", Detail: true, Blocks: []Block{sampleQuery(foreign)}})
	return m
}

func samplePlots(foreign string) []Block {
	iv := func(lo, hi float64) *stats.Interval { return &stats.Interval{Lo: lo, Hi: hi} }
	day := func(n int) time.Time { return time.Date(2026, 11, n, 9, 0, 0, 0, time.UTC) }
	zero := 0.0
	var scores, diffs []float64
	for i := range 40 {
		scores = append(scores, []float64{0, 1, 1, 0.5, 0.333, 0.25, 1, 0}[i%8])
		diffs = append(diffs, []float64{0, 0, 0.5, -0.25, -1, 0, 0.1, -0.3}[i%8])
	}
	return []Block{
		&Plot{ID: "distribution", Title: "Scores of queries", Reading: "A bar counts queries.", Figure: NewDistribution(foreign, scores, 0, 1)},
		&Plot{ID: "curve", Title: "recall by depth", Reading: "Higher is better.", Figure: &Curve{X: "k", Y: "recall@k", Series: []Series{
			{Name: foreign, Points: []Point{{1, 0.4, 0.3, 0.5, true}, {5, 0.6, 0.5, 0.7, true}, {10, 0.72, 0.61, 0.82, true}}},
			{Name: "ceiling", Points: []Point{{X: 1, Y: 0.9}, {X: 10, Y: 1}}}}}},
		&Plot{ID: "differences", Title: "Query by query", Figure: NewDifferences("recall@10", foreign, "candidate", "higher", diffs, -0.1, iv(-0.2, -0.01))},
		&Plot{ID: "forest", Title: "Strata", Figure: &Forest{Value: "difference", Signed: true, Reference: &zero, Rows: []Estimate{
			{Group: "tag", Name: foreign, N: 12, Value: 0.1, Bounds: iv(-0.1, 0.3)},
			{Group: "tag", Name: "ops", N: 28, Value: -0.2, Bounds: iv(-0.3, -0.1), Tone: Bad}}}},
		&Plot{ID: "stages", Title: "Latency by stage", Figure: &Stages{Rows: []Stage{
			{Name: "embed", N: 40, P50: 8, P95: 12, P99: 30, Max: 31}, {Name: "search", N: 40, P50: 0.2, P95: 0.3, P99: 1, Max: 2},
			{Name: "total", N: 40, P50: 8.3, P95: 12.4, P99: 31, Max: 32, Bounds: iv(11, 30)}}}},
		&Plot{ID: "trend", Title: "History", Figure: &Trend{System: foreign, Measure: "recall@10", Runs: 4, Points: []TrendPoint{
			{Run: "a", From: day(1), To: day(1), Runs: 1, Value: 0.7, Bounds: iv(0.6, 0.8), Min: 0.7, Max: 0.7},
			{Run: "b", From: day(2), To: day(2), Runs: 1, Value: 0.72, Bounds: iv(0.61, 0.82), Min: 0.72, Max: 0.72},
			{Run: foreign, From: day(9), To: day(9), Runs: 1, Value: 0.5, Bounds: iv(0.4, 0.6), Min: 0.5, Max: 0.5},
			{Run: "d", From: day(10), To: day(10), Runs: 1, Value: 0.52, Min: 0.52, Max: 0.52}},
			Marks: []Mark{{At: 2, Time: day(9), Text: "embed.digest; " + foreign}}}},
	}
}

func sampleQuery(foreign string) *Query {
	return &Query{
		ID: "q-1", Text: foreign, Tags: []string{"ops", foreign}, Filter: `{"field":"lang","eq":"de"}`,
		Facts: []Fact{{"recall@10", Score(0, nil)}, {"first relevant", Unknown}},
		Gold:  []Gold{{Document: "ops/backup.md", Text: foreign}, {Chunk: foreign, Text: "kept for 30 days", Found: 3}},
		Rankings: []Ranking{
			{System: "baseline", Hits: []Hit{{Rank: 1, ID: "a", Text: foreign, Cut: true}, {Rank: 2, ID: foreign, Text: "x", Judged: true, Grade: 3}}, Omitted: 8, Missed: []string{foreign}},
			{System: foreign, Failure: "timeout: " + foreign}},
	}
}
