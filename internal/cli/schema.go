package cli

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
	"github.com/assay-eval/assay/connector/all"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/generate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/nearest"
	"github.com/assay-eval/assay/label"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/score"
)

// documents are the kinds of JSON that assay writes or keeps, by the name that `assay schema` takes.
var documents = map[string]any{
	"add":               addDocument{},
	"agree":             agreeDocument{},
	"baseline":          baselineDocument{},
	"checks":            checksDocument{},
	"compare":           compare.Result{},
	"completion":        completionDocument{},
	"config-check":      configCheckDocument{},
	"doctor":            doctorDocument{},
	"error":             errorDocument{},
	"export":            exportDocument{},
	"filter":            assay.Filter{},
	"gate":              gate.Verdict{},
	"generate":          generateDocument{},
	"generate-estimate": estimateDocument{},
	"help":              helpDocument{},
	"history":           historyDocument{},
	"import":            importDocument{},
	"init":              initDocument{},
	"judge":             judgeDocument{},
	"judge-card":        label.Card{},
	"judge-check":       judgeCheckDocument{},
	"judge-failure":     label.Failure{},
	"judge-prompt":      promptDocument{},
	"label":             assay.Label{},
	"labels":            labelsDocument{},
	"label-pool":        labelDocument{},
	"measures":          measuresDocument{},
	"passage":           ledger.Passage{},
	"queries":           queriesDocument{},
	"query":             assay.Query{},
	"query-detail":      queryDetail{},
	"record":            ledger.Record{},
	"reject":            generate.Reject{},
	"rejects":           rejectsDocument{},
	"report":            reportDocument{},
	"reports":           reportsDocument{},
	"result":            assay.Result{},
	"run":               ledger.RunInfo{},
	"run-summary":       runsView{},
	"runs":              runsDocument{},
	"score":             scoreReport{},
	"scores":            score.QueryLine{},
	"search":            searchDocument{},
	"stores":            storesDocument{},
	"version":           versionDocument{},
}

func newSchema(a *app) *cobra.Command {
	names := append(slices.Collect(maps.Keys(documents)), "config")
	slices.Sort(names)
	return &cobra.Command{
		Use:       "schema KIND",
		Short:     "The JSON Schema of a file or of a command's --json document",
		Long:      "Prints the JSON Schema of one kind of JSON that assay reads or writes:\n  " + strings.Join(names, ", "),
		Example:   "assay schema config > assay.schema.json",
		Args:      cobra.ExactArgs(1),
		ValidArgs: names,
		RunE: func(_ *cobra.Command, args []string) error {
			if args[0] == "config" {
				return a.writeJSON(config.Schema(retrieverSchemas()))
			}
			doc, ok := documents[args[0]]
			if !ok {
				return assay.Usagef("%q is no kind of document%s", args[0], nearest.Suggest(args[0], names))
			}
			return a.writeJSON(documentSchema(doc))
		},
	}
}

// documentSchema reflects a type. Those that write their JSON themselves are described by hand.
func documentSchema(doc any) *jsonschema.Schema {
	r := jsonschema.Reflector{DoNotReference: true, AllowAdditionalProperties: true, Mapper: byHand, Anonymous: true}
	return r.Reflect(doc)
}

func byHand(t reflect.Type) *jsonschema.Schema {
	number := func(names ...string) *jsonschema.Schema {
		s := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties()}
		for _, n := range names {
			s.Properties.Set(n, &jsonschema.Schema{Type: "number"})
		}
		return s
	}
	switch t {
	case reflect.TypeFor[assay.Timings]():
		s := number("embed", "search", "fuse", "rerank", "total")
		s.Description = "milliseconds; a stage that did not happen is absent"
		return s
	case reflect.TypeFor[score.Resolution]():
		s := &jsonschema.Schema{Type: "object", Description: "hits by the way they were matched with a label; ways without any are absent"}
		s.AdditionalProperties = &jsonschema.Schema{Type: "integer"}
		return s
	case reflect.TypeFor[assay.Failure]():
		s := number()
		for _, n := range []string{"kind", "message"} {
			s.Properties.Set(n, &jsonschema.Schema{Type: "string"})
		}
		s.Required = []string{"kind", "message"}
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "null"}}, Description: "why there is no ranking; null where there is one"}
	case reflect.TypeFor[ledger.Time]():
		return &jsonschema.Schema{Type: "string", Format: "date-time"}
	case reflect.TypeFor[assay.Filter]():
		return &jsonschema.Schema{Type: "object", Description: "a neutral filter; see assay help filters"}
	case reflect.TypeFor[json.RawMessage]():
		return &jsonschema.Schema{}
	}
	return nil
}

// retrieverSchemas turns the option tables of the connectors into schemas.
func retrieverSchemas() []config.RetrieverSchema {
	types := map[string]map[string]any{
		"text": {"type": "string"}, "duration": {"type": "string"}, "number": {"type": "number"}, "integer": {"type": "integer"},
		"boolean": {"type": "boolean"}, "map": {"type": "object"}, "headers": {"type": "object"}, "secrets": {"type": "object"}, "secret": {"type": "object"}, "any": {},
		"list":      {"type": "array", "items": map[string]any{"type": "string"}},
		"arguments": {"type": "array", "items": map[string]any{"type": []string{"string", "object"}}},
	}
	var out []config.RetrieverSchema
	for _, k := range all.Kinds() {
		rs := config.RetrieverSchema{Kind: k.Name, Help: k.Help, Settings: map[string]any{}}
		for _, o := range k.Options {
			s := maps.Clone(types[o.Type])
			if s == nil {
				s = map[string]any{}
			}
			s["description"] = o.Help
			if len(o.Values) > 0 {
				s["enum"] = o.Values
			}
			rs.Settings[o.Name] = s
			if o.Required {
				rs.Required = append(rs.Required, o.Name)
			}
		}
		out = append(out, rs)
	}
	return out
}
