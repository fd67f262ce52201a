package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the release build; a build from source says "devel".
var version = "devel"

type versionDocument struct {
	Schema   string `json:"schema"`
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of assay",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.printVersion() },
	}
}

// addVersion makes `assay --version` the command version.
func addVersion(a *app, root *cobra.Command) {
	asked := root.Flags().Bool("version", false, "print the version of assay")
	run := root.RunE
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *asked {
			return a.printVersion()
		}
		return run(cmd, args)
	}
}

func (a *app) printVersion() error {
	doc := versionDocument{"assay/version/v1", version, revision(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	if a.json {
		return a.writeJSON(doc)
	}
	rev := ""
	if doc.Revision != "" {
		rev = " " + doc.Revision
	}
	return a.printf("assay %s%s (%s, %s)\n", doc.Version, rev, doc.Go, doc.Platform)
}

// revision is the commit that the binary was built from, where the build recorded it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return ""
}
