package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/project"
)

// checkedConfig loads the configuration and looks for what it names.
func (a *app) checkedConfig(ctx context.Context) (*config.Config, error) {
	cfg, err := a.config()
	wrong := &config.Error{}
	if errors.As(err, &wrong) && wrong.Read != nil {
		cfg = wrong.Read
	} else if err != nil {
		return nil, err
	}
	p := project.Open(cfg, project.Options{})
	defer p.Close()
	problems, unset := p.Unmet(ctx)
	for _, name := range unset {
		a.warnOne(assay.Warning{Code: "unset", Text: "a secret is to come from the environment variable " + name + ", which is not set here"})
	}
	if wrong = wrong.With(problems); len(wrong.Problems) > 0 {
		return nil, wrong
	}
	return cfg, nil
}

// configCheckDocument is what `config check --json` prints; config has the form of assay.yaml.
type configCheckDocument struct {
	Schema string         `json:"schema"`
	File   string         `json:"file"`
	Config map[string]any `json:"config"`
}

func newConfig(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "config", Short: "The configuration: check it, see it with its defaults"}
	cmd.AddCommand(&cobra.Command{
		Use:   "check",
		Short: "Print the effective configuration, or every problem with file and line",
		Long: `Reads the configuration with its defaults and --set over it and prints what is in
force. Secrets are shown as where they come from, never as themselves. When
something is wrong, every problem is listed at once with file and line: also the
documents, files and programs that are named and are not there. Servers are not
asked; assay doctor does that.`,
		Example: "assay config check -c assay.yaml",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.checkedConfig(cmd.Context())
			if err != nil {
				return err
			}
			if a.json {
				return a.writeJSON(configCheckDocument{"assay/config-check/v1", cfg.File, cfg.Effective()})
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
