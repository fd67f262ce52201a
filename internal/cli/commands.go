package cli

import "github.com/spf13/cobra"

// commands lists every command, in the order of help.
func commands(a *app) []*cobra.Command {
	return []*cobra.Command{
		newConfig(a),
		newHistory(a),
		newRuns(a),
		newVersion(a),
	}
}
