package pgvector

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/nearest"
)

// builder makes the condition of a statement. Values become parameters; what it writes into the text are
// operators, quoted names of columns that exist, and placeholders.
type builder struct {
	info *info
	json string // the column whose keys are fields
	args []any
}

// sense is what becomes of a condition's value. Under affirmed, unknown counts as false, as in WHERE itself, and the bare
// comparison is written, which an index can serve. Under exact, somewhere inside a not, unknown must be made false first.
type sense int

const (
	affirmed sense = iota
	exact
)

// arg adds a parameter and returns its placeholder.
func (b *builder) arg(v any) string {
	b.args = append(b.args, v)
	return fmt.Sprintf("$%d", len(b.args))
}

// filter is the WHERE clause of a filter, with a blank in front; "" for nil.
func (b *builder) filter(f *assay.Filter) (string, error) {
	if f == nil {
		return "", nil
	}
	c, err := b.condition(f, affirmed)
	return " where " + c, err
}

// condition is an expression that is true when the filter passes a row; in the exact sense it is otherwise false and never
// null, so that not means what the filter says.
func (b *builder) condition(f *assay.Filter, s sense) (string, error) {
	switch {
	case f.Native != nil:
		return "", fmt.Errorf("native: for Postgres that would be SQL inside a test set, which is not run; use the neutral form")
	case f.Not != nil:
		c, err := b.condition(f.Not, exact)
		return "not " + c, err
	case f.And != nil:
		return b.join(f.And, " and ", s)
	case f.Or != nil:
		return b.join(f.Or, " or ", s)
	}
	return b.leaf(f, s)
}

func (b *builder) join(subs []assay.Filter, word string, s sense) (string, error) {
	out := make([]string, len(subs))
	for i := range subs {
		c, err := b.condition(&subs[i], s)
		if err != nil {
			return "", err
		}
		out[i] = c
	}
	return "(" + strings.Join(out, word) + ")", nil
}

func (b *builder) leaf(f *assay.Filter, s sense) (string, error) {
	x, err := b.operand(f.Field)
	if err != nil {
		return "", err
	}
	var all []string
	add := func(not string, test func(value string) (string, error)) error {
		within := s
		if not != "" {
			within = exact
		}
		c, err := x.any(within, test)
		all = append(all, not+c)
		return err
	}
	if f.Exists != nil {
		c := x.exists()
		if !*f.Exists {
			c = "not " + c
		}
		all = append(all, c)
	}
	for _, o := range []struct {
		name, not string
		values    []any
	}{{"eq", "", one(f.Eq)}, {"ne", "not ", one(f.Ne)}, {"in", "", f.In}} {
		if o.values == nil {
			continue
		}
		if err := add(o.not, func(v string) (string, error) { return b.equalsAny(x, v, o.values) }); err != nil {
			return "", fmt.Errorf("field %s: %s: %w", f.Field, o.name, err)
		}
		if o.not == "" && s == affirmed {
			all = append(all, b.contains(x, o.values)...)
		}
	}
	bounds := []bound{{">", f.Gt}, {">=", f.Gte}, {"<", f.Lt}, {"<=", f.Lte}}
	if f.Gt != nil || f.Gte != nil || f.Lt != nil || f.Lte != nil {
		if err := add("", func(v string) (string, error) { return b.within(x, v, bounds) }); err != nil {
			return "", fmt.Errorf("field %s: %w", f.Field, err)
		}
	}
	return "(" + strings.Join(all, " and ") + ")", nil
}

func one(v any) []any {
	if v == nil {
		return nil
	}
	return []any{v}
}

type bound struct {
	operator string
	value    any
}

func (b *builder) equalsAny(x operand, v string, values []any) (string, error) {
	out := make([]string, len(values))
	for i, want := range values {
		c, err := b.compare(x.typ, v, "=", want)
		if err != nil {
			return "", err
		}
		out[i] = c
	}
	return "(" + strings.Join(out, " or ") + ")", nil
}

// within holds one value to all bounds: of a list, one element must keep them all.
func (b *builder) within(x operand, v string, bounds []bound) (string, error) {
	var out []string
	for _, limit := range bounds {
		if limit.value == nil {
			continue
		}
		c, err := b.compare(x.typ, v, limit.operator, limit.value)
		if err != nil {
			return "", err
		}
		out = append(out, c)
	}
	return "(" + strings.Join(out, " and ") + ")", nil
}

// operand is where a field's value, or its values, lie.
type operand struct {
	form   form
	expr   string
	typ    string // of one value; "json" for a JSON value
	column string
	path   string // below a JSON column; "" for the column itself
}

type form int

const (
	scalar form = iota
	array       // an array column: its elements are the values
	inJSON      // a JSON value: itself, or its elements when it is an array
)

// operand finds a field: a column, a path into a JSON column, or a key of the column of metadata. A field that is
// nowhere is refused with the nearest name: a table has the columns it has, and a misspelt one would match nothing.
func (b *builder) operand(field string) (operand, error) {
	if c, ok := b.info.column(field); ok {
		expr := "t." + quote(c.name)
		switch {
		case c.elem != "":
			return operand{array, expr, c.elem, field, ""}, nil
		case c.typ == "json" || c.typ == "jsonb":
			return operand{inJSON, expr + "::jsonb", "json", field, ""}, nil
		}
		return operand{scalar, expr, c.typ, field, ""}, nil
	}
	column, path := b.json, field
	if first, rest, nested := strings.Cut(field, "."); nested {
		if c, ok := b.info.column(first); ok && (c.typ == "json" || c.typ == "jsonb") {
			column, path = first, rest
		}
	}
	if column == "" {
		return operand{}, fmt.Errorf("the table has no column %q%s", field, nearest.Suggest(field, b.info.names()))
	}
	return operand{inJSON, b.lookup("t."+quote(column)+"::jsonb", path), "json", column, path}, nil
}

// mostSplits bounds the ways in which a path with dots is read as keys.
const mostSplits = 4

// lookup reads a dotted path as assay.Lookup does: a key that holds the dots itself comes first, the longest before.
func (b *builder) lookup(expr, path string) string {
	direct := "(" + expr + " -> " + b.arg(path) + "::text)"
	dots := strings.Count(path, ".")
	if dots == 0 {
		return direct
	}
	if dots >= mostSplits {
		return "(" + expr + " #> " + b.arg(strings.Split(path, ".")) + "::text[])"
	}
	ways := []string{direct}
	for i := strings.LastIndexByte(path, '.'); i > 0; i = strings.LastIndexByte(path[:i], '.') {
		ways = append(ways, b.lookup("("+expr+" -> "+b.arg(path[:i])+"::text)", path[i+1:]))
	}
	return "coalesce(" + strings.Join(ways, ", ") + ")"
}

// any is true when a test holds for the value, or for any of several.
func (x operand) any(s sense, test func(value string) (string, error)) (string, error) {
	value := x.expr
	if x.form != scalar {
		value = "e.v"
	}
	c, err := test(value)
	switch x.form {
	case array:
		c = fmt.Sprintf("exists (select 1 from unnest(%s) e(v) where %s)", x.expr, c)
	case inJSON:
		c = fmt.Sprintf("exists (select 1 from jsonb_array_elements(case jsonb_typeof(%[1]s) when 'array' then %[1]s else jsonb_build_array(%[1]s) end) e(v) where %[2]s)", x.expr, c)
	case scalar:
		if s == exact {
			c = "coalesce(" + c + ", false)"
		}
	}
	return c, err
}

// exists is true when there is a value.
func (x operand) exists() string {
	switch x.form {
	case array:
		return fmt.Sprintf("coalesce(cardinality(%s) > 0, false)", x.expr)
	case inJSON:
		return fmt.Sprintf("case when %[1]s is null or jsonb_typeof(%[1]s) = 'null' then false when jsonb_typeof(%[1]s) = 'array' then jsonb_array_length(%[1]s) > 0 else true end", x.expr)
	}
	return "(" + x.expr + " is not null)"
}
