package chroma

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
)

// inverted says for a type of values, as "string", whether they are indexed: {"string_inverted_index": {"enabled": true}}.
type inverted map[string]map[string]struct {
	Enabled *bool `json:"enabled"`
}

// schema is what of a collection's schema concerns metadata.
type schema struct {
	Defaults inverted            `json:"defaults"`
	Keys     map[string]inverted `json:"keys"`
}

// off reports whether the index for values of a type under a key is switched off. Chroma makes one for every field by
// itself, and a schema, where the version has one, can switch it off for a type or a key, which comes first.
func (s *schema) off(key, typ string) bool {
	for _, v := range []inverted{s.Keys[key], s.Defaults} {
		if on := v[typ][typ+"_inverted_index"].Enabled; on != nil {
			return !*on
		}
	}
	return false
}

// FilterIndex implements assay.FilterIndexer: whether the field is indexed for the type of the condition's values.
func (c *Collection) FilterIndex(ctx context.Context, condition *assay.Filter) (assay.FilterIndex, error) {
	i, err := c.info.Get(ctx, c.fetch)
	if err != nil {
		return assay.FilterIndex{}, err
	}
	for _, v := range append([]any{condition.Eq, condition.Ne, condition.Gt, condition.Gte, condition.Lt, condition.Lte}, condition.In...) {
		typ := typeOf(v)
		if typ != "" && i.Schema.off(condition.Field, typ) {
			return assay.FilterIndex{Refused: true, Unused: fmt.Sprintf("%s_inverted_index, switched off in the collection's schema", typ)}, nil
		}
	}
	return assay.FilterIndex{Used: "inverted index, which Chroma makes for every field"}, nil
}

// typeOf is Chroma's name for the type of a value; "" for none.
func typeOf(v any) string {
	switch assay.NormalizeValue(v).(type) {
	case string:
		return "string"
	case bool:
		return "bool"
	case int64:
		return "int"
	case float64:
		return "float"
	}
	return ""
}
