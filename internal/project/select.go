package project

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/nearest"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/testset"
)

// RunRequest says which queries go through which system.
type RunRequest struct {
	System  string
	Name    string   // a name to find the run by
	Limit   int      // only the first so many queries; 0 for all
	Tags    []string // only queries with one of these tags
	Queries []string // only these ids
	Anew    bool     // do not go on with an unfinished run
}

// selection describes the part of the test set that a request takes; "" is all of it.
func (r RunRequest) selection() string {
	var parts []string
	if r.Limit > 0 {
		parts = append(parts, fmt.Sprintf("limit=%d", r.Limit))
	}
	if len(r.Tags) > 0 {
		parts = append(parts, "tag="+strings.Join(r.Tags, ","))
	}
	if len(r.Queries) > 0 {
		parts = append(parts, "query="+strings.Join(r.Queries, ","))
	}
	return strings.Join(parts, " ")
}

// Select takes the queries of a request out of the test set. What it refuses is wrong for every system
// alike: a name that cannot be found again, an id or a tag that no query has, a choice that leaves nothing.
func (p *Project) Select(r RunRequest) ([]assay.Query, error) {
	if err := ledger.CheckName(r.Name); err != nil {
		return nil, err
	}
	set, err := p.Testset()
	if err != nil {
		return nil, err
	}
	queries := set.Queries()
	if err := r.known(queries, set); err != nil {
		return nil, err
	}
	queries = slices.DeleteFunc(queries, func(q assay.Query) bool {
		tagged := slices.ContainsFunc(r.Tags, func(t string) bool { return slices.Contains(q.Tags, t) })
		return len(r.Tags) > 0 && !tagged || len(r.Queries) > 0 && !slices.Contains(r.Queries, q.ID)
	})
	if len(queries) == 0 {
		return nil, assay.Usagef("no query of %s is selected by %s", set.Dir(), r.selection())
	}
	if r.Limit > 0 {
		queries = queries[:min(r.Limit, len(queries))]
	}
	return queries, nil
}

// known refuses ids and tags that no query has: of two tags with one mistyped, half the queries would be
// left out unseen.
func (r RunRequest) known(queries []assay.Query, set *testset.Set) error {
	var ids, tags []string
	if len(r.Queries)+len(r.Tags) == 0 {
		return nil
	}
	for _, q := range queries {
		ids = append(ids, q.ID)
		tags = append(tags, q.Tags...)
	}
	slices.Sort(tags)
	tags = slices.Compact(tags)
	for _, id := range r.Queries {
		if _, ok := set.Query(id); !ok {
			return assay.WithHint(assay.Usagef("no query has the id %q in %s%s", id, set.Dir(), nearest.Suggest(id, ids)),
				"assay export --form csv lists the queries with their ids")
		}
	}
	for _, tag := range r.Tags {
		if !slices.Contains(tags, tag) {
			return assay.Usagef("no query of %s is selected by tag=%s%s", set.Dir(), tag, nearest.Suggest(tag, tags))
		}
	}
	return nil
}
