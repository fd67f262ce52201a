package pgvector

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/assay-eval/assay"
)

// Inspect reads the table's columns, indexes and size, anew each time. Config holds what shapes a result; Warnings what
// would make a number measured now misleading.
func (t *Table) Inspect(ctx context.Context) (assay.Inspection, error) {
	i, err := t.fetch(ctx)
	if err != nil {
		return assay.Inspection{}, t.failure(ctx, "inspect", err)
	}
	out := assay.Inspection{Kind: Kind, Server: "PostgreSQL " + i.server + ", pgvector " + i.extension, Distance: i.distance, Dimension: i.vector.size, Ready: true}
	rows := 0
	if err := t.scan(ctx, query{sql: "select count(*), count(t." + quote(i.vector.name) + ") from " + i.table.Sanitize() + " t"}, func(r pgx.Rows) error {
		return r.Scan(&rows, &out.Count)
	}); err != nil {
		return assay.Inspection{}, err
	}
	if out.Dimension == 0 {
		if out.Dimension, err = t.dimension(ctx, i); err != nil {
			return assay.Inspection{}, err
		}
	}
	effective, err := t.effective(ctx, i)
	if err != nil {
		return assay.Inspection{}, err
	}
	out.Config = t.describe(i, effective, out.Dimension)
	building, err := t.building(ctx, i)
	if err != nil {
		return assay.Inspection{}, err
	}
	out.Warnings, out.Ready = t.warnings(i, rows-out.Count, building)
	out.Raw, err = json.Marshal(out.Config)
	return out, err
}

// dimension looks at one vector where the column's type does not fix it.
func (t *Table) dimension(ctx context.Context, i *info) (int, error) {
	n := 0
	sql := fmt.Sprintf("select %s.vector_dims(t.%s) from %s t where t.%[2]s is not null limit 1", quote(i.schema), quote(i.vector.name), i.table.Sanitize())
	return n, t.scan(ctx, query{sql: sql}, func(r pgx.Rows) error { return r.Scan(&n) })
}

// effective reads the settings of a search as they will be in force, by setting them and reading them back.
func (t *Table) effective(ctx context.Context, i *info) (map[string]any, error) {
	out := map[string]any{}
	for _, name := range knownParams {
		if !i.known[name] || len(i.indexes) > 0 && !strings.HasPrefix(name, i.indexes[0].method+".") {
			continue
		}
		if v, ok := t.settings.Params[name]; ok {
			out[name] = fmt.Sprint(v)
			continue
		}
		var value *string
		if err := t.scan(ctx, query{"select current_setting($1, true)", []any{name}}, func(r pgx.Rows) error { return r.Scan(&value) }); err != nil {
			return nil, err
		}
		if value != nil {
			out[name] = *value
		}
	}
	return out, nil
}

// building reports whether an index of the table is being made now.
func (t *Table) building(ctx context.Context, i *info) (bool, error) {
	n := 0
	err := t.scan(ctx, query{"select count(*) from pg_stat_progress_create_index where relid = $1", []any{i.oid}}, func(r pgx.Rows) error { return r.Scan(&n) })
	return n > 0, err
}

// describe is the plain record of what shapes the results.
func (t *Table) describe(i *info, effective map[string]any, dimension int) map[string]any {
	out := map[string]any{"collection": strings.Join(i.table, "."), "database": i.database, "vector": i.vector.name, "datatype": i.vector.typ, "distance": i.distance}
	if dimension > 0 {
		out["dimension"] = int64(dimension)
	}
	params := map[string]any{}
	for _, x := range i.indexes {
		if x.distance() != i.distance || !x.valid {
			continue
		}
		index := map[string]any{"class": x.class}
		for _, o := range x.options {
			if k, v, ok := strings.Cut(o, "="); ok {
				index[k] = v
			}
		}
		if x.partial != "" {
			index["where"] = x.partial
		}
		params[x.method] = index
	}
	if len(params) == 0 {
		params["none"] = "every row is compared"
	} else if len(effective) > 0 {
		params["search"] = effective
	}
	out["index_params"] = params
	return out
}

// warnings says what is wrong with the table and whether it is ready.
func (t *Table) warnings(i *info, empty int, building bool) (out []assay.Warning, ready bool) {
	ready = true
	add := func(code, format string, args ...any) {
		out = append(out, assay.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
	}
	if building {
		ready = false
		add("index_building", "an index of %s is being built: what is measured now is not what will be served", t.settings.Table)
	}
	served := false
	for _, x := range i.indexes {
		if !x.valid {
			ready = false
			add("index_invalid", "the index %s is invalid, as a build that failed leaves it, and Postgres does not use it: REINDEX INDEX %s", x.name, quote(x.name))
			continue
		}
		served = served || x.distance() == i.distance
	}
	if len(i.indexes) > 0 && !served {
		add("index_not_used", "vectors are compared by %s, and the index %s is of class %s, so that Postgres compares every row: exact, and slow. Set distance: to what "+
			"the application uses, and build the index for it", i.distance, i.indexes[0].name, i.indexes[0].class)
	}
	for _, x := range i.indexes {
		if x.valid && x.distance() != "" && x.distance() != i.distance && served {
			add("indexes_differ", "there are indexes for %s and for %s: make sure that the application compares by %s", i.distance, x.distance(), i.distance)
			break
		}
	}
	if empty > 0 {
		add("vector_missing", "%d rows have no vector, and no search finds them", empty)
	}
	return out, ready
}
