package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/gofrs/flock"

	"github.com/assay-eval/assay"
)

// Lock keeps other processes from writing the same run. It ends with the process that holds it, however
// that ends.
type Lock struct{ f *flock.Flock }

// Lock takes the run for this process, or says which one has it. Info is read again, since the run may
// have gone on in another process meanwhile.
func (r *Run) Lock() (*Lock, error) {
	f := flock.New(r.path(lockFile))
	ok, err := f.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock run %s: %w", r.Info.ID, err)
	}
	if !ok {
		pid, stop := r.holder()
		return nil, assay.WithHint(fmt.Errorf("run %s is being written by another assay process%s", r.Info.ID, pid), "wait for it to end, or stop it%s", stop)
	}
	// For the message of others only, so that a failure (a full disk) is none.
	_ = os.WriteFile(f.Path(), fmt.Appendf(nil, "%d\n", os.Getpid()), 0o644)
	switch now, err := OpenRun(r.Dir); {
	case err == nil:
		r.Info = now.Info
		r.dropHalves()
	case !errors.Is(err, errNoRun): // without a run.json the run is being made
		return nil, errors.Join(err, f.Close())
	}
	return &Lock{f}, nil
}

// holder names the process that has the lock, as far as it said so.
func (r *Run) holder() (name, stop string) {
	data, err := os.ReadFile(r.path(lockFile))
	pid := strings.TrimSpace(string(data))
	if err != nil || pid == "" || strings.Trim(pid, "0123456789") != "" {
		return "", ""
	}
	return " (pid " + pid + ")", ": kill -INT " + pid
}

// Close gives the run free.
func (l *Lock) Close() error { return l.f.Close() }

// Remove deletes a run's folder. The history keeps its line.
func (s *Store) Remove(r *Run) error {
	lock, err := r.Lock()
	if err != nil {
		return err
	}
	defer lock.Close()
	// run.json first: what is left after a crash is then no run any more.
	if err := os.Remove(r.path(infoFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove run %s: %w", r.Info.ID, err)
	}
	return os.RemoveAll(r.Dir)
}
