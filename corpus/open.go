package corpus

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/assay-eval/assay"
)

// Spec says what a corpus is.
type Spec struct {
	Path     string   // a folder, a file, a glob (** for any depth), JSON lines, or a BEIR folder
	Chunk    Chunking // how it is cut; when By is empty, DefaultChunking for files and ByNone for records
	MaxBytes int64    // largest file read, and largest line of JSON lines; 0 for MaxBytes
}

// MaxBytes is the size above which a file is skipped, unread: 64 MiB.
const MaxBytes = 64 << 20

// Open looks at a corpus without reading its documents. Its errors say what is wrong with the path or the
// chunking; what is wrong inside comes with the documents.
//
// Document ids of files are their slash-separated paths: relative to the folder, to the fixed part of the
// glob, or for a single file its name. Records carry their own.
func Open(spec Spec) (*Source, error) {
	if spec.MaxBytes <= 0 {
		spec.MaxBytes = MaxBytes
	}
	src, records, err := open(spec)
	if err != nil {
		return nil, err
	}
	src.name, src.chunk = spec.Path, spec.Chunk
	if src.chunk.By == "" {
		src.chunk = DefaultChunking
		if records {
			src.chunk = Chunking{By: ByNone}
		}
	}
	if err := src.chunk.check(); err != nil {
		return nil, err
	}
	return src, nil
}

// open finds out what kind of corpus a path is, and whether it holds records rather than files.
func open(spec Spec) (src *Source, records bool, err error) {
	if spec.Path == "" {
		return nil, false, assay.WithHint(assay.Usagef("no corpus given"), "set corpus.path to a folder of documents")
	}
	info, err := os.Stat(spec.Path)
	switch {
	case err == nil && info.IsDir():
		if file := beirFile(spec.Path); file != "" {
			return recordSource(file, spec.MaxBytes), true, nil
		}
		return folderSource(spec), false, nil
	case err == nil && isRecords(spec.Path):
		return recordSource(spec.Path, spec.MaxBytes), true, nil
	case err == nil:
		if !info.Mode().IsRegular() {
			return nil, false, assay.Usagef("the corpus %s is neither a file nor a folder", spec.Path)
		}
		return fileSource(spec), false, nil
	case isGlob(spec.Path):
		if !doublestar.ValidatePathPattern(spec.Path) {
			return nil, false, assay.Usagef("the corpus %s is not a valid glob", spec.Path)
		}
		return globSource(spec), isRecords(spec.Path), nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, assay.WithHint(assay.Usagef("the corpus %s does not exist", spec.Path),
			"corpus.path is relative to the folder of assay.yaml")
	}
	return nil, false, assay.Classify(err, assay.ErrUsage)
}

func isGlob(path string) bool { return strings.ContainsAny(path, "*?[{") }

// isRecords reports whether a file holds one JSON document a line.
func isRecords(path string) bool {
	name := strings.ToLower(path)
	return strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".jsonl")
}

// beirFile is the corpus file of a BEIR folder, or "".
func beirFile(dir string) string {
	for _, name := range []string{"corpus.jsonl", "corpus.jsonl.gz"} {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}
