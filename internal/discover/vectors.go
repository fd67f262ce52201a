package discover

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/jackc/pgx/v5"
)

// vectorsSQL lists the columns of vectors that may be read, each with the operator class of a usable index on it and, as
// JSON, the other columns of its table.
const vectorsSQL = `select n.nspname, c.relname, a.attname, greatest(a.atttypmod, 0), c.reltuples::float8,
		coalesce((select o.opcname from pg_index i join pg_opclass o on o.oid = i.indclass[0]
			where i.indrelid = c.oid and i.indkey[0] = a.attnum and i.indisvalid order by i.indexrelid limit 1), ''),
		(select coalesce(json_agg(json_build_object('name', x.attname, 'type', y.typname, 'key', coalesce(p.indnkeyatts = 1 and p.indkey[0] = x.attnum, false))
				order by x.attnum), '[]')::text
			from pg_attribute x join pg_type y on y.oid = x.atttypid left join pg_index p on p.indrelid = c.oid and p.indisprimary
			where x.attrelid = c.oid and x.attnum > 0 and not x.attisdropped and x.attnum <> a.attnum)
	from pg_attribute a join pg_type t on t.oid = a.atttypid join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
	where t.typname in ('vector', 'halfvec') and c.relkind in ('r', 'p', 'v', 'm', 'f') and not a.attisdropped and a.attnum > 0
		and has_table_privilege(c.oid, 'select') and has_schema_privilege(n.oid, 'usage') and not c.relispartition and n.nspname not like 'pg_temp%'
	order by n.nspname, c.relname, a.attnum limit 200`

// fewRows is how many rows are counted where the planner has no estimate, or a small one.
const fewRows = 100_000

// readVectors fills in the version of the extension and the columns of vectors.
func readVectors(ctx context.Context, conn *pgx.Conn, s *Server) error {
	var version string
	err := conn.QueryRow(ctx, `select 'Postgres ' || current_setting('server_version') || coalesce(
		(select ', pgvector ' || extversion from pg_extension where extname = 'vector'), ' without pgvector')`).Scan(&version)
	if err != nil {
		return err
	}
	s.Product = version
	rows, err := conn.Query(ctx, vectorsSQL)
	if err != nil {
		return err
	}
	s.Collections, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (Collection, error) {
		var schema, table, class, columns string
		var estimate float64
		var c Collection
		if err := r.Scan(&schema, &table, &c.Using, &c.Dimension, &estimate, &class, &columns); err != nil {
			return c, err
		}
		c.Name, c.Count, c.Distance = tableName(schema, table), int(estimate), distanceOf(class)
		return c, json.Unmarshal([]byte(columns), &c.Columns)
	})
	if err != nil {
		return err
	}
	for i := range s.Collections {
		if err := measure(ctx, conn, &s.Collections[i]); err != nil {
			return err
		}
	}
	return nil
}

// measure counts a small table, and looks at one vector where the column does not say its dimension.
func measure(ctx context.Context, conn *pgx.Conn, c *Collection) error {
	name, column := quoted(c.Name), pgx.Identifier{c.Using}.Sanitize()
	if c.Count < fewRows {
		if err := conn.QueryRow(ctx, "select count(*) from (select 1 from "+name+" where "+column+" is not null limit $1) x", fewRows).Scan(&c.Count); err != nil {
			return err
		}
	}
	if c.Dimension == 0 && c.Count > 0 {
		// Both types spell a vector as JSON does; their own functions may lie in any schema.
		var vector string
		if err := conn.QueryRow(ctx, "select "+column+"::text from "+name+" where "+column+" is not null limit 1").Scan(&vector); err != nil {
			return err
		}
		c.Dimension = 1 + strings.Count(vector, ",")
	}
	return nil
}

// tableName is a table as the configuration names it: without the schema where that is public, and in double quotes where a
// part holds a dot.
func tableName(schema, table string) string {
	part := func(s string) string {
		if strings.ContainsAny(s, ".") {
			return `"` + s + `"`
		}
		return s
	}
	if schema == "public" {
		return part(table)
	}
	return part(schema) + "." + part(table)
}

// quoted is the name made by tableName as SQL takes it.
func quoted(name string) string {
	var out []string
	for rest := name; rest != ""; {
		var part string
		if inner, ok := strings.CutPrefix(rest, `"`); ok {
			part, rest, _ = strings.Cut(inner, `"`)
			rest = strings.TrimPrefix(rest, ".")
		} else {
			part, rest, _ = strings.Cut(rest, ".")
		}
		out = append(out, part)
	}
	return pgx.Identifier(out).Sanitize()
}

// distanceOf reads the name of an operator class; "" when it is none of pgvector's.
func distanceOf(class string) string {
	for _, d := range [][2]string{{"_cosine_ops", "cosine"}, {"_l2_ops", "euclid"}, {"_ip_ops", "dot"}, {"_l1_ops", "manhattan"}} {
		if strings.HasSuffix(class, d[0]) {
			return d[1]
		}
	}
	return ""
}
