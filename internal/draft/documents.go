package draft

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/corpus"
)

// Documents are the files that labels will point into.
type Documents struct {
	Path  string `json:"path"`  // as corpus.path takes it, relative to the configuration
	Count int    `json:"count"` // documents that can be read

	set *corpus.Set
}

// ours are folders that assay keeps its own files in.
var ours = []string{"testset", "runs", "baseline"}

// readable are the extensions of documents, as corpus reads them.
var readable = []string{".md", ".markdown", ".txt", ".text", ".html", ".htm"}

// mostFiles bounds the search for documents: a home folder is not a corpus.
const mostFiles = 20_000

// errEnough ends a walk.
var errEnough = errors.New("enough files")

// findDocuments chooses the place in a folder with the most documents: one of its subfolders, or its own files. nil when
// there are none. A folder docs wins over a larger one of another name.
func findDocuments(ctx context.Context, dir string) (*Documents, error) {
	if dir == "" {
		dir = "."
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, assay.WithHint(assay.Usagef("%s: no such folder", dir), "mkdir %s, and put documents into it", dir)
	}
	if err != nil {
		return nil, assay.Classify(err, assay.ErrUsage)
	}
	counts := map[string]int{}
	for _, e := range entries {
		name := e.Name()
		switch {
		case strings.HasPrefix(name, ".") || slices.Contains(ours, name) || name == "node_modules":
		case e.IsDir():
			counts[name] = countFiles(filepath.Join(dir, name))
		case slices.Contains(readable, strings.ToLower(filepath.Ext(name))) && !isNotice(name):
			counts[ownFiles]++
		}
	}
	best := ""
	for name, n := range counts {
		if n > 0 && (best == "" || better(name, n, best, counts[best])) {
			best = name
		}
	}
	if best == "" {
		return nil, nil
	}
	set, err := load(ctx, filepath.Join(dir, best))
	if err != nil {
		return nil, err
	}
	if set == nil {
		return nil, nil
	}
	return &Documents{Path: best, Count: len(set.Documents()), set: set}, nil
}

// ownFiles is the glob of the documents that lie in the folder itself.
const ownFiles = "*.{md,markdown,txt,text,html,htm}"

// isNotice reports files that describe a folder rather than being its content.
func isNotice(name string) bool {
	stem := strings.ToLower(strings.TrimSuffix(name, filepath.Ext(name)))
	return slices.Contains([]string{"readme", "license", "changelog", "contributing", "requirements", "robots"}, stem)
}

func better(a string, n int, b string, m int) bool {
	rank := func(name string) int {
		return slices.Index([]string{"documents", "corpus", "docs"}, strings.ToLower(name))
	}
	if rank(a) != rank(b) {
		return rank(a) > rank(b)
	}
	if n != m {
		return n > m
	}
	return a < b
}

func countFiles(dir string) int {
	n, seen := 0, 0
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && e != nil && e.IsDir():
			return fs.SkipDir // corpus says so when it reads
		case err != nil:
			return errEnough
		case e.IsDir() && (strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules" || e.Name() == "__pycache__"):
			return fs.SkipDir
		}
		if seen++; seen > mostFiles {
			return errEnough
		}
		if !e.IsDir() && slices.Contains(readable, strings.ToLower(filepath.Ext(path))) {
			n++
		}
		return nil
	})
	return n
}

// load reads the documents; nil where none of them can be read.
func load(ctx context.Context, path string) (*corpus.Set, error) {
	src, err := corpus.Open(corpus.Spec{Path: path})
	if err != nil {
		return nil, err
	}
	set, err := corpus.Load(ctx, src)
	if errors.Is(err, assay.ErrUsage) {
		return nil, nil // no document among them that can be read
	}
	return set, err
}

func (d *Draft) documents() {
	if d.Documents == nil {
		d.note(Unknown, "documents", "none in this folder (.md, .txt, .html): labels will be tied to the chunks of the store")
		return
	}
	d.note(Found, "documents", fmt.Sprintf("%s: %d that can be read", d.Documents.Path, d.Documents.Count))
}
