package project

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/call"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/testset"
)

// Options say how a project talks to the person.
type Options struct {
	Warn     func(assay.Warning)                        // doubts that belong to no single number
	Progress func(label string, total int) ProgressLine // a line for long work; nil for none
}

// ProgressLine is the part of a progress display that work needs.
type ProgressLine interface {
	Set(done int, format string, args ...any)
	Stop()
}

// Project is one assay.yaml with what it names.
type Project struct {
	Config *config.Config
	opts   Options

	cache  func() (*llm.Cache, error)
	opened *llm.Cache

	testset func() (*testset.Set, error)

	mu      sync.Mutex     // guards models and closers
	models  map[string]any // opened clients by name of the model
	closers []io.Closer

	loading sync.Mutex // guards corpora
	corpora map[string]*Corpus
}

// Open makes a project of a configuration. It dials nothing and reads nothing.
func Open(cfg *config.Config, opts Options) *Project {
	if opts.Warn == nil {
		opts.Warn = func(assay.Warning) {}
	}
	p := &Project{Config: cfg, opts: opts, models: map[string]any{}, corpora: map[string]*Corpus{}}
	p.cache = sync.OnceValues(p.openCache)
	p.testset = sync.OnceValues(func() (*testset.Set, error) {
		defer sparing()()
		return testset.Open(cfg.Testset, p.opts.Warn)
	})
	return p
}

// Testset opens the test set, once: every system of a command is scored with the same labels.
func (p *Project) Testset() (*testset.Set, error) { return p.testset() }

// TestsetToWrite opens the test set for more; it may be empty or not exist yet.
func (p *Project) TestsetToWrite() (*testset.Set, error) {
	return testset.OpenOrCreate(p.Config.Testset, p.opts.Warn)
}

// Close ends what the systems keep running and flushes the cache.
func (p *Project) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for _, c := range p.closers {
		errs = append(errs, c.Close())
	}
	p.closers = nil
	if p.opened != nil {
		errs = append(errs, p.opened.Close())
	}
	return errors.Join(errs...)
}

// closeLater remembers a retriever that holds something open, such as a program.
func (p *Project) closeLater(r assay.Retriever) {
	if c, ok := assay.As[io.Closer](r); ok {
		p.mu.Lock()
		p.closers = append(p.closers, c)
		p.mu.Unlock()
	}
}

// openCache opens .assay/cache and keeps it out of version control. A cache saves calls and decides nothing:
// a project that one may only read is searched and measured without.
func (p *Project) openCache() (*llm.Cache, error) {
	dir := filepath.Join(p.Config.Dir, ".assay")
	err := os.MkdirAll(dir, 0o755)
	ignore := filepath.Join(dir, ".gitignore")
	if _, missing := os.Stat(ignore); err == nil && errors.Is(missing, os.ErrNotExist) {
		err = os.WriteFile(ignore, []byte("*\n"), 0o644)
	}
	if err == nil {
		p.opened, err = llm.OpenCache(filepath.Join(dir, "cache"), p.opts.Warn)
	}
	if err != nil {
		p.opts.Warn(assay.Warning{Code: "no_cache", Text: fmt.Sprintf("the answers of models are not kept, and will be asked for again: %v", err)})
		p.opened = llm.NoCache()
	}
	return p.opened, nil
}

// Runs is the folder of runs.
func (p *Project) Runs() *ledger.Store { return ledger.OpenStore(p.Config.Dir) }

// History is the project's history.
func (p *Project) History() *ledger.History {
	h := ledger.OpenHistory(p.Config.Dir)
	h.Warn = p.opts.Warn
	return h
}

// retry is the policy of further tries, from the run's settings.
func (p *Project) retry() call.Policy { return call.Policy{Retries: p.Config.Run.Retries} }

func (p *Project) progress(label string, total int) ProgressLine {
	if p.opts.Progress == nil {
		return noLine{}
	}
	return p.opts.Progress(label, total)
}

type noLine struct{}

func (noLine) Set(int, string, ...any) {}
func (noLine) Stop()                   {}
