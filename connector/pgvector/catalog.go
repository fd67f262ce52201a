package pgvector

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/internal/nearest"
)

// info is what the server's catalog says of the table.
type info struct {
	server    string // version of Postgres
	extension string // version of pgvector
	schema    string // in which the extension's types and operators lie
	database  string

	table   pgx.Identifier // with its schema
	oid     uint32
	rows    float64 // the planner's estimate; -1 when it has none
	columns []column
	key     string
	vector  column
	indexes []index // of the vector column
	others  []part  // of the other indexes

	distance string
	known    map[string]bool // settings that the extension knows
}

// column of the table.
type column struct {
	name string
	typ  string // Postgres' name of the type, without a length: "text", "bigint", "vector"
	elem string // the type of the elements, of an array
	size int    // of a vector; 0 when the type does not fix it
}

// index over the vector column.
type index struct {
	name    string
	method  string // "hnsw" or "ivfflat"
	class   string // operator class
	options []string
	valid   bool
	partial string // its WHERE, when it covers a part of the table only
}

// distance is the one an index serves, by the name of its operator class; "" for none of ours.
func (x index) distance() string {
	for suffix, d := range map[string]string{"_cosine_ops": connector.Cosine, "_l2_ops": connector.Euclid, "_ip_ops": connector.Dot, "_l1_ops": connector.Manhattan} {
		if strings.HasSuffix(x.class, suffix) {
			return d
		}
	}
	return ""
}

const (
	serverSQL = `select current_setting('server_version'), e.extversion, n.nspname, current_database()
		from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector'`

	tableSQL = `select c.oid, n.nspname, c.relname, c.reltuples::float8 from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.oid = to_regclass($1) and c.relkind in ('r', 'p', 'v', 'm', 'f')`

	columnSQL = `select a.attname, case when t.typtype = 'd' then b.typname else t.typname end, coalesce(e.typname, ''),
			case when t.typname in ('vector', 'halfvec') then a.atttypmod else 0 end,
			coalesce((select true from pg_index i where i.indrelid = a.attrelid and i.indisprimary and i.indnkeyatts = 1 and i.indkey[0] = a.attnum), false)
		from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_type b on b.oid = t.typbasetype
			left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
		where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum`

	indexSQL = `select c.relname, m.amname, o.opcname, coalesce(c.reloptions, '{}'), i.indisvalid and i.indisready, coalesce(pg_get_expr(i.indpred, i.indrelid), '')
		from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
			join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0] join pg_opclass o on o.oid = i.indclass[0]
		where i.indrelid = $1 and a.attname = $2 and m.amname in ('hnsw', 'ivfflat') order by c.relname`
)

// fetch reads the catalog.
func (t *Table) fetch(ctx context.Context) (*info, error) {
	i := &info{known: map[string]bool{}}
	if err := t.scan(ctx, query{sql: serverSQL}, func(r pgx.Rows) error {
		return r.Scan(&i.server, &i.extension, &i.schema, &i.database)
	}); err != nil {
		return nil, err
	}
	if i.extension == "" {
		return nil, assay.WithHint(assay.Errorf(assay.KindNotFound, "inspect", t.where(), "the database has no extension vector"),
			"does url: name the database with your table? pgvector is there after CREATE EXTENSION vector")
	}
	if err := t.fetchTable(ctx, i); err != nil {
		return nil, err
	}
	if err := t.fetchColumns(ctx, i); err != nil {
		return nil, err
	}
	err := t.scan(ctx, query{indexSQL, []any{i.oid, i.vector.name}}, func(r pgx.Rows) error {
		var x index
		err := r.Scan(&x.name, &x.method, &x.class, &x.options, &x.valid, &x.partial)
		i.indexes = append(i.indexes, x)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := t.fetchParts(ctx, i); err != nil {
		return nil, err
	}
	i.distance = cmp.Or(t.settings.Distance, i.served(), connector.Cosine)
	return i, t.fetchKnown(ctx, i)
}

// scan reads the rows of a query on the catalog.
func (t *Table) scan(ctx context.Context, q query, row func(pgx.Rows) error) error {
	_, err := t.read(ctx, "inspect", nil, q, row)
	return err
}

func (t *Table) fetchTable(ctx context.Context, i *info) error {
	name, err := parseName(t.settings.Table)
	if err != nil {
		return assay.Errorf(assay.KindInvalid, "inspect", t.where(), "table: %w", err)
	}
	i.table = nil
	err = t.scan(ctx, query{tableSQL, []any{name.Sanitize()}}, func(r pgx.Rows) error {
		var schema, table string
		err := r.Scan(&i.oid, &schema, &table, &i.rows)
		i.table = pgx.Identifier{schema, table}
		return err
	})
	if err != nil {
		return err
	}
	if i.table == nil {
		return t.noTable(ctx)
	}
	return nil
}

// noTable names the tables that do hold vectors.
func (t *Table) noTable(ctx context.Context) error {
	err := assay.Errorf(assay.KindNotFound, "inspect", t.where(), "the database has no table %s", t.settings.Table)
	var names []string
	const sql = `select distinct n.nspname, c.relname from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
		join pg_type y on y.oid = a.atttypid where y.typname in ('vector', 'halfvec') and c.relkind in ('r', 'p', 'v', 'm', 'f') limit 100`
	if t.scan(ctx, query{sql: sql}, func(r pgx.Rows) error {
		var schema, table string
		err := r.Scan(&schema, &table)
		if schema != "public" {
			table = schema + "." + table
		}
		names = append(names, table)
		return err
	}) != nil {
		return err
	}
	slices.Sort(names)
	if len(names) == 0 {
		return assay.WithHint(err, "no table of this database has a column of vectors")
	}
	return assay.WithHint(err, "these have vectors%s", nearest.Suggest(t.settings.Table, names))
}

func (t *Table) fetchColumns(ctx context.Context, i *info) error {
	err := t.scan(ctx, query{columnSQL, []any{i.oid}}, func(r pgx.Rows) error {
		var c column
		var typmod int
		var primary bool
		err := r.Scan(&c.name, &c.typ, &c.elem, &typmod, &primary)
		c.size = max(0, typmod)
		if primary {
			i.key = c.name
		}
		i.columns = append(i.columns, c)
		return err
	})
	if err != nil {
		return err
	}
	return t.settle(i)
}

func (t *Table) fetchKnown(ctx context.Context, i *info) error {
	// The mention of the type loads the library where this session has not used it yet.
	sql := `select name from pg_settings where (name like 'hnsw.%' or name like 'ivfflat.%') and '[1]'::` + quote(i.schema) + `.vector is not null`
	err := t.scan(ctx, query{sql: sql}, func(r pgx.Rows) error {
		var name string
		err := r.Scan(&name)
		i.known[name] = true
		return err
	})
	if err != nil {
		return err
	}
	for name := range t.settings.Params {
		if !i.known[name] {
			return assay.WithHint(assay.Errorf(assay.KindInvalid, "inspect", t.where(), "pgvector %s has no setting %s, and Postgres would take it without effect", i.extension, name),
				"leave it out of params, or update the extension: iterative scans came with 0.8")
		}
	}
	return nil
}

// served is the distance of the first index that can be used; "" without any.
func (i *info) served() string {
	for _, x := range i.indexes {
		if x.valid && x.distance() != "" {
			return x.distance()
		}
	}
	return ""
}

// column finds a column by name.
func (i *info) column(name string) (column, bool) {
	at := slices.IndexFunc(i.columns, func(c column) bool { return c.name == name })
	if at < 0 {
		return column{}, false
	}
	return i.columns[at], true
}

// names lists the columns but for the vector.
func (i *info) names() []string {
	var out []string
	for _, c := range i.columns {
		if c.name != i.vector.name {
			out = append(out, c.name)
		}
	}
	return out
}
