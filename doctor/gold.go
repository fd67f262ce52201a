package doctor

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
)

var gold = Check{
	Name:   "gold",
	Asks:   "is what the labels call relevant in the index?",
	Effect: "a query whose answers are not in the index scores 0 whatever is done, and pulls every mean down",
	Of:     "test set, corpus, systems that can list",
	run: func(ctx context.Context, x *exam) error {
		set := x.setup.Testset
		switch {
		case set == nil:
			x.add(testsetSubject, "", unchecked(errors.New("there is none yet: assay generate, or assay import FILE")))
			return nil
		case set.Err != nil:
			x.add(testsetSubject, set.Dir, Finding{Status: Fault, Cause: "unreadable", Found: firstLine(set.Err), Effect: "nothing can be scored",
				Fix: orElse(assay.Hint(set.Err), "mend the lines that are named")})
			return nil
		}
		x.add(testsetSubject, set.Dir, x.labelling())
		if c := x.setup.Corpus; c != nil {
			f := unchecked(errDown)
			if !x.down[corpusSubject] {
				f = x.gold(ctx, nil)
			}
			x.add(corpusSubject, c.Where, f)
		}
		return x.systems(ctx, live, one(x.gold))
	},
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// labelling looks at the test set alone: labels of queries that it does not have, queries without labels.
func (x *exam) labelling() Finding {
	set := x.setup.Testset
	without := 0
	for _, q := range set.Queries {
		if len(relevant(set, q.ID)) == 0 {
			without++
		}
	}
	n := len(set.Queries)
	f := Finding{Status: OK, Found: fmt.Sprintf("%d of %d queries have a relevant label", n-without, n),
		Figures: map[string]float64{"queries": float64(n), "without": float64(without), "orphans": float64(set.Orphans)}}
	switch {
	case set.Orphans > 0:
		f.Status, f.Cause = Fault, "orphans"
		f.Found = fmt.Sprintf("%s of queries that the test set does not have", plural.Count(set.Orphans, "label is", "labels are"))
		f.Effect = "they count for nothing: the ids in labels.jsonl and queries.jsonl do not fit"
		f.Fix = "import queries and labels together: assay import FILE"
	case without == n:
		f.Status, f.Cause = Fault, "no_labels"
		f.Effect, f.Fix = "queries are run and nothing is scored", "label some: assay import FILE with relevant ids, or assay add \"QUERY\" --relevant ID"
	case 2*without > n:
		f.Status, f.Cause = Warning, "few_labels"
		f.Effect, f.Fix = "the mean is over the labelled ones, which may be the easy ones", "label the others, or take them out"
	}
	return f
}

// relevant are the labels of a query that say that something answers it.
func relevant(set *Testset, query string) []assay.Label {
	var out []assay.Label
	for _, l := range set.Labels(query) {
		if l.Grade >= assay.RelevantGrade {
			out = append(out, l)
		}
	}
	return out
}

// toleratedLost is the share of queries without any answer in the index above which it is a fault.
const toleratedLost = 0.05

// gold looks for what is labelled in a system's store, or in the corpus for nil.
func (x *exam) gold(ctx context.Context, s *System) Finding {
	l, err := x.listOf(ctx, s)
	if err != nil {
		return unchecked(err)
	}
	found, err := x.look(ctx, s, l)
	if err != nil {
		return unchecked(err)
	}
	f := Finding{Status: OK, Figures: map[string]float64{"queries": float64(found.queries), "lost": float64(len(found.lost)),
		"missing_ids": float64(len(found.ids)), "unknown": float64(found.unknown)}}
	f.Found = fmt.Sprintf("the answers of %s are in it", plural.Count(found.queries-found.unknown, "labelled query"))
	if found.unknown > 0 {
		f.Found += fmt.Sprintf("; those of %d others could not be looked up, as it has more than %d chunks", found.unknown, MaxListed)
		if found.unknown == found.queries {
			f.Status = NotChecked
		}
	}
	switch lost := len(found.lost); {
	case found.queries == 0:
		return unchecked(errors.New("no query has a relevant label"))
	case lost > 0:
		f.Status, f.Cause = Warning, "missing"
		if float64(lost) > toleratedLost*float64(found.queries) {
			f.Status = Fault
		}
		f.Found = fmt.Sprintf("%d of %d labelled queries have no answer in it (%s)", lost, found.queries, some(found.lost))
		f.Fix = "label against this index: assay import FILE --against " + orElse(nameOf(s), "SYSTEM") + ", or ingest what is missing"
	case len(found.ids) > 0:
		f.Status, f.Cause = Warning, "missing_in_part"
		f.Found = fmt.Sprintf("every labelled query has an answer in it, but %s not", plural.Count(len(found.ids), "labelled chunk is", "labelled chunks are"))
		f.Effect = "recall cannot reach 1 for their queries"
		f.Fix = "ingest them again, or label against this index: assay import FILE --against " + orElse(nameOf(s), "SYSTEM")
	}
	if len(found.ids) > 0 {
		f.Found += fmt.Sprintf("; no chunk has the key %s, the keys there look like %s", some(found.ids), l.chunks[0].ID)
	}
	return f
}

func nameOf(s *System) string {
	if s == nil {
		return ""
	}
	return s.Name
}
