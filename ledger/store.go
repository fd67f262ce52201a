package ledger

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/nearest"
	"github.com/assay-eval/assay/internal/plural"
)

// Store is the folder runs/ of a project.
type Store struct{ dir string }

// OpenStore names the runs of a project folder; it need not exist yet.
func OpenStore(dir string) *Store { return &Store{filepath.Join(dir, "runs")} }

// List reads every run, oldest first. A folder that is not a run is returned as an error beside.
func (s *Store) List() (runs []*Run, bad []error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, []error{err}
	}
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		r, err := OpenRun(filepath.Join(s.dir, e.Name()))
		if err != nil {
			if !errors.Is(err, errNoRun) && runID.MatchString(e.Name()) {
				err = &UnreadableRun{e.Name(), err}
			}
			bad = append(bad, err)
			continue
		}
		runs = append(runs, r)
	}
	slices.SortStableFunc(runs, func(a, b *Run) int { return strings.Compare(a.Info.ID, b.Info.ID) })
	return runs, bad
}

// newID makes an id that sorts by time and is unique without asking anyone.
func newID(now Time) string {
	var b [3]byte
	rand.Read(b[:]) // never fails; ids are not part of any number
	return now.Format("20060102-150405.000") + "-" + hex.EncodeToString(b[:])
}

// Create starts a new run. The caller holds its Lock until it is closed.
func (s *Store) Create(info RunInfo) (*Run, *Lock, error) {
	info.Schema, info.Status = Schema, Running
	info.Started = Now()
	info.ID = newID(info.Started)
	r := &Run{Dir: filepath.Join(s.dir, info.ID), Info: info}
	lock, err := s.place(r)
	if err != nil {
		return nil, nil, fmt.Errorf("start a run: %w", err)
	}
	return r, lock, nil
}

// place makes the folder of a run under a hidden name and renames it when it is whole and locked, so that
// nobody ever sees half a run.
func (s *Store) place(r *Run) (*Lock, error) {
	s.sweep()
	hidden := &Run{Dir: filepath.Join(s.dir, "."+r.Info.ID), Info: r.Info}
	if err := os.MkdirAll(hidden.Dir, 0o755); err != nil {
		return nil, err
	}
	lock, err := hidden.Lock()
	if err != nil {
		return nil, err
	}
	if err = hidden.Save(); err == nil {
		err = os.Rename(hidden.Dir, r.Dir)
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close(), os.RemoveAll(hidden.Dir))
	}
	return lock, nil
}

// sweep removes what processes that were killed while they made a run have left behind.
func (s *Store) sweep() {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		// A run is made within milliseconds; a minute tells what is left from what is under way.
		if err == nil && e.IsDir() && hiddenRun.MatchString(e.Name()) && time.Since(info.ModTime()) > time.Minute {
			_ = os.RemoveAll(filepath.Join(s.dir, e.Name())) // tried again with the next run
		}
	}
}

var runID = regexp.MustCompile(`^\d{8}-\d{6}\.\d{3}-[0-9a-f]{6}$`)

var hiddenRun = regexp.MustCompile(`^\.\d{8}-\d{6}\.\d{3}-[0-9a-f]{6}$`)

// Unfinished finds the newest unfinished run of the same system and selection whose rankings have an
// equal fingerprint. When the newest unfinished one differs, it is nil and why names the first change.
func (s *Store) Unfinished(system, selection string, fp Fingerprint) (run *Run, why string) {
	runs, _ := s.List()
	for _, r := range slices.Backward(runs) {
		if r.Info.System != system || r.Info.Status != Running || r.Info.Selection != selection {
			continue
		}
		changes := r.Info.Fingerprint.Rankings().Diff(fp.Rankings())
		if len(changes) == 0 {
			return r, ""
		}
		if why == "" {
			c := changes[0]
			why = fmt.Sprintf("run %s is unfinished but %s changed from %q to %q", r.Info.ID, c.Key, c.From, c.To)
		}
	}
	return nil, why
}

// Find resolves what a person calls a run: an id or a unique prefix of one, a --name (the newest run of
// that name), last, or last~N. With a system named, only its runs count.
func (s *Store) Find(ref, system string) (*Run, error) {
	runs, bad := s.List()
	if len(runs) == 0 {
		return nil, assay.WithHint(assay.Usagef("no run is there yet"), "`assay run` makes one")
	}
	if system != "" {
		all := systems(runs)
		if !slices.Contains(all, system) {
			return nil, assay.WithHint(assay.Usagef("no run of system %s is there yet%s", system, nearest.Suggest(system, all)),
				"`assay runs list` shows what was run")
		}
		runs = slices.DeleteFunc(runs, func(r *Run) bool { return r.Info.System != system })
	}
	if back, ok := parseLast(ref); ok {
		run, err := nth(runs, back, system)
		if err != nil {
			return nil, err
		}
		if err := Newer(bad, run); err != nil {
			return nil, err
		}
		return run, nil
	}
	var matches []*Run
	for _, r := range slices.Backward(runs) { // the newest of a name
		if ref != "" && (r.Info.ID == ref || r.Info.Name == ref) {
			return r, nil
		}
		if ref != "" && strings.HasPrefix(r.Info.ID, ref) {
			matches = append(matches, r)
		}
	}
	if len(matches) == 1 {
		return matches[0], nil
	}
	if len(matches) > 1 {
		return nil, assay.WithHint(assay.Usagef("%q is the beginning of %d run ids", ref, len(matches)), "give more of it: `assay runs list`")
	}
	return nil, assay.WithHint(assay.Usagef("no run is called %q", ref), "`assay runs list` shows them")
}

// LastOfEach is the newest finished run of each system that has one, in the order of the systems' names. A folder that
// cannot be read and is newer than one of them is an UnreadableRun.
func (s *Store) LastOfEach() ([]*Run, error) {
	runs, bad := s.List()
	var out []*Run
	for _, name := range systems(runs) {
		for _, r := range slices.Backward(runs) {
			if r.Info.System == name && r.Info.Status == Finished {
				if err := Newer(bad, r); err != nil {
					return nil, err
				}
				out = append(out, r)
				break
			}
		}
	}
	return out, nil
}

// systems are the names of the systems that runs are of, sorted, each once.
func systems(runs []*Run) []string {
	var out []string
	for _, r := range runs {
		out = append(out, r.Info.System)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// CheckName refuses a --name by which Find would not find the run again.
func CheckName(name string) error {
	if _, reserved := parseLast(name); reserved {
		return assay.WithHint(assay.Usagef("%q is no name for a run: it stands for a place in the history", name), "any other word will do, such as --name before-reindex")
	}
	if strings.TrimSpace(name) != name || strings.ContainsFunc(name, unicode.IsControl) {
		return assay.Usagef("%q is no name for a run: it begins or ends with a blank, or holds a control character", name)
	}
	return nil
}

// nth is the finished run back places before the newest finished one.
func nth(runs []*Run, back int, system string) (*Run, error) {
	done := slices.DeleteFunc(slices.Clone(runs), func(r *Run) bool { return r.Info.Status != Finished })
	if system == "" {
		for _, r := range done {
			if r.Info.System != done[0].Info.System {
				system = done[len(done)-1].Info.System
				return nil, assay.WithHint(assay.Usagef("there are runs of several systems, so \"last\" needs to know which"),
					"add --system, such as --system %s", system)
			}
		}
	}
	if back >= len(done) {
		return nil, assay.WithHint(assay.Usagef("there is no such run: only %s", plural.Count(len(done), "finished run")), "`assay runs list` shows them")
	}
	return done[len(done)-1-back], nil
}

// parseLast reads last and last~N.
func parseLast(ref string) (back int, ok bool) {
	rest, ok := strings.CutPrefix(ref, "last")
	if !ok {
		return 0, false
	}
	if rest == "" {
		return 0, true
	}
	digits, ok := strings.CutPrefix(rest, "~")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n >= 0
}
