package pgvector

import (
	"fmt"
	"strconv"
	"time"

	"github.com/assay-eval/assay"
)

// compare is the comparison of an expression of a type with a value. A value of another kind than the type's is equal to
// none and beyond no bound: false. What Postgres would compare otherwise than the filter means is an error.
func (b *builder) compare(typ, x, operator string, value any) (string, error) {
	value = assay.NormalizeValue(value)
	switch typ {
	case "json":
		return b.compareJSON(x, operator, value)
	case "text", "varchar", "bpchar", "name", "citext", "uuid":
		s, ok := value.(string)
		if !ok {
			return "false", nil
		}
		if typ != "text" && typ != "varchar" {
			x += "::text" // citext would not tell case, bpchar not trailing blanks
		}
		if operator != "=" {
			x += ` collate "C"` // the filter orders text by its bytes
		}
		return fmt.Sprintf("%s %s %s::text", x, operator, b.arg(s)), nil
	case "int2", "int4", "int8":
		if n, ok := value.(int64); ok {
			return fmt.Sprintf("%s %s %s::bigint", x, operator, b.arg(n)), nil
		}
		return b.number(x+"::numeric", operator, value), nil
	case "numeric":
		return b.real(x, b.number(x, operator, value)), nil
	case "float4", "float8":
		return b.float(x, operator, value)
	case "bool":
		if v, ok := value.(bool); ok {
			return fmt.Sprintf("%s %s %s::boolean", x, operator, b.arg(v)), nil
		}
		return "false", nil
	case "timestamptz", "timestamp", "date":
		return b.moment(typ, x, operator, value)
	}
	return "", fmt.Errorf("a column of type %s cannot be filtered by", typ)
}

// digits are a number as Postgres reads it, exactly.
func digits(value any) (string, bool) {
	switch v := value.(type) {
	case int64:
		return strconv.FormatInt(v, 10), true
	case uint64:
		return strconv.FormatUint(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), true
	}
	return "", false
}

func (b *builder) number(x, operator string, value any) string {
	s, ok := digits(value)
	if !ok {
		return "false"
	}
	return fmt.Sprintf("%s %s %s::text::numeric", x, operator, b.arg(s))
}

// real leaves out NaN, which Postgres takes for the largest number and for equal to itself.
func (b *builder) real(x, condition string) string {
	if condition == "false" {
		return condition
	}
	return fmt.Sprintf("(%s and %s <> 'NaN')", condition, x)
}

func (b *builder) float(x, operator string, value any) (string, error) {
	switch v := value.(type) {
	case int64:
		if v > 1<<53 || v < -(1<<53) {
			return "", fmt.Errorf("%d is beyond what the floating-point column holds exactly", v)
		}
		value = float64(v)
	case uint64:
		return "", fmt.Errorf("%d is beyond what the floating-point column holds exactly", v)
	case float64:
	default:
		return "false", nil
	}
	return b.real(x, fmt.Sprintf("%s %s %s::float8", x, operator, b.arg(value))), nil
}

// moments are the spellings of a time that a filter may use: those in which Postgres shows it in JSON, and dates.
var moments = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", time.DateOnly}

func (b *builder) moment(typ, x, operator string, value any) (string, error) {
	s, ok := value.(string)
	if !ok {
		return "false", nil
	}
	for _, layout := range moments {
		if _, err := time.Parse(layout, s); err == nil {
			return fmt.Sprintf("%s %s %s::text::%s", x, operator, b.arg(s), typ), nil
		}
	}
	return "", fmt.Errorf("%q is no time; write 2026-12-02 or 2026-12-02T10:00:00Z", s)
}

// compareJSON compares a JSON value with a value of the same kind. Postgres keeps the digits of JSON numbers.
func (b *builder) compareJSON(x, operator string, value any) (string, error) {
	kind, cast, arg := "", "", any(nil)
	switch v := value.(type) {
	case string:
		kind, cast, arg = "string", "text", v
	case bool:
		kind, cast, arg = "boolean", "boolean", v
	default:
		s, ok := digits(value)
		if !ok {
			return "", fmt.Errorf("%v is no text, number or boolean", value)
		}
		kind, cast, arg = "number", "text::numeric", s
	}
	if operator == "=" {
		return fmt.Sprintf("%s = to_jsonb(%s::%s)", x, b.arg(arg), cast), nil
	}
	order := map[string]string{"string": `(%[1]s #>> '{}') collate "C"`, "boolean": "(%[1]s #>> '{}')::boolean", "number": "(%[1]s #>> '{}')::numeric"}[kind]
	return fmt.Sprintf("case when jsonb_typeof(%s) = '%s' then %s %s %s::%s else false end", x, kind, fmt.Sprintf(order, x), operator, b.arg(arg), cast), nil
}
