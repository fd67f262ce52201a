package ledger

import (
	"errors"
	"fmt"

	"github.com/assay-eval/assay"
)

// UnreadableRun is a folder of runs/ whose run.json is there and cannot be read. It may be a run of any system. It is ErrUsage.
type UnreadableRun struct {
	ID  string // the folder's name
	Err error
}

func (u *UnreadableRun) Error() string { return fmt.Sprintf("run %s cannot be read: %v", u.ID, u.Err) }

// Unwrap returns the cause, and the class that decides the exit code.
func (u *UnreadableRun) Unwrap() []error { return []error{u.Err, assay.ErrUsage} }

// Newer is the UnreadableRun among the errors of List that began after run, which is then not known to be the newest; nil
// where there is none.
func Newer(bad []error, run *Run) error {
	for _, err := range bad {
		var u *UnreadableRun
		if errors.As(err, &u) && u.ID > run.Info.ID {
			return assay.WithHint(u, "name the run that is meant, such as %s; or bring run.json back from a copy, or move the folder away", run.Info.ID)
		}
	}
	return nil
}
