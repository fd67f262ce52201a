package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newConfig(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "config", Short: "The configuration: check it, see it with its defaults"}
	cmd.AddCommand(&cobra.Command{
		Use:   "check",
		Short: "Print the effective configuration, or every problem with file and line",
		Long: `Reads the configuration with its defaults and --set over it and prints what is in
force. Secrets are shown as where they come from, never as themselves. When
something is wrong, every problem is listed at once with file and line.`,
		Example: "assay config check -c assay.yaml",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			cfg, err := a.config()
			if err != nil {
				return err
			}
			if a.json {
				return a.writeJSON(struct {
					Schema string `json:"schema"`
					File   string `json:"file"`
					Config any    `json:"config"`
				}{"assay/config/v1", cfg.File, cfg.Effective()})
			}
			text, err := cfg.YAML()
			if err != nil {
				return err
			}
			a.notef("%s is fine; this is what is in force:", cfg.File)
			_, err = fmt.Fprint(a.streams.Out, text)
			return err
		},
	})
	return cmd
}
