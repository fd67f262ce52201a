package corpus

import (
	"errors"
	"fmt"
)

// Skip is a file or a record that was left out, and why. Streams yield it as an error and go on; any
// other error ends them.
type Skip struct {
	Path   string // of the file, as the user named it; or the name of the live index
	Line   int    // of the record, from 1; 0 for a whole file
	Reason string
}

func (s *Skip) Error() string { return fmt.Sprintf("%s: skipped: %s", s.Where(), s.Reason) }

// Where is the path, with the line where there is one.
func (s *Skip) Where() string {
	if s.Line > 0 {
		return fmt.Sprintf("%s:%d", s.Path, s.Line)
	}
	return s.Path
}

// AsSkip finds the Skip in err.
func AsSkip(err error) (*Skip, bool) {
	var s *Skip
	ok := errors.As(err, &s)
	return s, ok
}
