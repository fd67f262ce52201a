package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
)

var index = Check{
	Name: "index",
	Asks: "is the index finished, switched on, and searched the way it will be in production?",
	Effect: "what is measured now is not what will be served: results change while an index is built, chunks that are not in it " +
		"yet cannot be found, and a full scan has a better recall and a worse latency than the index will have",
	Of: "systems whose store can be inspected",
	run: func(ctx context.Context, x *exam) error {
		return x.systems(ctx, live, x.index)
	},
}

// unfinished are the codes of an inspection's warnings that say so; all others are doubts.
var unfinished = []string{"not_green", "optimizer_error", "updates_pending", "points_deferred", "no_index", "index_unfinished", "zero_vector", "index_building", "index_invalid"}

func (x *exam) index(ctx context.Context, s *System) []Finding {
	i, err := x.inspect(ctx, s)
	if err != nil {
		return []Finding{unchecked(err)}
	}
	var out []Finding
	for _, w := range i.Warnings {
		f := Finding{Status: Warning, Cause: w.Code, Found: w.Text, Fix: s.mendIndex(w, i)}
		if slices.Contains(unfinished, w.Code) {
			f.Status = Fault
		}
		out = append(out, f)
	}
	if !i.Ready && !slices.ContainsFunc(out, func(f Finding) bool { return f.Status == Fault }) {
		out = append(out, Finding{Status: Fault, Cause: "not_ready", Found: "the store says that the index is not ready", Fix: waitFor})
	}
	if out == nil {
		out = []Finding{healthy("ready%s", searched(i))}
	}
	return out
}

func searched(i *assay.Inspection) string {
	var with []string
	if i.Distance != "" {
		with = append(with, i.Distance)
	}
	if i.Count >= 0 {
		with = append(with, plural.Count(i.Count, "chunk"))
	}
	if len(with) == 0 {
		return ""
	}
	return ": " + strings.Join(with, ", ")
}

const waitFor = "wait until the store has finished, then run `assay doctor` again; measure nothing before"

// mendIndex is what to do about a warning, for Qdrant as a command.
func (s *System) mendIndex(w assay.Warning, i *assay.Inspection) string {
	patch := func(config string) string {
		return fmt.Sprintf("curl -X PATCH %s/collections/%s -H 'Content-Type: application/json' -d '%s'", strings.TrimRight(s.Mend.URL, "/"), s.Mend.Collection, config)
	}
	switch {
	case s.Kind == "qdrant" && w.Code == "no_index":
		return patch(`{"optimizers_config": {"indexing_threshold": 10000}}`) + " switches indexing on; then wait until the collection is green"
	case s.Kind == "qdrant" && w.Code == "not_green" && strings.Contains(w.Text, "grey"):
		return patch(`{"optimizers_config": {}}`) + " starts the optimizer again, which waits for a change since the last restart"
	case s.Kind == "qdrant" && w.Code == "optimizer_error":
		return "look at the server's log for the cause (a full disk, most often), restart it, and wait until the collection is green"
	case s.Kind == "pgvector" && w.Code == "index_invalid":
		return "the command in the finding builds it anew; then run `assay doctor` again"
	case s.Kind == "pgvector" && w.Code == "index_not_used":
		return fmt.Sprintf("set distance: in systems.%s.retriever to that of the index, if your application searches with its operator", s.Name)
	case slices.Contains(unfinished, w.Code):
		return waitFor
	case w.Code == "ef_without_index":
		return fmt.Sprintf("leave params: out of systems.%s.retriever, or measure again when the collection has grown enough to be indexed", s.Name)
	case w.Code == "indexed_only" || w.Code == "unknown_param":
		return fmt.Sprintf("correct params: in systems.%s.retriever, unless your application sends the same", s.Name)
	case w.Code == "strict_mode":
		return "keep k and params within these limits: `assay config check` prints what is in force"
	}
	return fmt.Sprintf("see that this is as it is in production; `assay doctor %s --json` holds the details", s.Name)
}
