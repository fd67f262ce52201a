package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/doctor"
	"github.com/assay-eval/assay/internal/term"
)

type doctorOptions struct {
	*app
	doctor.Options
	list bool
}

func newDoctor(a *app) *cobra.Command {
	o := &doctorOptions{app: a}
	cmd := &cobra.Command{
		Use:   "doctor [SYSTEM...]",
		Short: "Check what makes numbers lie: prefixes, truncation, wrong vectors, index state",
		Long: `Examines the systems named (default: everything in the configuration) and says of each
fault what it does to the numbers and how it is mended. It looks at a sample of your own
chunks and queries, asks the models to embed and write a little, and only reads.

Exit code 1 means that something is at fault. Warnings do not change it. What could not
be looked at is listed as not checked, with the reason.`,
		Example: "assay doctor\nassay doctor docs_v3 --sample 100\nassay doctor --only truncation,prefix --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.list {
				return o.listChecks()
			}
			return o.run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Sample, "sample", doctor.DefaultSample, "look at `N` chunks and queries in each place")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of the sample")
	f.StringSliceVar(&o.Only, "only", nil, "make only these `checks`, and that of reachability")
	f.BoolVar(&o.list, "list", false, "list the checks instead of making them")
	return cmd
}

type doctorDocument struct {
	Schema string         `json:"schema"`
	Counts map[string]int `json:"counts"` // by status
	doctor.Report
}

type checksDocument struct {
	Schema string         `json:"schema"`
	Checks []doctor.Check `json:"checks"`
}

// errUnhealthy ends the command with exit code 1 after the report was printed.
var errUnhealthy = errors.New("something is at fault")

func (o *doctorOptions) run(ctx context.Context, systems []string) error {
	if o.Sample < 1 {
		return assay.Usagef("--sample %d: it must be at least 1", o.Sample)
	}
	p, err := o.open()
	if err != nil {
		return err
	}
	defer p.Close()
	if _, err := chooseSystems(p, systems); err != nil {
		return err
	}
	line := o.progress("doctor", len(doctor.Checks()))
	o.Progress = func(done, total int, check string) { line.Set(done, "%s", check) }
	report, err := doctor.Examine(ctx, p.Setup(systems), o.Options)
	line.Stop()
	if err != nil {
		return err
	}
	doc := doctorDocument{Schema: "assay/doctor/v1", Counts: map[string]int{}, Report: *report}
	for _, s := range []doctor.Status{doctor.OK, doctor.Warning, doctor.Fault, doctor.NotChecked} {
		doc.Counts[string(s)] = report.Count(s)
	}
	if o.json {
		err = o.writeJSON(doc)
	} else {
		err = o.print(report)
	}
	if err == nil && report.Count(doctor.Fault) > 0 {
		err = errQuiet{errUnhealthy}
	}
	return err
}

func (o *doctorOptions) print(r *doctor.Report) error {
	t := &term.Table{Header: []string{"status", "check", "subject", "found"}}
	for _, f := range folded(r.Findings) {
		found := f.Found
		if room := o.streams.Width - 48; o.streams.OutTTY && o.streams.Width > 0 && f.Fix != "" {
			found = term.Shorten(found, max(40, room)) // the whole of it follows below
		}
		t.Add(strings.ReplaceAll(string(f.Status), "_", " "), f.Check, f.Subject, found)
	}
	if err := t.Write(o.streams); err != nil {
		return err
	}
	for _, status := range []doctor.Status{doctor.Fault, doctor.Warning} {
		for _, f := range r.Findings {
			if f.Status == status {
				if err := o.explainFinding(f); err != nil {
					return err
				}
			}
		}
	}
	return o.printf("\n%s, %s, %d ok, %d not checked\n", plural(r.Count(doctor.Fault), "fault", "faults"),
		plural(r.Count(doctor.Warning), "warning", "warnings"), r.Count(doctor.OK), r.Count(doctor.NotChecked))
}

// folded puts the checks that could not be made on a subject, for one reason, into one finding: a server that is
// down would fill the table.
func folded(findings []doctor.Finding) []doctor.Finding {
	type why struct{ subject, found string }
	at := map[why]int{}
	var out []doctor.Finding
	for _, f := range findings {
		key := why{f.Subject, f.Found}
		if i, again := at[key]; again && f.Status == doctor.NotChecked {
			out[i].Check += ", " + f.Check
			continue
		}
		if f.Status == doctor.NotChecked {
			at[key] = len(out)
		}
		out = append(out, f)
	}
	return out
}

// explainFinding prints what a fault or warning does and how it is mended.
func (o *doctorOptions) explainFinding(f doctor.Finding) error {
	where := ""
	if f.Where != "" {
		where = " (" + f.Where + ")"
	}
	if err := o.printf("\n%s: %s of %s%s\n", f.Status, f.Check, f.Subject, where); err != nil {
		return err
	}
	for _, l := range []struct{ label, text string }{{"found", f.Found}, {"effect", f.Effect}, {"fix", f.Fix}} {
		if l.text == "" {
			continue
		}
		if err := o.printf("  %-7s %s\n", l.label+":", term.Printable(l.text)); err != nil {
			return err
		}
	}
	return nil
}

func (o *doctorOptions) listChecks() error {
	checks := doctor.Checks()
	if o.json {
		return o.writeJSON(checksDocument{"assay/checks/v1", checks})
	}
	t := &term.Table{Header: []string{"check", "looks at", "asks", "what a fault does to the numbers"}}
	for _, c := range checks {
		t.Add(c.Name, c.Of, c.Asks, c.Effect)
	}
	return t.Write(o.streams)
}
