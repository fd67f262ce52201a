package cli

import (
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/measure"
)

// validators gives the configuration the checks of the rooms that it may not import.
func validators() config.Validators {
	return config.Validators{
		Measure: func(name string) error {
			_, err := measure.Parse(name)
			return err
		},
	}
}
