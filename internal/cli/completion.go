package cli

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"
)

// completionDocument is a completion script under --json.
type completionDocument struct {
	Schema string `json:"schema"`
	Shell  string `json:"shell"`
	Script string `json:"script"`
}

// addCompletion has cobra make the command completion, and gives it the errors and the --json of the others.
func addCompletion(a *app, root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	cmd := child(root, "completion")
	a.wrapArgs(cmd)
	for _, shell := range cmd.Commands() {
		text := shell.RunE
		shell.RunE = func(cmd *cobra.Command, args []string) error {
			if !a.json {
				return text(cmd, args)
			}
			script, err := completionScript(root, cmd.Name())
			if err != nil {
				return err
			}
			return a.writeJSON(completionDocument{"assay/completion/v1", cmd.Name(), script})
		}
	}
}

func completionScript(root *cobra.Command, shell string) (string, error) {
	var b bytes.Buffer
	var err error
	switch shell {
	case "bash":
		err = root.GenBashCompletionV2(&b, true)
	case "zsh":
		err = root.GenZshCompletion(&b)
	case "fish":
		err = root.GenFishCompletion(&b, true)
	case "powershell":
		err = root.GenPowerShellCompletionWithDesc(&b)
	default:
		err = fmt.Errorf("no completion for the shell %s", shell)
	}
	return b.String(), err
}
