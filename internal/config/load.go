package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
)

// DefaultFile is the file that is read when none is named.
const DefaultFile = "assay.yaml"

// maxFile bounds a configuration file in bytes.
const maxFile = 4 << 20

// Validators are the checks that need rooms above this one.
type Validators struct {
	// Measure reports what is wrong with a measure name.
	Measure func(name string) error
	// Retriever reports what is wrong with a retriever's kind and options, each error prefixed by the
	// option it is about, as OptionError.
	Retriever func(kind string, options map[string]any) []OptionError
	// Rule reports what is wrong with a gate rule.
	Rule func(rule string) error
}

// OptionError is a problem with one option of a retriever; Option may be "kind" or "".
type OptionError struct {
	Option string
	Err    error
}

// Error lists every problem found; it ends a command with exit code 2.
type Error struct {
	Problems []Problem
	Read     *Config // what could be read of the file, for those who look for further problems and for nothing else
}

func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Is makes the error one of usage.
func (e *Error) Is(target error) bool { return target == assay.ErrUsage }

// With adds what a look at the things named found, in the order of the file. What is about a part that is known to
// be wrong already is left out.
func (e *Error) With(more []Problem) *Error {
	all := slices.Clone(e.Problems)
	for _, p := range more {
		if !slices.ContainsFunc(e.Problems, func(o Problem) bool { return related(o.Key, p.Key) }) {
			all = append(all, p)
		}
	}
	return &Error{dedupe(all), e.Read}
}

// related reports whether one key lies in the other, or both in the corpus.
func related(a, b string) bool {
	return strings.HasPrefix(a+".", b+".") || strings.HasPrefix(b+".", a+".") || strings.HasPrefix(a, "corpus.") && strings.HasPrefix(b, "corpus.")
}

// Load reads a file with --set arguments over it and checks everything. The returned error is an *Error
// when the file was readable but wrong.
func Load(path string, sets []string, v Validators) (*Config, error) {
	data, err := readBounded(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, assay.WithHint(assay.Usagef("%s: no such file", path),
			"`assay init` writes one from what it finds here; `assay demo DIR` makes a project that works; or name a file with -c")
	}
	if err != nil {
		return nil, assay.Classify(err, assay.ErrUsage)
	}
	return Parse(data, path, sets, v)
}

func readBounded(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name the file in it: -c %s", path, filepath.Join(path, DefaultFile))
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s has %d bytes; a configuration has at most %d", path, info.Size(), maxFile)
	}
	return os.ReadFile(path)
}

// Parse is Load for bytes already read; path gives names to errors and the folder to relative paths.
func Parse(data []byte, path string, sets []string, v Validators) (*Config, error) {
	root, err := parse(data, path)
	if err != nil {
		return nil, assay.Classify(err, assay.ErrUsage)
	}
	if root.kind != mapNode {
		return nil, assay.Usagef("%s: expected a mapping at the top, found %s", path, root.describe())
	}
	for _, s := range sets {
		if err := applySet(root, s); err != nil {
			return nil, assay.Classify(err, assay.ErrUsage)
		}
	}
	cfg := Default()
	d := decoder{places: positions{}}
	d.structure(root, "", reflect.ValueOf(cfg).Elem())
	d.places[""] = path
	cfg.places = d.places
	cfg.File, err = filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	cfg.Dir = filepath.Dir(cfg.File)
	cfg.fill()
	problems := append(d.problems, cfg.check(v)...)
	if len(problems) > 0 {
		return nil, &Error{dedupe(problems), cfg}
	}
	return cfg, nil
}

// dedupe keeps the first problem of each key (a value of the wrong type need not also be called missing)
// and puts them in the order of the file.
func dedupe(problems []Problem) []Problem {
	var out []Problem
	line := func(p Problem) int {
		n, _ := strconv.Atoi(p.Where[strings.LastIndexByte(p.Where, ':')+1:])
		return n
	}
	for _, p := range problems {
		if !slices.ContainsFunc(out, func(o Problem) bool { return o.Key == p.Key && o.Key != "" }) {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b Problem) int { return line(a) - line(b) })
	return out
}

// fill sets what depends on other keys and makes paths absolute.
func (c *Config) fill() {
	if c.Corpus != nil {
		c.Corpus.Chunk = c.chunking(c.Corpus.Chunk)
		c.Corpus.Path = c.Abs(c.Corpus.Path)
	}
	if len(c.Systems) == 0 && c.Corpus != nil {
		c.Systems = []System{{Name: "lexical", Retriever: Retriever{Kind: "bm25"}}}
	}
	for i := range c.Systems {
		s, key := &c.Systems[i], "systems."+c.Systems[i].Name
		if s.K == 0 && !c.said(key+".k") {
			s.K = DefaultK
		}
		if s.Rerank != nil && s.Rerank.Depth == 0 && !c.said(key+".rerank.depth") {
			s.Rerank.Depth = 100
		}
	}
	c.Testset = c.Abs(c.Testset)
	if c.Judge.Rubric != "" && !slices.Contains(Rubrics, c.Judge.Rubric) {
		c.Judge.Rubric = c.Abs(c.Judge.Rubric)
	}
	if c.Generate.Examples != "" {
		c.Generate.Examples = c.Abs(c.Generate.Examples)
	}
}

// said reports whether the file, or --set, gives a key: a 0 that somebody wrote is no request for the default.
func (c *Config) said(key string) bool {
	_, ok := c.places[key]
	return ok
}

// chunking completes a chunker of which something was said. When nothing was, it stays empty and the
// corpus decides: files are cut by DefaultChunk, records stay whole.
func (c *Config) chunking(k Chunk) Chunk {
	if !c.said("corpus.chunk") {
		return k
	}
	if k.By == "" {
		k.By = DefaultChunk.By
	}
	if k.Unit == "" {
		k.Unit = DefaultChunk.Unit
	}
	if !c.said("corpus.chunk.size") && k.By != "none" {
		k.Size = DefaultChunk.Size
		if !c.said("corpus.chunk.overlap") {
			k.Overlap = DefaultChunk.Overlap
		}
	}
	return k
}

// Abs resolves a path from the file against the file's folder.
func (c *Config) Abs(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.Dir, path)
}
