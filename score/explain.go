package score

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/testset"
)

// Explained says what one ranking was found to hold, for reports and diagnosis.
type Explained struct {
	Hits   []ExplainedHit
	Missed []assay.Label // one label of every relevant item that no hit holds in full
}

// ExplainedHit is one rank.
type ExplainedHit struct {
	Hit    assay.RankedHit
	Judged bool
	Grade  assay.Grade  // what it earns; 0 for a repeat
	Repeat bool         // its gold item was found at another rank
	Way    Way          // how it was matched
	Label  *assay.Label // a label it matches; nil when unjudged
}

// Explain resolves one result as Score does.
func Explain(set *testset.Set, r assay.Result, passages Passages, opts Options) Explained {
	labels := set.Labels(r.Query)
	k := newKnowledge(passages, &opts)
	g := newGold(set, r.Query, labels, k)
	v := g.look(r.Hits, k, false)
	found := make([]bool, len(g.items))
	var out Explained
	for i := range v.hits {
		h := &v.hits[i]
		e := ExplainedHit{Hit: *h.ranked, Judged: h.judged, Grade: h.gain, Repeat: h.repeat, Way: h.way}
		for _, m := range h.matches {
			item := g.members[m.member].item
			if e.Label == nil || item == h.item {
				e.Label = &labels[g.members[m.member].label]
			}
			found[item] = found[item] || m.credit.Grade(g.items[item].grade) == g.items[item].grade
		}
		if !h.judged {
			e.Label = nil
		}
		out.Hits = append(out.Hits, e)
	}
	for i := range g.members {
		m := &g.members[i]
		if !found[m.item] && g.items[m.item].grade >= assay.RelevantGrade {
			found[m.item] = true
			out.Missed = append(out.Missed, labels[m.label])
		}
	}
	return out
}
