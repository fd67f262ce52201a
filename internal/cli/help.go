package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpDocument is the help of a command, or a topic, under --json.
type helpDocument struct {
	Schema   string        `json:"schema"`
	Command  string        `json:"command"`
	Usage    string        `json:"usage,omitempty"` // absent for a topic
	Short    string        `json:"short"`
	Long     string        `json:"long,omitempty"`
	Examples []string      `json:"examples,omitempty"`
	Flags    []helpFlag    `json:"flags,omitempty"`
	Commands []helpCommand `json:"commands,omitempty"`
}

type helpFlag struct {
	Name    string `json:"name"`
	Short   string `json:"short,omitempty"`
	Value   string `json:"value,omitempty"` // what its value is called; absent for a switch
	Default string `json:"default,omitempty"`
	Help    string `json:"help"`
}

type helpCommand struct {
	Name  string `json:"name"`
	Short string `json:"short"`
}

// addHelp gives the root the command help and --help, both with --json. A name that is no command's is an
// error, which cobra's own help takes for a success.
func addHelp(a *app, root *cobra.Command) {
	text := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if !a.json {
			text(cmd, args)
			return
		}
		a.helped = a.writeJSON(newHelp(cmd))
	})
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND | TOPIC]",
		Short: "Help about any command, and on the topics below",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			cmd, _, err := root.Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return subcommands(cmd), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest := root, args
			for len(rest) > 0 {
				sub := child(cmd, rest[0])
				if sub == nil {
					return noCommand(cmd, rest[0])
				}
				cmd, rest = sub, rest[1:]
			}
			cmd.InitDefaultHelpFlag() // its own --help is part of what is shown
			return cmd.Help()
		},
	})
}

// child finds a command of another by its name or one of its aliases.
func child(cmd *cobra.Command, name string) *cobra.Command {
	for _, sub := range cmd.Commands() {
		if sub.Name() == name || sub.HasAlias(name) {
			return sub
		}
	}
	return nil
}

// subcommands are the names of the commands in a command.
func subcommands(cmd *cobra.Command) []string {
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}

func newHelp(cmd *cobra.Command) helpDocument {
	doc := helpDocument{Schema: "assay/help/v1", Command: cmd.CommandPath(), Short: cmd.Short, Long: cmd.Long}
	if cmd.Runnable() {
		doc.Usage = cmd.UseLine()
	}
	for line := range strings.Lines(cmd.Example) {
		doc.Examples = append(doc.Examples, strings.TrimSpace(line))
	}
	add := func(f *pflag.Flag) {
		if !f.Hidden {
			value, help := pflag.UnquoteUsage(f)
			doc.Flags = append(doc.Flags, helpFlag{Name: "--" + f.Name, Short: f.Shorthand, Value: value, Default: f.DefValue, Help: help})
		}
	}
	cmd.NonInheritedFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
			doc.Commands = append(doc.Commands, helpCommand{sub.Name(), sub.Short})
		}
	}
	return doc
}
