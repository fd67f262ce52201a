package cli

import "github.com/assay-eval/assay/internal/shell"

// commandLine is the command as a person can type it again in a shell.
func (a *app) commandLine() string { return shell.Command(append([]string{"assay"}, a.args...)...) }
