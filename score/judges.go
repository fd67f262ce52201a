package score

import (
	"maps"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
)

// judges lists the language models whose labels count for a query.
func judges(labels []assay.Label) []string {
	var out []string
	for i := range labels {
		if l := &labels[i]; l.By == assay.ByJudge && !slices.Contains(out, l.Who) {
			out = append(out, l.Who)
		}
	}
	return out
}

// judges warns of every judge that the numbers rest on and that is not to be believed.
func (s *scorer) judges(d *doubts, out *Scored) {
	queries := s.sums.judges
	for _, who := range slices.Sorted(maps.Keys(queries)) {
		why := "no judge cards were looked at"
		if s.opts.Judges != nil {
			why = s.opts.Judges(who)
		}
		if why == "" {
			continue
		}
		out.Uncalibrated = true
		d.add(true, assay.WarnUncalibratedJudge, "every number here rests on labels of the judge %s (%s), which is not calibrated: %s; it passes no gate",
			who, plural.Count(queries[who], "query"), why)
	}
}
