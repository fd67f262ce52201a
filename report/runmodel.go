package report

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/internal/term"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/score"
	"github.com/assay-eval/assay/stats"
)

// Bounds of a page: what lies beyond is counted on it.
const (
	maxStrata  = 12  // levels of one facet
	maxQueries = 200 // rows of the table of all queries
	maxSetting = 300 // runes of one setting
)

// RunOptions say what of a run is shown where room is short.
type RunOptions struct {
	// Facets are shown on a terminal, too; a page shows all that tell queries apart.
	Facets []score.Facet
	// Document is what --json writes.
	Document any
	Version  string // of assay
}

// Model is the run as a report.
func (r *Explanation) Model(o RunOptions) *Model {
	s := r.Scored
	m := &Model{Title: r.Info.System, Kind: "report of a run", Summary: r.headline(), Main: "queries", Document: o.Document, Facts: r.facts()}
	m.Made = fmt.Sprintf("Made by assay %s from run %s with the labels %s of the queries %s. Intervals are at %.0f %%: Wilson where every score is 0 or 1, else BCa with %d seeded draws; queries from one document are resampled together.",
		o.Version, r.Info.ID, shortHash(s.Version.Labels), shortHash(s.Version.Queries), 100*stats.DefaultConfidence, stats.DefaultDraws)
	m.Add(Section{ID: "measures", Title: "Measures", Blocks: r.measures()})
	m.Add(Section{ID: "doubts", Title: "What to know about the numbers", Blocks: r.doubts()})
	m.Add(Section{ID: "depth", Title: "Recall by depth", Blocks: r.depth(), Detail: true})
	m.Add(Section{ID: "distribution", Title: "Scores of single queries", Blocks: r.distributions(), Detail: true})
	m.Add(Section{ID: "strata", Title: "Parts of the test set", Blocks: r.strata(nil), Detail: true})
	if o.Facets != nil {
		m.Add(Section{ID: "by", Title: "Split", Blocks: r.strata(o.Facets)})
	}
	m.Add(Section{ID: "latency", Title: "Latency by stage", Blocks: r.latency()})
	m.Add(Section{ID: "worst", Title: "Queries worst by " + s.Means[0].Measure, Blocks: r.worst(),
		Reading: "\"Value\" is the " + s.Means[0].Measure + " of the query, \"first\" the rank of its first relevant hit. Open a query to see what answers it and what came back instead."})
	m.Add(Section{ID: "queries", Title: "Every query", Blocks: []Block{r.queries()}, Detail: true})
	m.Add(Section{ID: "settings", Title: "What was run", Blocks: r.settings(), Detail: true})
	return m
}

// headline is the run in one sentence.
func (r *Explanation) headline() string {
	c := r.Scored.Counts
	text := fmt.Sprintf("run %s, %s, %d scored", r.Info.ID, plural.Count(c.Queries, "query", "queries"), c.Scored)
	for _, part := range []struct {
		n    int
		what string
	}{{c.Failed, "failed"}, {c.Unlabelled, "without labels"}, {c.NoGold, "with nothing relevant"}, {c.BadQuery, "no real question"}, {c.Unanswerable, "unanswerable"}, {c.EmptyResults, "found nothing"}} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	if r.Info.Status != ledger.Finished {
		text += "; it is not finished"
	}
	return text
}

func shortHash(h string) string {
	h = strings.TrimPrefix(h, "sha256:")
	return h[:min(12, len(h))]
}

func (r *Explanation) facts() []Fact {
	i, s := r.Info, r.Scored
	out := []Fact{{"run", Code(i.ID)}, {"name", String(i.Name)}, {"started", At(i.Started.Time)}, {"hits asked for (k)", Count(i.K)},
		{"queries scored", Count(s.Counts.Scored)}, {"failed", Count(s.Counts.Failed)}, {"queries at once", Count(i.Workers)}}
	if i.Selection != "" {
		out = append(out, Fact{"selection", Code(i.Selection)})
	}
	for _, key := range []string{"embed_model", "collection", "rerank_model"} {
		if v, ok := i.Config[key].(string); ok {
			out = append(out, Fact{strings.ReplaceAll(key, "_", " "), Code(v)})
		}
	}
	out = append(out, Fact{"test set", Code(shortHash(s.Version.Queries))}, Fact{"labels", Code(shortHash(s.Version.Labels))})
	return slices.DeleteFunc(out, func(f Fact) bool { return !f.Value.Known() })
}

// doubts are the warnings, what was recorded otherwise, failures and how hits were matched with labels.
func (r *Explanation) doubts() []Block {
	s := r.Scored
	var out []Block
	var notes Warnings
	for _, d := range r.Drift {
		notes = append(notes, assay.Warning{Code: "differs_from_recorded",
			Text: fmt.Sprintf("%s was recorded as %.4f and is %.4f with today's labels; `assay rescore` records it anew", d.Measure, d.Recorded, d.Now)})
	}
	if notes = append(notes, s.Warnings...); len(notes) > 0 {
		out = append(out, notes)
	}
	if t := failures(s); t != nil {
		out = append(out, t)
	}
	var ways []string
	for _, w := range score.Ways() {
		if share, ok := s.Resolved.Share(w); ok && share > 0 {
			ways = append(ways, w.Describe()+" "+percent(share))
		}
	}
	if len(ways) > 0 {
		out = append(out, Note("hits were matched with labels by "+strings.Join(ways, ", ")))
	}
	if r.Info.Workers > 1 {
		out = append(out, Note(fmt.Sprintf("latencies were measured with up to %d queries at once", r.Info.Workers)))
	}
	return out
}

func failures(s *score.Scored) *Table {
	if len(s.Failures) == 0 {
		return nil
	}
	t := &Table{ID: "failures", Caption: "Failed queries by kind, with one of each", Columns: Columns("kind", "queries", "such as", "message"), Detail: true}
	for _, f := range s.Failures {
		t.Add(String(string(f.Kind)), Count(f.Count), Code(f.Query), String(term.Shorten(f.Message, maxSetting)))
	}
	return t
}

// settings are the fingerprint, the machine and the configuration.
func (r *Explanation) settings() []Block {
	table := func(id, caption string, values map[string]string) Block {
		t := &Table{ID: id, Caption: caption, Columns: Columns("key", "value"), Detail: true}
		for _, k := range slices.Sorted(maps.Keys(values)) {
			t.Add(Code(k), String(term.Shorten(values[k], maxSetting)))
		}
		return t
	}
	out := []Block{Text("Two runs with equal fingerprints describe the same experiment; `assay compare` names every key in which two differ.")}
	if len(r.Fingerprint) > 0 {
		out = append(out, table("fingerprint", fmt.Sprintf("Fingerprint, %s", plural.Count(len(r.Fingerprint), "key")), r.Fingerprint))
	}
	config := ledger.Fingerprint{}
	for k, v := range r.Info.Config {
		config.Add(k, v)
	}
	if len(config) > 0 {
		out = append(out, table("config", "Configuration as it stands in the history", config))
	}
	if len(r.Info.Environment) > 0 {
		out = append(out, table("environment", "The machine", r.Info.Environment))
	}
	return out
}

// latency is how long the stages took.
func (r *Explanation) latency() []Block {
	f := &Stages{}
	for i := range r.Latency {
		f.Rows = append(f.Rows, r.Latency[i].stage(""))
	}
	if len(f.Rows) == 0 {
		return nil
	}
	t := &Table{ID: "latency", Columns: Columns("latency in ms", "p50", "p95", "p99")}
	for _, row := range f.Rows {
		t.Add(String(row.Name), Millis(row.P50, nil), Millis(row.P95, nil), Millis(row.P99, nil))
	}
	return []Block{t, &Plot{ID: "stages", Title: "Time of one query by stage",
		Reading: stagesReading, Figure: f}}
}

const stagesReading = "A filled dot is the median, a ring the 95th percentile, the end of the line the 99th. Retries and waits for a rate limit are no part of it."

// worst are the queries that scored lowest, each in full.
func (r *Explanation) worst() []Block {
	if len(r.Worst) == 0 {
		return nil
	}
	var out []Block
	for i := range r.Worst {
		w := &r.Worst[i]
		first := Unknown
		if w.First > 0 {
			first = Count(w.First)
		}
		q := &Query{ID: w.Query, Text: w.Text, Tags: w.Tags, Facts: []Fact{{"value", Score(w.Value, nil)}, {"first", first}}}
		if w.Filter != nil {
			q.Filter = w.Filter.String()
		}
		for _, g := range w.Gold {
			q.Gold = append(q.Gold, Gold{Text: g, Found: Untold})
		}
		q.Rankings, q.Open = []Ranking{rankingOf("", &w.Ranking)}, i == 0
		out = append(out, q)
	}
	return out
}

// queries is every query with its values, the worst first.
func (r *Explanation) queries() *Table {
	s := r.Scored
	t := &Table{ID: "queries", Caption: "Every query with its values, the worst first", Detail: true, Total: len(s.Queries)}
	t.Columns = append(Columns("query", "text", "outcome"), Columns(measureNames(s)...)...)
	t.Columns = append(t.Columns, Columns("first relevant rank", "gold", "found", "hits", "total ms")...)
	order := WorstFirst(s, len(s.Queries))
	seen := map[string]bool{}
	for i := range order {
		seen[order[i].ID] = true
	}
	for _, q := range s.Queries {
		if !seen[q.ID] {
			order = append(order, q)
		}
	}
	t.All = func() iter.Seq[[]Cell] {
		return func(yield func([]Cell) bool) {
			for i := range order {
				if !yield(r.queryRow(&order[i])) {
					return
				}
			}
		}
	}
	for i := range order[:min(maxQueries, len(order))] {
		t.Rows = append(t.Rows, r.queryRow(&order[i]))
	}
	return t
}

func measureNames(s *score.Scored) []string {
	out := make([]string, len(s.Means))
	for i := range s.Means {
		out[i] = s.Means[i].Measure
	}
	return out
}

func (r *Explanation) queryRow(q *score.Query) []Cell {
	query, _ := r.Texts(q.ID)
	row := []Cell{Code(q.ID), String(term.Shorten(query.Text, maxSetting)), String(strings.ReplaceAll(string(q.Status), "_", " "))}
	for i := range r.Scored.Means {
		if q.Values == nil {
			row = append(row, Unknown)
			continue
		}
		row = append(row, Score(q.Values[i], nil))
	}
	first, total := Unknown, Unknown
	if q.First > 0 {
		first = Count(q.First)
	}
	if d := q.Timings().Total; d > 0 {
		total = Millis(assay.Millis(d), nil)
	}
	return append(row, first, Count(q.Gold), Count(q.Found), Count(q.Hits), total)
}

// byFacet groups strata as they are shown: in the order of the facets, the levels in theirs.
func byFacet(splits []score.Split, only []score.Facet) (facets []score.Facet, levels map[score.Facet][]score.Split) {
	levels = map[score.Facet][]score.Split{}
	for _, s := range splits {
		if only != nil && !slices.Contains(only, s.Name) || len(s.Means) == 0 {
			continue
		}
		if levels[s.Name] == nil {
			facets = append(facets, s.Name)
		}
		levels[s.Name] = append(levels[s.Name], s)
	}
	return facets, levels
}
