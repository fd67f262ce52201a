package label

import (
	"errors"
	"path/filepath"
	"time"

	"github.com/assay-eval/assay/internal/jsonl"
	"github.com/assay-eval/assay/internal/rest"
)

var testTime = time.Date(2026, 12, 2, 10, 0, 0, 0, time.UTC)

func serverOf(url string) rest.Config { return rest.Config{BaseURL: url, Timeout: 10 * time.Minute} }

func appendFailure(dir string, f Failure) error {
	a, err := jsonl.Open(filepath.Join(dir, FailuresFile))
	if err != nil {
		return err
	}
	return errors.Join(a.Append(f), a.Close())
}
