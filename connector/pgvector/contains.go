package pgvector

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

// contains are conditions that hold whenever a field is one of the values, in the one form that a GIN index serves:
// containment. They stand beside the exact condition and change no result; without such an index there are none, since
// Postgres guesses worse how many rows contain something than how many equal it.
func (b *builder) contains(x operand, values []any) []string {
	switch {
	case x.form == array && b.info.gin(x.column, ""):
		if c := b.overlaps(x, values); c != "" {
			return []string{c}
		}
	case x.form == inJSON && x.path != "" && b.info.gin(x.column, "jsonb"):
		if c := b.holdsKey(x, values); c != "" {
			return []string{c}
		}
	}
	return nil
}

// overlaps is for an array column of text or whole numbers; "" for others.
func (b *builder) overlaps(x operand, values []any) string {
	switch x.typ {
	case "text", "varchar":
		var of []string
		for _, v := range values {
			if s, ok := v.(string); ok {
				of = append(of, s)
			}
		}
		return fmt.Sprintf("%s && %s::text[]::%s[]", x.expr, b.arg(of), x.typ)
	case "int8":
		var of []int64
		for _, v := range values {
			if n, ok := assay.NormalizeValue(v).(int64); ok {
				of = append(of, n)
			} else if _, number := digits(v); number {
				return "" // 2.0 is equal to a 2, and is not among the bigint
			}
		}
		return fmt.Sprintf("%s && %s::bigint[]", x.expr, b.arg(of))
	}
	return ""
}

// holdsKey is for a path into a jsonb column: the value itself there, or a list that holds it, under every way to read
// a path with dots.
func (b *builder) holdsKey(x operand, values []any) string {
	if strings.Count(x.path, ".") >= mostSplits {
		return ""
	}
	var out []string
	for _, v := range values {
		value := v
		if s, number := digits(assay.NormalizeValue(v)); number {
			value = json.Number(s)
		}
		for _, keys := range splits(x.path) {
			for _, leaf := range []any{value, []any{value}} {
				for i := len(keys) - 1; i >= 0; i-- {
					leaf = map[string]any{keys[i]: leaf}
				}
				text, err := json.Marshal(leaf)
				if err != nil {
					return ""
				}
				out = append(out, fmt.Sprintf("t.%s @> %s::text::jsonb", quote(x.column), b.arg(string(text))))
			}
		}
	}
	return "(" + strings.Join(out, " or ") + ")"
}

// splits are the ways to read a dotted path as keys one inside the other.
func splits(path string) [][]string {
	out := [][]string{{path}}
	for i := range len(path) {
		if path[i] != '.' {
			continue
		}
		for _, rest := range splits(path[i+1:]) {
			out = append(out, append([]string{path[:i]}, rest...))
		}
	}
	return out
}
