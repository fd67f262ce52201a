package cli

import "github.com/spf13/cobra"

// addTopics adds the help pages that belong to no command.
func addTopics(root *cobra.Command) {
	root.AddCommand(&cobra.Command{
		Use:   "exit-codes",
		Short: "What the exit codes mean",
		Long: `Exit codes:
  0    ok
  1    failed
  2    usage, configuration or unreadable input
  3    regression: the gate failed
  4    inconclusive
  5    incomplete: more queries failed than run.max_failed allows
  6    stale or not comparable, no baseline included
  130  interrupted; state is kept, run the same command again to go on

Where several apply, the first of 2, 6, 5, 3, 4, 0 is taken. A reader of standard
output that goes away, as head does, changes no code: the command goes on to its end,
unseen. Standard output that cannot be written, as on a full disk, is 1.`,
	})
	root.AddCommand(&cobra.Command{
		Use:   "filters",
		Short: "The neutral form of filters",
		Long: `A filter is JSON, the same for every store:
  {"field":"lang","eq":"de"}
  {"and":[{"field":"lang","eq":"de"},{"field":"year","gte":2024}]}
  {"not":{"field":"tags","in":["draft","old"]}}

Operators: eq, ne, in, gt, gte, lt, lte, exists. Combinations: and, or, not.
{"native": …} is passed to the store as it is. What a store cannot express is
refused, never widened.`,
	})
}
