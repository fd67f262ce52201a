package cli

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/all"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/measure"
)

// validators gives the configuration the checks of the rooms that it may not import.
func validators() config.Validators {
	return config.Validators{
		Measure: func(name string) error {
			_, err := measure.Parse(name)
			if hint := assay.Hint(err); hint != "" {
				return fmt.Errorf("%w; %s", err, hint) // one hint would not tell which of several problems it is for
			}
			return err
		},
		Retriever: func(kind string, options map[string]any) []config.OptionError {
			var out []config.OptionError
			for _, p := range all.Kinds().Check(kind, options) {
				out = append(out, config.OptionError{Option: p.Option, Err: p.Err})
			}
			return out
		},
		Rule: func(rule string) error {
			_, err := gate.Parse(rule)
			return err
		},
	}
}
