package cli

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/term"
	"github.com/assay-eval/assay/measure"
)

func newMeasures(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "measures [NAME]",
		Short: "Every measure: definition, range, direction, gain, source",
		Long: `Lists the measures, or explains one. A measure is written name@cutoff, with parameters
as name(key=value)@cutoff: recall@10, ndcg@10, p(rel=2)@5, rbp(p=0.8).`,
		Example: "assay measures ndcg@10",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return a.explainMeasure(args[0])
			}
			return a.listMeasures()
		},
	}
}

// measureRow is a measure in the JSON document. An end of the range that is infinite is absent.
type measureRow struct {
	Name      string         `json:"name"`
	Title     string         `json:"title"`
	Formula   string         `json:"formula"`
	Undefined string         `json:"undefined,omitempty"`
	Min       *float64       `json:"min,omitempty"`
	Max       *float64       `json:"max,omitempty"`
	Direction string         `json:"direction"`
	Gain      string         `json:"gain"`
	Average   string         `json:"average"`
	Cutoff    string         `json:"cutoff,omitempty"`
	Params    []measureParam `json:"params,omitempty"`
	Aliases   []string       `json:"aliases,omitempty"`
	Source    string         `json:"source"`
}

type measureParam struct {
	Name    string  `json:"name"`
	Meaning string  `json:"meaning"`
	Default float64 `json:"default"`
}

type measuresDocument struct {
	Schema   string       `json:"schema"`
	Measures []measureRow `json:"measures"`
}

func newMeasureRow(d *measure.Definition) measureRow {
	finite := func(x float64) *float64 {
		if math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	row := measureRow{Name: d.Name, Title: d.Title, Formula: d.Formula, Undefined: d.Undefined, Min: finite(d.Range.Min), Max: finite(d.Range.Max),
		Direction: d.Direction.String(), Gain: d.Gain.String(), Average: d.Average.String(), Cutoff: d.Cutoff.String(), Aliases: d.Aliases, Source: d.Source}
	for _, p := range d.Params {
		row.Params = append(row.Params, measureParam{p.Name, p.Meaning, p.Default})
	}
	return row
}

func (a *app) listMeasures() error {
	doc := measuresDocument{Schema: "assay/measures/v1"}
	t := &term.Table{Header: []string{"measure", "what it is", "range", "better", "gain", "summary"}}
	for _, f := range measure.Families() {
		d := &f.Definition
		doc.Measures = append(doc.Measures, newMeasureRow(d))
		t.Add(d.Usage(), d.Title, d.Range, d.Direction, d.Gain, d.Average)
	}
	if a.json {
		return a.writeJSON(doc)
	}
	return t.Write(a.streams)
}

func (a *app) explainMeasure(name string) error {
	d, canonical := measure.Describe(name), name
	if d == nil {
		m, err := measure.Parse(name)
		if err != nil {
			return err
		}
		d, canonical = m.Definition(), m.Name()
	}
	if a.json {
		return a.writeJSON(measuresDocument{"assay/measures/v1", []measureRow{newMeasureRow(d)}})
	}
	var b strings.Builder
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%-10s %s\n", label, text)
		}
	}
	line("measure", canonical)
	line("written", d.Usage())
	line("is", d.Title)
	line("formula", d.Formula)
	line("undefined", cmp.Or(d.Undefined, "never"))
	line("range", d.Range.String())
	line("better", d.Direction.String())
	line("gain", d.Gain.String())
	line("summary", d.Average.String())
	for _, p := range d.Params {
		line("parameter", p.Name+": "+p.Meaning+"; default "+strconv.FormatFloat(p.Default, 'g', -1, 64))
	}
	line("also", strings.Join(d.Aliases, ", "))
	line("source", d.Source)
	return a.printf("%s", b.String())
}
