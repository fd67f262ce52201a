package doctor

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// maxConditions bounds how many different conditions on one field the store is asked about.
const maxConditions = 5

// throughIndex asks a store that can say so which index each condition goes through.
func (x *exam) throughIndex(ctx context.Context, s *System, store assay.FilterIndexer) []Finding {
	var out []Finding
	by := map[string]string{} // field to index
	conditions := x.conditions()
	fields := slices.Sorted(maps.Keys(x.filtered()))
	for _, name := range fields {
		use := x.holds(ctx, s, name)
		if use != nil && use.n == 0 {
			out = append(out, noSuchField(name))
			continue
		}
		if len(conditions[name]) == 0 && use != nil && slices.Contains(x.setup.FilterFields, name) { // it takes values from the chunks
			conditions[name] = []assay.Filter{{Field: name, Eq: use.example}}
		}
		for i := range conditions[name][:min(len(conditions[name]), maxConditions)] {
			at, err := store.FilterIndex(ctx, &conditions[name][i])
			if err != nil {
				out = append(out, unchecked(err))
				break
			}
			if at.Refused {
				out = append(out, refusedFilter(name, &at))
				break
			}
			if by[name] = at.Used; at.Used == "" && at.Create != "" {
				out = append(out, noIndex(name, &at))
				break
			}
		}
	}
	if out == nil {
		var names []string
		for _, name := range fields {
			names = append(names, fmt.Sprintf("%s (%s)", name, cmp.Or(by[name], "conditions that no index can serve")))
		}
		out = []Finding{healthy("%s", strings.Join(names, ", "))}
	}
	return out
}

func noIndex(field string, at *assay.FilterIndex) Finding {
	f := Finding{Status: Warning, Cause: "no_index", Found: fmt.Sprintf("the field %q is filtered by and no index serves the condition", field), Fix: at.Create,
		Effect: "every chunk is looked at for each filtered query: its latency grows with the collection"}
	if at.Unused != "" {
		f.Found += ": " + at.Unused + " is there, and a condition like this cannot go through it"
	}
	if at.Lossy {
		f.Effect = "the approximate index hands over its nearest chunks and the filter drops what does not pass: lists come back short, and filtered " +
			"queries score lower than with an index on the field, through which the store finds what passes first"
	}
	return f
}

func refusedFilter(field string, at *assay.FilterIndex) Finding {
	return Finding{Status: Fault, Cause: "refused", Found: fmt.Sprintf("the store refuses to filter by the field %q: %s", field, at.Unused),
		Effect: "every query with such a filter fails", Fix: "build the collection anew with that index, or leave the field out of the queries' filters and of generate.filters.fields"}
}

// conditions are those that queries put on each field, one of each kind; those under a not are left out, since no index finds what
// is not.
func (x *exam) conditions() map[string][]assay.Filter {
	out := map[string][]assay.Filter{}
	if x.setup.Testset == nil {
		return out
	}
	seen := map[string]bool{}
	for i := range x.setup.Testset.Queries {
		leaves(x.setup.Testset.Queries[i].Filter, func(f *assay.Filter, negated bool) {
			if kind := kindOf(f); !negated && !seen[kind] {
				seen[kind] = true
				out[f.Field] = append(out[f.Field], *f)
			}
		})
	}
	return out
}

// kindOf is the same for conditions that differ in their values alone.
func kindOf(f *assay.Filter) string {
	return fmt.Sprintf("%s %T %t %T %t %t", f.Field, f.Eq, len(f.In) > 0, f.Ne, f.Gt != nil || f.Gte != nil, f.Lt != nil || f.Lte != nil)
}
