package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonerr"
)

// Baselines is the folder baseline/ of a project: for each system the run that others are held against, copied whole so
// that it can be committed and outlives runs/.
type Baselines struct{ dir string }

// OpenBaselines names the baselines of a project folder; it need not exist yet.
func OpenBaselines(dir string) *Baselines { return &Baselines{filepath.Join(dir, "baseline")} }

// recordFile is the run's line of the history, for the numbers as they were recorded.
const recordFile = "record.json"

// Prefixes of the folders that a replacement is made in. A reader that finds one of them after a crash puts things right.
const (
	newPrefix = ".new-"
	oldPrefix = ".old-"
)

// folder is the name of a system's folder: the system's own, as far as a file system takes it.
func folder(system string) string {
	name := url.PathEscape(system)
	if strings.HasPrefix(name, ".") {
		name = "%2E" + name[1:]
	}
	return name
}

// Dir is the folder of a system's baseline.
func (b *Baselines) Dir(system string) string { return filepath.Join(b.dir, folder(system)) }

// Get is the baseline of a system; ok is false when it has none. It writes nothing, unless a replacement was cut off. Another
// process may replace what it returns: whoever reads the files later asks for the id again afterwards.
func (b *Baselines) Get(system string) (run *Run, ok bool, err error) {
	for range 2 { // a replacement may have begun and ended between two looks
		if exists(b.fresh(system)) || exists(b.old(system)) { // under way in another process, or left behind
			if err := b.locked(func() error { return b.mend(system) }); err != nil {
				return nil, false, err
			}
		}
		if exists(b.Dir(system)) {
			if run, err = OpenRun(b.Dir(system)); err == nil {
				return run, true, nil
			}
		}
	}
	return nil, false, err
}

// List reads every baseline, by name of the system. A folder that is no run is an error beside.
func (b *Baselines) List() (runs []*Run, bad []error) {
	entries, err := os.ReadDir(b.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, []error{err}
	}
	seen := map[string]bool{}
	for _, e := range entries {
		name := strings.TrimPrefix(strings.TrimPrefix(e.Name(), newPrefix), oldPrefix)
		system, err := url.PathUnescape(name)
		if !e.IsDir() || err != nil || seen[system] {
			continue
		}
		seen[system] = true
		run, ok, err := b.Get(system)
		switch {
		case err != nil:
			bad = append(bad, err)
		case ok:
			runs = append(runs, run)
		}
	}
	slices.SortFunc(runs, func(a, b *Run) int { return strings.Compare(a.Info.System, b.Info.System) })
	return runs, bad
}

// Set makes a finished run the baseline of its system, with its line of the history where it is known. The old one is
// there until the new one is whole; a crash at any moment leaves one of the two.
func (b *Baselines) Set(run *Run, record *Record) error {
	if run.Info.Status != Finished {
		return assay.WithHint(assay.Usagef("run %s is not finished, so it can be no baseline", run.Info.ID), "assay run %s goes on with it", run.Info.System)
	}
	done, err := run.Done()
	if err == nil {
		err = run.lost(len(done))
	} else {
		err = run.unreadable(err)
	}
	if err != nil {
		return err
	}
	err = b.locked(func() error {
		if err := b.mend(run.Info.System); err != nil {
			return err
		}
		fresh := b.fresh(run.Info.System)
		if err := b.copy(run, record, fresh); err != nil {
			return errors.Join(err, os.RemoveAll(fresh))
		}
		return b.swap(run.Info.System)
	})
	if err != nil {
		return fmt.Errorf("set the baseline of %s: %w", run.Info.System, err)
	}
	return nil
}

// Clear removes the baseline of a system and reports whether there was one.
func (b *Baselines) Clear(system string) (was bool, err error) {
	if _, ok, err := b.Get(system); err == nil && !ok {
		return false, nil
	}
	err = b.locked(func() error {
		if err := b.mend(system); err != nil {
			return err
		}
		old := b.old(system)
		switch err := os.Rename(b.Dir(system), old); {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		}
		was = true
		// run.json first: what is left of it after a crash is then no run any more, and not put back.
		return errors.Join(os.Remove(filepath.Join(old, infoFile)), os.RemoveAll(old))
	})
	return was, err
}

// copy lays a run into a folder, run.json last: a folder that has it is whole.
func (b *Baselines) copy(run *Run, record *Record, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, name := range []string{resultsFile, passagesFile, scoresFile} {
		if err := copyFile(run.path(name), filepath.Join(to, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	copied := &Run{Dir: to, Info: run.Info}
	if record != nil {
		if err := copied.saveRecord(record); err != nil {
			return err
		}
	}
	return copied.Save()
}

// saveRecord keeps the run's line of the history beside it.
func (r *Run) saveRecord(record *Record) error {
	return r.replace(recordFile, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(record)
	})
}

// Record is the line of the history that a baseline was set with; nil when there was none.
func (r *Run) Record() (*Record, error) {
	data, err := os.ReadFile(r.path(recordFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var rec Record
	if err := json.Unmarshal(data, &rec); err != nil {
		return nil, assay.Usagef("%s: %w", r.path(recordFile), jsonerr.Plain(err))
	}
	return &rec, nil
}

// swap puts the fresh folder in the place of the old one.
func (b *Baselines) swap(system string) error {
	at, old := b.Dir(system), b.old(system)
	if err := os.Rename(at, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(b.fresh(system), at); err != nil {
		return err
	}
	return os.RemoveAll(old)
}

// mend finishes or takes back what a process that was killed has begun. The caller holds the lock.
func (b *Baselines) mend(system string) error {
	fresh, old := b.fresh(system), b.old(system)
	if isRun(fresh) {
		if isRun(b.Dir(system)) {
			if err := os.RemoveAll(old); err != nil { // of a replacement before
				return err
			}
		}
		return b.swap(system)
	}
	if !isRun(b.Dir(system)) && isRun(old) {
		if err := os.Rename(old, b.Dir(system)); err != nil {
			return err
		}
	}
	return errors.Join(os.RemoveAll(fresh), os.RemoveAll(old))
}

func (b *Baselines) fresh(system string) string {
	return filepath.Join(b.dir, newPrefix+folder(system))
}
func (b *Baselines) old(system string) string { return filepath.Join(b.dir, oldPrefix+folder(system)) }

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func isRun(dir string) bool { return exists(filepath.Join(dir, infoFile)) }

// locked keeps other writers out of the folder, and what they leave behind out of version control.
func (b *Baselines) locked(do func() error) error {
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return err
	}
	ignore := filepath.Join(b.dir, ".gitignore")
	if !exists(ignore) {
		if err := os.WriteFile(ignore, []byte(".lock\n"+newPrefix+"*\n"+oldPrefix+"*\n"), 0o644); err != nil {
			return err
		}
	}
	l := flock.New(filepath.Join(b.dir, ".lock"))
	if err := l.Lock(); err != nil {
		return fmt.Errorf("lock %s: %w", b.dir, err)
	}
	return errors.Join(do(), l.Close())
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err = io.Copy(out, in); err == nil {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}
