package doctor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

var filters = Check{
	Name: "filters",
	Asks: "do the fields that queries filter by exist in the index, with an index that conditions on them go through?",
	Effect: "an approximate search under such a filter misses chunks that pass it, or is refused in strict mode: filtered queries " +
		"score lower than the same queries would with the index",
	Of: "systems whose store says what its indexes are, when queries have filters",
	run: func(ctx context.Context, x *exam) error {
		return x.systems(ctx, live, x.filters)
	},
}

func (x *exam) filters(ctx context.Context, s *System) []Finding {
	used := x.filtered()
	if len(used) == 0 {
		return []Finding{unchecked(errors.New("no query of the test set has a filter, and generate.filters names no field"))}
	}
	if store, ok := assay.As[assay.FilterIndexer](s.Store); ok {
		return x.throughIndex(ctx, s, store)
	}
	i, err := x.inspect(ctx, s)
	if err != nil {
		return []Finding{unchecked(err)}
	}
	if i.Fields == nil {
		return []Finding{unchecked(fmt.Errorf("a store of kind %s does not say which fields have an index", s.Kind))}
	}
	var out []Finding
	for _, name := range slices.Sorted(maps.Keys(used)) {
		if f := s.fieldIndex(name, used[name], i, x.holds(ctx, s, name)); f != nil {
			out = append(out, *f)
		}
	}
	if out == nil {
		out = []Finding{healthy("%s", strings.Join(slices.Sorted(maps.Keys(used)), ", "))}
	}
	return out
}

// filtered are the fields that are filtered by, with the values that are asked of them.
func (x *exam) filtered() map[string][]any {
	out := map[string][]any{}
	for _, f := range x.setup.FilterFields {
		out[f] = nil
	}
	if x.setup.Testset != nil {
		for i := range x.setup.Testset.Queries {
			leaves(x.setup.Testset.Queries[i].Filter, func(f *assay.Filter, _ bool) {
				out[f.Field] = append(append(out[f.Field], f.In...), f.Eq, f.Ne)
			})
		}
	}
	return out
}

// leaves calls f for every condition on a field, and says whether it stands under a not.
func leaves(filter *assay.Filter, f func(condition *assay.Filter, negated bool)) {
	var walk func(filter *assay.Filter, negated bool)
	walk = func(filter *assay.Filter, negated bool) {
		if filter == nil {
			return
		}
		if filter.Field != "" {
			f(filter, negated)
		}
		for _, subs := range [][]assay.Filter{filter.And, filter.Or} {
			for i := range subs {
				walk(&subs[i], negated)
			}
		}
		walk(filter.Not, true)
	}
	walk(filter, false)
}

// holds counts the chunks read that have a field; nil when none could be read.
func (x *exam) holds(ctx context.Context, s *System, field string) *fieldUse {
	l, err := x.list(ctx, s)
	if err != nil || len(l.chunks) == 0 {
		return nil
	}
	use := &fieldUse{of: len(l.chunks)}
	for i := range l.chunks {
		if v, ok := assay.Lookup(l.chunks[i].Metadata, field); ok && v != nil {
			use.n++
			use.example = v
		}
	}
	return use
}

type fieldUse struct {
	n, of   int
	example any
}

// fieldIndex looks at one field; nil when nothing is wrong with it.
func (s *System) fieldIndex(name string, values []any, i *assay.Inspection, use *fieldUse) *Finding {
	field, indexed := i.Fields[name]
	wrong := mistyped(values, field.Type)
	switch {
	case use != nil && use.n == 0:
		f := noSuchField(name)
		return &f
	case !indexed:
		kind := "keyword"
		if use != nil {
			kind = schemaOf(use.example)
		}
		return &Finding{Status: Warning, Cause: "no_index", Found: fmt.Sprintf("the field %q is filtered by and has no payload index", name), Fix: fmt.Sprintf(
			"curl -X PUT %s/collections/%s/index -H 'Content-Type: application/json' -d '{\"field_name\": %q, \"field_schema\": %q}', best before the vectors are indexed",
			strings.TrimRight(s.Mend.URL, "/"), s.Mend.Collection, name, kind)}
	case wrong != "":
		return &Finding{Status: Fault, Cause: "wrong_type", Found: fmt.Sprintf("the field %q is indexed as %s, and queries ask for %s", name, field.Type, wrong),
			Effect: "the store compares values of one type only: the filter matches nothing, without an error, and the queries score 0",
			Fix:    fmt.Sprintf("write the filter's value as %s, or index the field by the type it has", field.Type)}
	case i.Count > 0 && field.Count < i.Count-i.Count/100:
		return &Finding{Status: Warning, Cause: "partly_indexed", Found: fmt.Sprintf("the index of the field %q (%s) holds %d of %d chunks", name, field.Type, field.Count, i.Count),
			Effect: "a chunk without the field, or with one of another type, is left out under every filter on it",
			Fix:    "set the field on every chunk, with values of one type"}
	}
	return nil
}

func noSuchField(name string) Finding {
	return Finding{Status: Fault, Cause: "no_such_field", Found: fmt.Sprintf("no chunk has the field %q that queries filter by", name),
		Effect: "such a filter matches nothing, and the store answers with an empty list and no error: the queries score 0",
		Fix:    "correct the field in the queries' filters or in generate.filters.fields, or ingest it with each chunk"}
}

// mistyped describes the first value whose type an index of a kind cannot hold; "" when all fit.
func mistyped(values []any, kind string) string {
	for _, v := range values {
		switch v := assay.NormalizeValue(v).(type) {
		case string:
			if slices.Contains([]string{"integer", "float", "bool"}, kind) {
				return fmt.Sprintf("the text %q", v)
			}
		case int64, uint64, float64:
			if slices.Contains([]string{"keyword", "text", "uuid", "bool"}, kind) {
				return fmt.Sprintf("the number %v", v)
			}
		case bool:
			if kind != "bool" && kind != "" {
				return fmt.Sprintf("the boolean %v", v)
			}
		}
	}
	return ""
}

// schemaOf is the payload index that a value needs, as Qdrant names them.
func schemaOf(v any) string {
	switch v := assay.NormalizeValue(v).(type) {
	case bool:
		return "bool"
	case int64, uint64:
		return "integer"
	case float64:
		return "float"
	case []any:
		if len(v) > 0 {
			return schemaOf(v[0])
		}
	}
	return "keyword"
}
