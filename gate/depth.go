package gate

import (
	"cmp"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/measure"
)

// CheckDepth refuses rules on more ranks than there are hits: recall@100 of a run of ten hits is recall@10 under another name, and a
// threshold meant for the one is no threshold for the other. Where the baseline has the depth and the candidate has not, somebody
// asks for fewer hits than before: what is lost by that is lost, and the rule is held. Where both were asked for as few, a drop is
// what it says; where the baseline alone was, it would be hidden. baseline is nil where there is none. The error ends a command with exit code 2, since the question is wrong whatever the numbers are.
func CheckDepth(rules []Rule, candidate, baseline *compare.SideInfo) error {
	for i := range rules {
		r := &rules[i]
		if r.Measure == nil {
			continue
		}
		depth, ok := measure.Depth(r.Measure)
		reaches := func(s *compare.SideInfo) bool { return s.K == 0 || s.K >= depth } // a file of rankings does not say its k
		switch {
		case !ok || baseline != nil && reaches(baseline):
		case r.Change && (baseline == nil || !reaches(candidate) && candidate.K <= baseline.K):
		case r.Change:
			return r.tooDeep(depth, baseline, "the baseline "+cmp.Or(baseline.Run, baseline.Ref))
		case !r.Change && !reaches(candidate):
			return r.tooDeep(depth, candidate, "run "+candidate.Run)
		}
	}
	return nil
}

func (r *Rule) tooDeep(depth int, s *compare.SideInfo, who string) error {
	where := ""
	if r.Where != "" {
		where = r.Where + ": "
	}
	again := "and run again"
	if r.Change {
		again = "run again, and set the baseline anew"
	}
	name := r.Measure.Name()
	return assay.WithHint(assay.Usagef("%srule %q looks at %d ranks, and %s was asked for %s", where, r.String(), depth, who, plural.Count(s.K, "hit")),
		"ask for as many, with systems.%s.k: %d, %s; or write the rule for %s@%d", s.System, depth, again, name[:strings.LastIndexByte(name, '@')], s.K)
}
