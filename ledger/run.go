package ledger

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonerr"
)

// Schema is the kind and version of run.json.
const Schema = "assay/run/v1"

// Status is how far a run has come.
type Status string

// A run is running until every query has a result, then finished for ever. A run whose process died
// is still running on disk and can be gone on with.
const (
	Running  Status = "running"
	Finished Status = "finished"
)

// RunInfo is run.json: what was run, where, on what, and how far it came.
type RunInfo struct {
	Schema      string            `json:"schema"`
	ID          string            `json:"id"`
	Name        string            `json:"name,omitempty"`
	System      string            `json:"system"`
	Status      Status            `json:"status"`
	Started     Time              `json:"started"`
	Finished    *Time             `json:"finished,omitempty"`
	K           int               `json:"k"`
	Workers     int               `json:"workers,omitempty"` // most queries under way at once
	Config      map[string]any    `json:"config"`
	Settings    map[string]any    `json:"settings,omitempty"` // the system's part of assay.yaml, secrets redacted
	Fingerprint Fingerprint       `json:"fingerprint"`
	Selection   string            `json:"selection,omitempty"` // --limit, --tag, --query; empty means every query
	Counts      map[string]int    `json:"counts,omitempty"`
	Environment map[string]string `json:"environment,omitempty"`
	Warnings    []assay.Warning   `json:"warnings,omitempty"`

	// Selectivity is the share of the index, 0 to 1, that each filter of the queries let through when the run
	// began, by the filter's canonical JSON; absent where the store cannot count.
	Selectivity map[string]float64 `json:"selectivity,omitempty"`
}

// Files of a run's folder.
const (
	infoFile     = "run.json"
	resultsFile  = "results.jsonl"
	passagesFile = "passages.jsonl"
	scoresFile   = "scores.jsonl"
	lockFile     = "lock"
)

// Run is one folder runs/<id>.
type Run struct {
	Dir  string
	Info RunInfo
}

// errNoRun marks a folder without run.json.
var errNoRun = errors.New("no run")

// OpenRun reads a run's folder.
func OpenRun(dir string) (*Run, error) {
	data, err := os.ReadFile(filepath.Join(dir, infoFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, assay.Classify(assay.Usagef("%s is not a run: it has no %s", dir, infoFile), errNoRun)
	}
	if err != nil {
		return nil, err
	}
	r := &Run{Dir: dir}
	if err := json.Unmarshal(data, &r.Info); err != nil {
		return nil, assay.Usagef("%s: %w", filepath.Join(dir, infoFile), jsonerr.Plain(err))
	}
	if r.Info.Schema != Schema {
		return nil, assay.Usagef("%s: schema is %q, this assay reads %q", filepath.Join(dir, infoFile), r.Info.Schema, Schema)
	}
	return r, nil
}

// Save writes run.json, whole, by renaming it into place.
func (r *Run) Save() error {
	data, err := json.MarshalIndent(r.Info, "", "  ")
	if err != nil {
		return fmt.Errorf("run %s: %w", r.Info.ID, err)
	}
	return r.replace(infoFile, func(w io.Writer) error {
		_, err := w.Write(append(data, '\n'))
		return err
	})
}

// replace writes a file of the run beside its place and renames it, so that a reader sees the old one or
// the new one. The caller holds the run's Lock.
func (r *Run) replace(file string, write func(io.Writer) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s of run %s: %w", file, r.Info.ID, err)
		}
	}()
	f, err := renameio.NewPendingFile(r.path(file), renameio.WithTempDir(r.Dir), renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 256<<10)
	if err = write(w); err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.CloseAtomicallyReplace()
	}
	return errors.Join(err, f.Cleanup())
}

// dropHalves removes what a process that was killed in replace has left; the caller holds the Lock.
func (r *Run) dropHalves() {
	entries, err := os.ReadDir(r.Dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "."+infoFile) || strings.HasPrefix(e.Name(), "."+scoresFile) {
			_ = os.Remove(r.path(e.Name())) // tried again with the next lock
		}
	}
}

func (r *Run) path(file string) string { return filepath.Join(r.Dir, file) }
