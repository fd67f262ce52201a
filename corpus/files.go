package corpus

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/assay-eval/assay"
)

// documentTypes names the file types read, for messages.
const documentTypes = ".md, .txt and .html"

// formats gives the format of a file by its extension in lower case.
var formats = map[string]string{
	".md": FormatMarkdown, ".markdown": FormatMarkdown,
	".txt": FormatText, ".text": FormatText,
	".html": FormatHTML, ".htm": FormatHTML,
}

func formatOf(path string) string { return formats[strings.ToLower(filepath.Ext(path))] }

// leftOut reports whether a folder's entry is not looked at: names that begin with a dot (version
// control, editors, caches), and the folders into which package managers put other people's files.
func leftOut(name string, isDir bool) bool {
	if strings.HasPrefix(name, ".") {
		return true
	}
	return isDir && (name == "node_modules" || name == "__pycache__")
}

// folderSource reads the documents of a folder and of the folders in it, in order of names.
func folderSource(spec Spec) *Source {
	return &Source{docs: func(_ context.Context, r *reading) {
		r.ignored = ignored{}
		// A root that is a symbolic link is followed; links to folders inside are not, they may loop.
		root, err := filepath.EvalSymlinks(spec.Path)
		if err != nil {
			r.fail(assay.Classify(err, assay.ErrUsage))
			return
		}
		err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			rel, relErr := filepath.Rel(root, path)
			if relErr != nil {
				return relErr
			}
			shown := filepath.Join(spec.Path, rel)
			switch {
			case r.stop():
				return fs.SkipAll
			case err != nil && rel == ".":
				return err
			case err != nil:
				r.skip(shown, 0, pathReason(err))
				return nil
			case rel != "." && leftOut(e.Name(), e.IsDir()):
				if e.IsDir() {
					return fs.SkipDir
				}
				return nil
			case e.IsDir():
				return nil
			}
			r.entry(path, shown, rel, e, spec.MaxBytes)
			return nil
		})
		if err != nil {
			r.fail(assay.Classify(err, assay.ErrUsage))
		}
	}}
}

// entry reads one entry of a folder that is not itself a folder.
func (r *reading) entry(path, shown, rel string, e fs.DirEntry, limit int64) {
	if formatOf(path) == "" {
		if e.Type()&fs.ModeSymlink != 0 {
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				r.skip(shown, 0, "a symbolic link to a folder, which is not followed")
				return
			}
		}
		r.ignored[extension(path)]++
		return
	}
	r.file(path, shown, rel, limit)
}

func extension(path string) string {
	if ext := strings.ToLower(filepath.Ext(path)); ext != "" {
		return ext
	}
	return "extensionless"
}

// fileSource reads a single file, whatever it is called.
func fileSource(spec Spec) *Source {
	return &Source{docs: func(_ context.Context, r *reading) {
		r.file(spec.Path, spec.Path, filepath.Base(spec.Path), spec.MaxBytes)
	}}
}

// globSource reads the files that a pattern matches, in order of their paths; JSON lines among them as
// records. Hidden files are matched only where the pattern names them.
func globSource(spec Spec) *Source {
	return &Source{docs: func(_ context.Context, r *reading) {
		r.ignored = ignored{}
		base, _ := doublestar.SplitPattern(filepath.ToSlash(spec.Path))
		paths, err := doublestar.FilepathGlob(spec.Path, doublestar.WithFilesOnly(), doublestar.WithNoHidden())
		if err != nil {
			r.fail(assay.Classify(err, assay.ErrUsage))
			return
		}
		slices.Sort(paths)
		for _, path := range paths {
			rel, err := filepath.Rel(filepath.FromSlash(base), path)
			if err != nil {
				rel = path
			}
			switch {
			case r.stop():
				return
			case isRecords(path):
				r.records(path, spec.MaxBytes)
			case formatOf(path) == "":
				r.ignored[extension(path)]++
			default:
				r.file(path, path, rel, spec.MaxBytes)
			}
		}
	}}
}

// file reads one document; rel gives its id.
func (r *reading) file(path, shown, rel string, limit int64) {
	if !utf8.ValidString(rel) {
		r.skip(shown, 0, "its name is not valid UTF-8, so that no id can name it")
		return
	}
	text, reason := readText(path, limit)
	if reason != "" {
		r.skip(shown, 0, reason)
		return
	}
	format := formatOf(path)
	if format == "" {
		format = FormatText
	}
	doc := assay.Document{ID: filepath.ToSlash(rel), Text: text, Format: format}
	if format != FormatHTML {
		r.document(NewDocument(doc), shown, 0)
		return
	}
	page, err := HTMLText(text)
	switch {
	case err != nil:
		r.skip(shown, 0, err.Error())
	case isSpace(page.Text):
		r.skip(shown, 0, "the page has no visible text")
	default:
		doc.Text, doc.Title = page.Text, page.Title
		d := &Document{Document: doc, Outline: page.Outline}
		d.titleFromOutline()
		r.document(d, shown, 0)
	}
}

// pathReason is an error of the file system without the path, which the Skip names already.
func pathReason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return "cannot be read: " + pe.Err.Error()
	}
	return "cannot be read: " + err.Error()
}
