package pgvector

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/assay-eval/assay"
)

// part is one column or expression of an index that is not over the vectors.
type part struct {
	index  string
	method string // "btree", "gin"
	class  string // operator class
	what   string // as in its definition: a column, or an expression
	column string // "" for an expression
	valid  bool
}

const partSQL = `select c.relname, m.amname, o.opcname, pg_get_indexdef(i.indexrelid, k, true), coalesce(a.attname, ''), i.indisvalid and i.indisready
	from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam cross join generate_series(1, i.indnkeyatts) k
		join pg_opclass o on o.oid = i.indclass[k - 1] left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[k - 1] and a.attnum > 0
	where i.indrelid = $1 and m.amname not in ('hnsw', 'ivfflat') order by c.relname, k`

func (t *Table) fetchParts(ctx context.Context, i *info) error {
	return t.scan(ctx, query{partSQL, []any{i.oid}}, func(r pgx.Rows) error {
		var p part
		err := r.Scan(&p.index, &p.method, &p.class, &p.what, &p.column, &p.valid)
		i.others = append(i.others, p)
		return err
	})
}

// gin reports whether a GIN index can find what a column contains. typ is that of the column, where it matters.
func (i *info) gin(column, typ string) bool {
	if c, ok := i.column(column); !ok || typ != "" && c.typ != typ {
		return false
	}
	return slices.ContainsFunc(i.others, func(p part) bool {
		return p.column == column && p.method == "gin" && p.valid && slices.Contains([]string{"jsonb_ops", "jsonb_path_ops", "array_ops"}, p.class)
	})
}

// FilterIndex asks the planner for the index that the condition goes through: with full scans discouraged, it takes one that
// can serve the very condition that a search sends, whatever it is over.
func (t *Table) FilterIndex(ctx context.Context, condition *assay.Filter) (assay.FilterIndex, error) {
	i, err := t.info.Get(ctx, t.fetch)
	if err != nil {
		return assay.FilterIndex{}, t.failure(ctx, "inspect", err)
	}
	b := &builder{info: i, json: t.settings.JSON}
	x, err := b.operand(condition.Field)
	if err != nil {
		return assay.FilterIndex{}, t.refused(err)
	}
	b.args = nil
	where, err := b.filter(condition)
	if err != nil {
		return assay.FilterIndex{}, t.refused(err)
	}
	var plan string
	sql := "explain (format json, costs off) select 1 from " + i.table.Sanitize() + " t" + where
	if _, err := t.read(ctx, "inspect", []setting{{"enable_seqscan", "off"}}, query{sql, b.args}, func(r pgx.Rows) error { return r.Scan(&plan) }); err != nil {
		return assay.FilterIndex{}, err
	}
	out := assay.FilterIndex{Used: usedIndex(plan), Lossy: i.served() != ""}
	if out.Used == "" {
		out.Unused, out.Create = i.onField(x), createIndex(i, condition, x)
	}
	return out, nil
}

// otherTexts are types of text that are compared as text, so that an index must be over them as text.
var otherTexts = []string{"bpchar", "name", "citext", "uuid"}

// usedIndex is the first index of a plan that a condition goes through, rather than one that is read from end to end.
func usedIndex(plan string) string {
	type node struct {
		Name  string `json:"Index Name"`
		Cond  string `json:"Index Cond"`
		Plans []node `json:"Plans"`
	}
	var plans []struct{ Plan node }
	if json.Unmarshal([]byte(plan), &plans) != nil {
		return ""
	}
	var find func(n node) string
	find = func(n node) string {
		if n.Name != "" && n.Cond != "" {
			return n.Name
		}
		for _, sub := range n.Plans {
			if name := find(sub); name != "" {
				return name
			}
		}
		return ""
	}
	for _, p := range plans {
		if name := find(p.Plan); name != "" {
			return name
		}
	}
	return ""
}

// onField is an index that is over the field in some form; "" without one.
func (i *info) onField(x operand) string {
	for _, p := range i.others {
		if p.column == x.column && x.path == "" || p.column == "" && strings.Contains(p.what, x.column) && strings.Contains(p.what, "'"+x.path+"'") ||
			p.column == x.column && x.path != "" && p.method == "gin" {
			return fmt.Sprintf("%s (%s, %s)", p.index, p.method, p.what)
		}
	}
	return ""
}

// createIndex is the statement that makes an index which serves a condition; "" when none can.
func createIndex(i *info, f *assay.Filter, x operand) string {
	bounds := f.Gt != nil || f.Gte != nil || f.Lt != nil || f.Lte != nil
	if f.Eq == nil && f.In == nil && !bounds {
		return "" // what is not, no index finds
	}
	over, column := "", plain(x.column)
	switch {
	case x.form == scalar && slices.Contains(otherTexts, x.typ):
		over = "((" + column + "::text))"
	case x.form == scalar && (x.typ == "text" || x.typ == "varchar") && bounds:
		over = "(" + column + ` collate "C")`
	case x.form == scalar:
		over = "(" + column + ")"
	case bounds:
		return ""
	case x.form == array && slices.Contains([]string{"text", "varchar", "int8"}, x.typ):
		over = "using gin (" + column + ")"
	case x.form == inJSON && x.path != "":
		if c, _ := i.column(x.column); c.typ == "jsonb" {
			over = "using gin (" + column + " jsonb_path_ops)"
		}
	}
	if over == "" {
		return ""
	}
	table := plain(i.table[1])
	if i.table[0] != "public" {
		table = plain(i.table[0]) + "." + table
	}
	return fmt.Sprintf("create index on %s %s; analyze %[1]s;", table, over)
}

// plain is a name as a person writes it: quoted where it must be, and where it might be a word of SQL no harm is done.
func plain(name string) string {
	for i, r := range name {
		if r != '_' && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			return quote(name)
		}
	}
	return name
}
