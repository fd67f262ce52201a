package config

import (
	"reflect"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/secret"
)

// RetrieverSchema is one kind of retriever with the JSON Schema of each of its settings.
type RetrieverSchema struct {
	Kind     string
	Help     string
	Required []string
	Settings map[string]any
}

// Schema is the JSON Schema of assay.yaml, for editors. It is made from the tags that the decoder reads.
func Schema(kinds []RetrieverSchema) map[string]any {
	g := schemaMaker{kinds}
	root := g.of(reflect.TypeFor[Config]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "assay.yaml"
	return root
}

type schemaMaker struct{ kinds []RetrieverSchema }

func (g schemaMaker) of(t reflect.Type) map[string]any {
	switch t {
	case reflect.TypeFor[time.Duration]():
		return map[string]any{"type": "string", "pattern": `^([0-9.]+(ns|us|µs|ms|s|m|h))+$`}
	case reflect.TypeFor[secret.Ref]():
		return secretSchema()
	case reflect.TypeFor[Header]():
		return map[string]any{"anyOf": []any{map[string]any{"type": "string"}, secretSchema()}}
	case reflect.TypeFor[Workers]():
		return map[string]any{"anyOf": []any{map[string]any{"const": "auto"}, map[string]any{"type": "integer", "minimum": 0}}}
	case reflect.TypeFor[Retriever]():
		return g.retriever()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.of(t.Elem())
	case reflect.Struct:
		return g.structure(t)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Struct {
			return map[string]any{"type": "object", "additionalProperties": g.of(t.Elem())}
		}
		return map[string]any{"type": "array", "items": g.of(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": g.of(t.Elem())}
	case reflect.Interface:
		return map[string]any{}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	}
	return map[string]any{"type": "integer"}
}

func secretSchema() map[string]any {
	text := map[string]any{"type": "string"}
	return map[string]any{"type": "object", "properties": map[string]any{"env": text, "file": text},
		"minProperties": 1, "maxProperties": 1, "additionalProperties": false}
}

func (g schemaMaker) structure(t reflect.Type) map[string]any {
	properties := map[string]any{}
	var required []string
	for _, f := range structFields(reflect.New(t).Elem()) {
		s := g.of(f.value.Type())
		s["description"] = f.doc
		if len(f.enum) > 0 {
			s["enum"] = f.enum
		}
		properties[f.key] = s
		if f.required {
			required = append(required, f.key)
		}
	}
	out := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// retriever is one of the kinds, told apart by the key kind.
func (g schemaMaker) retriever() map[string]any {
	var names []string
	var variants []any
	for _, k := range g.kinds {
		names = append(names, k.Kind)
		properties := map[string]any{"kind": map[string]any{"const": k.Kind, "description": k.Help}}
		for name, s := range k.Settings {
			properties[name] = s
		}
		variants = append(variants, map[string]any{"type": "object", "properties": properties,
			"required": append([]string{"kind"}, k.Required...), "additionalProperties": false})
	}
	return map[string]any{"description": "a kind of retriever (" + strings.Join(names, ", ") + ") and its settings", "oneOf": variants}
}
