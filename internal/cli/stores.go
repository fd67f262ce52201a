package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/all"
	"github.com/assay-eval/assay/internal/term"
)

func newStores(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "stores [KIND]",
		Short: "The kinds of retriever, what each can do, and its settings",
		Long: `Lists the kinds of retriever that a system can have and what each was verified
against. With a KIND, lists its settings as they are written under retriever:.`,
		Example: "assay stores\nassay stores qdrant",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listStores()
			}
			kind, err := all.Kinds().Kind(args[0])
			if err != nil {
				return err
			}
			return a.showStore(kind)
		},
	}
}

type storesDocument struct {
	Schema string             `json:"schema"`
	Kinds  connector.Registry `json:"kinds"`
}

func (a *app) listStores() error {
	kinds := all.Kinds()
	if a.json {
		return a.writeJSON(storesDocument{"assay/stores/v1", kinds})
	}
	t := &term.Table{Header: []string{"kind", "what it is", "can", "verified against"}}
	for _, k := range kinds {
		t.Add(k.Name, k.Help, abilities(k), cmp.Or(k.Verified, "nothing: unverified"))
	}
	return t.Write(a.streams)
}

func (a *app) showStore(k connector.Kind) error {
	if a.json {
		return a.writeJSON(storesDocument{"assay/stores/v1", connector.Registry{k}})
	}
	if err := a.printf("%s: %s\n", k.Name, k.Help); err != nil {
		return err
	}
	t := &term.Table{Header: []string{"setting", "type", "default", "meaning"}}
	for _, o := range k.Options {
		meaning := o.Help
		if len(o.Values) > 0 {
			meaning += " (" + strings.Join(o.Values, ", ") + ")"
		}
		def := orDash(o.Default)
		if o.Required {
			def = "required"
		}
		t.Add(o.Name, o.Type, def, meaning)
	}
	return t.Write(a.streams)
}

// abilities are the optional powers of a kind.
func abilities(k connector.Kind) string {
	c := k.Capabilities
	var out []string
	for _, p := range []struct {
		has  bool
		name string
	}{{c.Filters, "filter"}, {c.Lists, "list"}, {c.Counts, "count"}, {c.Exact, "exact"}, {c.Inspects, "inspect"}} {
		if p.has {
			out = append(out, p.name)
		}
	}
	return cmp.Or(strings.Join(out, " "), "search")
}
