package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// output is a file that a command writes beside its result. It is opened before any work, so that a folder that is
// not there costs nothing but a message, and it is put in its place only when it is whole.
type output struct {
	path    string
	pending *renameio.PendingFile // nil for what is not a regular file, such as /dev/stdout
}

// outputs opens files whose ending chooses a format of a report.
func (a *app) outputs(paths []string, allowed ...string) (outputFiles, error) {
	var files outputFiles
	for _, path := range paths {
		format, err := report.ForFile(path, allowed...)
		if err != nil {
			files.discard()
			return files, err
		}
		if err := files.add(path, format.Write); err != nil {
			files.discard()
			return files, err
		}
	}
	return files, nil
}

// outputFiles are files that take a report.
type outputFiles struct {
	files []*output
	forms []func(io.Writer, *report.Model) error
}

// add opens a file for a form of the report.
func (f *outputFiles) add(path string, form func(io.Writer, *report.Model) error) error {
	o, err := openOutput(path)
	if err != nil {
		return err
	}
	f.files, f.forms = append(f.files, o), append(f.forms, form)
	return nil
}

// write writes every file; those that cannot be written are named together.
func (f *outputFiles) write(m *report.Model) error {
	var errs []error
	for i, o := range f.files {
		errs = append(errs, o.save(func(w io.Writer) error { return f.forms[i](w, m) }))
	}
	return errors.Join(errs...)
}

// discard removes what was opened and not written.
func (f *outputFiles) discard() {
	for _, o := range f.files {
		if o.pending != nil {
			_ = o.pending.Cleanup() // nothing of it was promised
		}
	}
}

// openOutput prepares a file to be replaced.
func openOutput(path string) (*output, error) {
	o := &output{path: path}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return nil, assay.Usagef("%s is a folder, and a file is to be written there", path)
		}
		return o, nil
	}
	pending, err := renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)), renameio.WithPermissions(0o644))
	if err != nil {
		return nil, assay.WithHint(assay.Usagef("%s cannot be written: %w", path, err), "the folder %s must be there and be yours", filepath.Dir(path))
	}
	o.pending = pending
	return o, nil
}

// save writes the file and puts it in its place.
func (o *output) save(write func(io.Writer) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", o.path, err)
		}
	}()
	if o.pending == nil {
		f, err := os.OpenFile(o.path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	w := bufio.NewWriter(o.pending)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return o.pending.CloseAtomicallyReplace()
}

// show draws a report on the terminal.
func (a *app) show(m *report.Model) error {
	return report.Terminal{Streams: a.streams, Warn: a.warn, Note: a.notef}.Write(m)
}
