// Package option derives everything that is said about a connector's settings from one struct: the
// check of a configuration file, the values the connector is built with, and the reference
// documentation. A setting that exists in only some of these cannot happen.
//
// A settings struct tags its fields:
//
//	Collection string `option:"collection,required" help:"name or alias of the collection"`
//	Page       int    `option:"page" default:"256" min:"1" help:"points per page of a listing"`
//	Order      string `option:"score_order" enum:"desc,asc" default:"desc" help:"..."`
//
// Fields may be string, bool, int, float64, time.Duration, []string, map[string]any, any, secret.Value
// (given as {env: NAME} or {file: PATH}), Headers, Secrets and Arguments. An embedded struct lends its fields. A string
// tagged path:"" is a file, relative to the folder of the configuration.
package option

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/secret"
)

// Option describes one setting, as data for documentation and completion.
type Option struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"` // "text", "number", "integer", "boolean", "duration", "list", "map", "secret", "headers", "secrets", "arguments", "any"
	Help     string   `json:"help"`
	Default  string   `json:"default,omitempty"`
	Values   []string `json:"values,omitempty"` // the only values allowed
	Required bool     `json:"required,omitempty"`
	Secret   bool     `json:"secret,omitempty"`
}

// Of lists the options of a settings struct (or a pointer to one), in the order of its fields. A field
// of an unknown type or a broken default is a mistake of the programmer and panics.
func Of(settings any) []Option {
	t := reflect.TypeOf(settings)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var out []Option
	for _, f := range fields(t) {
		if f.Default != "" {
			if problems := setField(reflect.New(f.typ).Elem(), f, f.Default, Env{}); len(problems) > 0 {
				panic(fmt.Sprintf("option: default %q: %v", f.Default, problems))
			}
		}
		out = append(out, f.Option)
	}
	return out
}

// Names lists the names of options.
func Names(options []Option) []string {
	names := make([]string, len(options))
	for i, o := range options {
		names[i] = o.Name
	}
	return names
}

// field is an Option with its place in the struct.
type field struct {
	Option
	index []int
	typ   reflect.Type
	path  bool
	min   string
}

func fields(t reflect.Type) []field {
	var out []field
	for _, f := range reflect.VisibleFields(t) {
		tag, ok := f.Tag.Lookup("option")
		if !ok {
			continue
		}
		name, rest, _ := strings.Cut(tag, ",")
		o := Option{Name: name, Type: typeName(f.Type), Help: f.Tag.Get("help"), Default: f.Tag.Get("default"),
			Required: rest == "required", Secret: f.Type == secretType}
		if e := f.Tag.Get("enum"); e != "" {
			o.Values = strings.Split(e, ",")
		}
		_, path := f.Tag.Lookup("path")
		out = append(out, field{o, f.Index, f.Type, path, f.Tag.Get("min")})
	}
	return out
}

var (
	secretType    = reflect.TypeFor[secret.Value]()
	headersType   = reflect.TypeFor[Headers]()
	secretsType   = reflect.TypeFor[Secrets]()
	argumentsType = reflect.TypeFor[Arguments]()
	durationType  = reflect.TypeFor[time.Duration]()
	listType      = reflect.TypeFor[[]string]()
	mapType       = reflect.TypeFor[map[string]any]()
	anyType       = reflect.TypeFor[any]()
)

func typeName(t reflect.Type) string {
	switch t {
	case secretType:
		return "secret"
	case headersType:
		return "headers"
	case secretsType:
		return "secrets"
	case argumentsType:
		return "arguments"
	case durationType:
		return "duration"
	case listType:
		return "list"
	case mapType:
		return "map"
	case anyType:
		return "any"
	}
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "boolean"
	case reflect.Int:
		return "integer"
	case reflect.Float64:
		return "number"
	}
	panic("option: no setting can have the type " + t.String())
}
