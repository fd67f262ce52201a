package cli

import (
	"bufio"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/google/renameio/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// outFile is a file that a report is to be written to.
type outFile struct {
	app    *app
	path   string
	format report.Format
}

// openOut reads --out: the ending of the name says the format, one of allowed. It is called before any work is done; nil
// stands for no file.
func (a *app) openOut(path string, allowed ...string) (*outFile, error) {
	if path == "" {
		return nil, nil
	}
	format, err := report.ForFile(path, allowed...)
	if err != nil {
		return nil, err
	}
	return &outFile{a, path, format}, nil
}

// write puts the report in place of whatever had the name, whole or not at all. With --json the document goes to standard
// output, too.
func (o *outFile) write(m *report.Model) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", o.path, err)
		}
	}()
	f, err := renameio.NewPendingFile(o.path, renameio.WithTempDir(filepath.Dir(o.path)), renameio.WithPermissions(0o644))
	if err != nil {
		return assay.Classify(err, assay.ErrUsage)
	}
	w := bufio.NewWriterSize(f, 256<<10)
	if err = o.format.Write(w, m); err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.CloseAtomicallyReplace()
	}
	if err = errors.Join(err, f.Cleanup()); err != nil {
		return err
	}
	o.app.notef("wrote %s", o.path)
	if o.app.json {
		return o.app.writeJSON(m.Document)
	}
	return nil
}

// terminal is where a report is shown.
func (a *app) terminal() report.Terminal {
	return report.Terminal{Streams: a.streams, Warn: a.warn, Note: a.notef}
}
