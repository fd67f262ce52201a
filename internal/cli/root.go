package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/nearest"
)

// newRoot builds the tree of commands.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "assay",
		Short: "Measure retrieval: given this query, did it return the right text?",
		Long: `assay evaluates the retrieval of a RAG pipeline on your own documents: it makes or
imports queries, knows which text answers them, asks the live index as it is
deployed, and tells a change that helped from a change that only looks so.

First steps:
  assay demo            the whole loop on documents that come with assay
  assay search S TEXT   one query through the system S of your assay.yaml
  assay run             every query through every system, then the numbers`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	f := root.PersistentFlags()
	f.StringVarP(&a.configFile, "config", "c", config.DefaultFile, "configuration `file`")
	f.StringArrayVar(&a.sets, "set", nil, "override a configuration `key=value`, such as run.workers=4 (repeatable)")
	f.BoolVar(&a.json, "json", false, "one JSON document on standard output")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "no notes and no progress")
	f.BoolVarP(&a.verbose, "verbose", "v", false, "more detail on standard error")
	f.BoolVar(&a.noProgress, "no-progress", false, "no progress line")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError(cmd, err) })
	root.CompletionOptions.HiddenDefaultCmd = false
	for _, c := range commands(a) {
		wrapArgs(c)
		root.AddCommand(c)
	}
	addTopics(root)
	group(root)
	return root
}

// usageError is a mistake in the command line, with the command's own example as what works.
func usageError(cmd *cobra.Command, err error) error {
	example := strings.TrimSpace(cmd.Example)
	if example == "" {
		example = cmd.CommandPath() + " --help"
	}
	first, _, _ := strings.Cut(example, "\n")
	return assay.WithHint(assay.Classify(err, assay.ErrUsage), "try: %s", strings.TrimSpace(first))
}

// group makes a command that only holds others show its help, and a name that is none of theirs an error
// of usage with the nearest one.
func group(cmd *cobra.Command) {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		var names []string
		for _, sub := range cmd.Commands() {
			names = append(names, sub.Name())
		}
		return assay.WithHint(assay.Usagef("%q is no command of %s%s", args[0], cmd.CommandPath(), nearest.Suggest(args[0], names)),
			"%s --help lists them", cmd.CommandPath())
	}
	cmd.Args = cobra.ArbitraryArgs
}

// wrapArgs makes a wrong number of arguments an error of usage, here and in subcommands.
func wrapArgs(cmd *cobra.Command) {
	if cmd.HasSubCommands() && !cmd.Runnable() {
		group(cmd)
	}
	check := cmd.Args
	if check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return usageError(cmd, err)
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		wrapArgs(sub)
	}
}
