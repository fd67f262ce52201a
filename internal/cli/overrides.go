package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// override turns flags that are settings of a section of the configuration under a shorter name into --set values, so that
// they are checked like them. Flags that the command does not have, or that were not given, change nothing.
func (a *app) override(cmd *cobra.Command, section string, flags ...string) {
	for _, name := range flags {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed {
			a.sets = append(a.sets, fmt.Sprintf("%s.%s=%s", section, strings.ReplaceAll(name, "-", "_"), f.Value))
		}
	}
}
