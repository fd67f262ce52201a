package cli

import (
	"maps"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/nearest"
	"github.com/assay-eval/assay/measure"
)

// knownSystem refuses the name of a system that neither what was recorded nor the configuration knows: an
// empty list would read as "never run". Where nothing is known, nothing is refused.
func (a *app) knownSystem(name string, recorded []string) error {
	if name == "" {
		return nil
	}
	known := slices.Clone(recorded)
	// What was recorded is read without a configuration, or with one that is broken by now.
	if cfg, err := a.config(); err == nil {
		for _, s := range cfg.Systems {
			known = append(known, s.Name)
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	if len(known) == 0 || slices.Contains(known, name) {
		return nil
	}
	return assay.WithHint(assay.Usagef("--system %s: no system has that name%s", name, nearest.Suggest(name, known)), "assay runs list shows what was run")
}

// recordedMeasures turns what a person wrote into the names under which the records keep it, and refuses
// what none of them has. A script may have recorded numbers that are no measures of assay.
func recordedMeasures(asked []string, have map[string]bool) ([]string, error) {
	if len(have) == 0 {
		return asked, nil
	}
	out := slices.Clone(asked)
	for i, name := range asked {
		if have[name] {
			continue
		}
		m, err := measure.Parse(name)
		if err == nil && have[m.Name()] {
			out[i] = m.Name()
			continue
		}
		e := assay.Usagef("--measure %s: no run has recorded it%s", name, nearest.Suggest(name, slices.Sorted(maps.Keys(have))))
		if err == nil {
			return nil, assay.WithHint(e, "name it under measures: in assay.yaml, then `assay rescore RUN` adds it to a run")
		}
		return nil, assay.WithHint(e, "assay history --json shows every number that was recorded")
	}
	return out, nil
}
