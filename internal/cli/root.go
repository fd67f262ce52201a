package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
  assay init            find servers and documents here, and write an assay.yaml
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
	root.SetIn(a.streams.In)
	root.SetOut(a.streams.Out)
	root.SetErr(a.streams.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return a.flagError(cmd, err) })
	root.CompletionOptions.HiddenDefaultCmd = false
	for _, c := range commands(a) {
		a.wrapArgs(c)
		root.AddCommand(c)
	}
	addTopics(root)
	addHelp(a, root)
	addCompletion(a, root)
	group(root)
	addVersion(a, root)
	return root
}

// exampleSystem is the system that the examples name.
const exampleSystem = "docs_v3"

// usageError is a mistake in the command line, with the command's own example as what works. Where that names
// a system, it is one of the reader's.
func (a *app) usageError(cmd *cobra.Command, err error) error {
	example, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n")
	if strings.Contains(example, exampleSystem) {
		if cfg, err := a.config(); err == nil && len(cfg.Systems) > 0 {
			example = strings.ReplaceAll(example, exampleSystem, cfg.Systems[0].Name)
		} else {
			example = ""
		}
	}
	return assay.WithHint(assay.Classify(err, assay.ErrUsage), "try: %s", cmp.Or(strings.TrimSpace(example), cmd.CommandPath()+" --help"))
}

// flagError is a mistake in the flags. It stands before --json was read, which may stand behind it.
func (a *app) flagError(cmd *cobra.Command, err error) error {
	a.json = a.json || wantsJSON(a.args)
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if n := nearest.Name(unknown.GetSpecifiedName(), names); n != "" && unknown.GetSpecifiedShortnames() == "" {
			err = fmt.Errorf("%w; did you mean --%s?", err, n)
		}
	case errors.As(err, &invalid):
		due := map[string]string{"bool": "true or false", "int": "a whole number", "int64": "a whole number", "uint64": "a whole number of at least 0",
			"float64": "a number"}[invalid.GetFlag().Value.Type()]
		if due != "" {
			err = fmt.Errorf("--%s %s: %s is due", invalid.GetFlag().Name, invalid.GetValue(), due)
		}
	}
	return a.usageError(cmd, err)
}

// wantsJSON reports whether a command line asks for JSON, as far as that can be known of one that could not
// be read.
func wantsJSON(args []string) bool {
	wants := false
	for _, arg := range args {
		value, given := strings.CutPrefix(arg, "--json")
		switch {
		case arg == "--":
			return wants
		case given && (value == "" || value[0] == '='):
			on, err := strconv.ParseBool(strings.TrimPrefix(value, "="))
			wants = value == "" || err != nil || on
		}
	}
	return wants
}

// group makes a command that only holds others show its help, and a name that is none of theirs an error
// of usage with the nearest one.
func group(cmd *cobra.Command) {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return noCommand(cmd, args[0])
	}
	cmd.Args = cobra.ArbitraryArgs
}

// noCommand refuses a name that a command holds no command of.
func noCommand(cmd *cobra.Command, name string) error {
	e := fmt.Errorf("%q is no command of %s", name, cmd.CommandPath())
	n := cmp.Or(nearest.Name(name, subcommands(cmd)), synonyms[cmd.CommandPath()][strings.ToLower(name)])
	if n != "" {
		e = fmt.Errorf("%w; did you mean %q?", e, n)
	}
	return assay.WithHint(assay.Classify(e, assay.ErrUsage), "%s --help lists them", cmd.CommandPath())
}

// wrapArgs makes a wrong number of arguments an error of usage that says which are due, here and in subcommands.
func (a *app) wrapArgs(cmd *cobra.Command) {
	if cmd.HasSubCommands() && !cmd.Runnable() {
		group(cmd)
	}
	check := cmd.Args
	if check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if check(cmd, args) == nil {
				return nil
			}
			if cmd.HasSubCommands() && len(args) > 0 { // what stands there is not an argument but a name that is none
				return noCommand(cmd, args[0])
			}
			_, due, some := strings.Cut(cmd.Use, " ")
			if !some {
				due = "no argument"
			}
			given := "none was"
			if len(args) > 0 {
				given = plural(len(args), "argument was", "arguments were")
			}
			return a.usageError(cmd, fmt.Errorf("%s takes %s, and %s given", cmd.CommandPath(), due, given))
		}
	}
	for _, sub := range cmd.Commands() {
		a.wrapArgs(sub)
	}
}
