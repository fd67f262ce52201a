package trec

import "fmt"

// Release is a release of trec_eval whose reading of files is followed.
type Release int

// The releases. They differ in the precision of scores, in comments, and in little else.
const (
	Release9  Release = 9  // 9.0.8: scores are rounded to float32, a line that begins with # is data
	Release10 Release = 10 // 10.0: scores are float64, lines that begin with # are comments
)

// Dialect says how a file is read. The zero Dialect is strict and follows release 9.
type Dialect struct {
	Release Release // 0 means Release9
	// Lenient reads numbers as trec_eval does, where garbage is 0 and "5.0abc" is 5, and takes a run with
	// several tags as one run. Otherwise both are errors, as is a byte order mark.
	Lenient bool
}

// ParseRelease reads the value of --compat.
func ParseRelease(s string) (Release, error) {
	switch s {
	case "9", "9.0.8":
		return Release9, nil
	case "10", "10.0":
		return Release10, nil
	}
	return 0, fmt.Errorf("unknown trec_eval release %q: 9 or 10", s)
}

// float32Scores reports whether scores are rounded to float32 before they are compared.
func (d Dialect) float32Scores() bool { return d.Release != Release10 }

// comments reports whether lines that begin with # are comments.
func (d Dialect) comments() bool { return d.Release == Release10 }
