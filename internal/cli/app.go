package cli

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/term"
)

// app is what every command shares: the streams and the persistent flags.
type app struct {
	streams    *term.Streams
	args       []string // the command line
	helped     error    // of writing a help document, which cobra gives no way to return
	configFile string
	sets       []string
	json       bool
	quiet      bool
	verbose    bool
	noProgress bool

	warning sync.Mutex
	warned  map[string]bool // texts of the warnings that were printed
}

// config loads the project's configuration.
func (a *app) config() (*config.Config, error) {
	return config.Load(a.configFile, a.sets, validators())
}

// notef tells the person something that is not a result; -q silences it.
func (a *app) notef(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintf(a.streams.Err, format+"\n", args...)
	}
}

// warn prints doubts about numbers; they are never silenced. What several systems have in common, such as
// a test set that is too small, is said once.
func (a *app) warn(warnings []assay.Warning) {
	a.warning.Lock()
	defer a.warning.Unlock()
	for _, w := range warnings {
		if a.warned[w.Text] {
			continue
		}
		if a.warned == nil {
			a.warned = map[string]bool{}
		}
		a.warned[w.Text] = true
		fmt.Fprintf(a.streams.Err, "warning: %s\n", term.Printable(w.Text))
	}
}

func (a *app) warnOne(w assay.Warning) { a.warn([]assay.Warning{w}) }

// printf writes a result.
func (a *app) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(a.streams.Out, format, args...)
	return err
}

// writeJSON writes the one JSON document of a command. Its struct carries schema "assay/<kind>/v1".
func (a *app) writeJSON(v any) error {
	enc := json.NewEncoder(a.streams.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(filled(v))
}
