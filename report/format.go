package report

import (
	"cmp"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// Format is a way to write a Model to a file.
type Format struct {
	Name       string   // "HTML"
	Extensions []string // ".html"; the first is the usual one
	Write      func(io.Writer, *Model) error
}

// formats are filled by the file of each format, so that a new one touches that file only.
var formats []Format

// register is called by the files of the formats when the package is initialised.
func register(f Format) bool {
	formats = append(formats, f)
	slices.SortFunc(formats, func(a, b Format) int { return cmp.Compare(a.Extensions[0], b.Extensions[0]) })
	return true
}

// ForFile picks the format of a file by the ending of its name. allowed are endings (".html") that make sense for the
// report at hand; none means all of them. The error says which there are.
func ForFile(path string, allowed ...string) (Format, error) {
	ext := strings.ToLower(filepath.Ext(path))
	var known []string
	for _, f := range formats {
		if len(allowed) > 0 && !slices.Contains(allowed, f.Extensions[0]) {
			continue
		}
		if slices.Contains(f.Extensions, ext) {
			return f, nil
		}
		known = append(known, f.Extensions[0])
	}
	what := "ends in " + ext
	if ext == "" {
		what = "has no ending"
	}
	return Format{}, assay.WithHint(assay.Usagef("--out %s: the name %s, and the ending chooses the format", path, what),
		"name the file something.{%s}", strings.ReplaceAll(strings.Join(known, ","), ".", ""))
}
