package project

import (
	"fmt"
	"maps"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/label"
)

// WarnFamily is the code of the warning that a judge is a relative of what it judges.
const WarnFamily = "family_overlap"

// FamilyOverlap warns where the judge shares a model family with what wrote the queries or what ranks the passages: it would
// like its relatives' work better than others'.
func (p *Project) FamilyOverlap(judge string) ([]assay.Warning, error) {
	set, err := p.Testset()
	if err != nil {
		return nil, err
	}
	roles := map[string]string{} // model → what it does here
	for _, q := range set.Queries() {
		if q.Origin != nil && q.Origin.Model != "" {
			roles[q.Origin.Model] = "wrote queries of the test set"
		}
	}
	for _, s := range p.Config.Systems {
		if s.Rerank != nil {
			if m, ok := p.Config.Model(s.Rerank.Model); ok {
				roles[m.Model] = "reranks for the system " + s.Name
			}
		}
		if m, ok := p.Config.Model(s.Embed); ok {
			roles[m.Model] = "embeds for the system " + s.Name
		}
	}
	var out []assay.Warning
	for _, model := range slices.Sorted(maps.Keys(roles)) {
		family, ok := label.Related(judge, model)
		switch {
		case !ok:
		case family == judge:
			out = append(out, assay.Warning{Code: WarnFamily, Text: fmt.Sprintf("the judge %s also %s: it rates its own work", judge, roles[model])})
		default:
			out = append(out, assay.Warning{Code: WarnFamily, Text: fmt.Sprintf("the judge %s and %s, which %s, are both of the family %s: it tends to like what its relatives make",
				judge, model, roles[model], family)})
		}
	}
	return out, nil
}
