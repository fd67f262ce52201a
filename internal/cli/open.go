package cli

import (
	"github.com/assay-eval/assay/internal/project"
	"github.com/assay-eval/assay/internal/term"
)

// open reads the configuration and makes a project of it. The caller closes it.
func (a *app) open() (*project.Project, error) {
	cfg, err := a.config()
	if err != nil {
		return nil, err
	}
	return project.Open(cfg, project.Options{
		Warn: a.warnOne,
		Progress: func(label string, total int) project.ProgressLine {
			return a.progress(label, total)
		},
	}), nil
}

// progress starts a progress line, unless the person wants none.
func (a *app) progress(label string, total int) *term.Progress {
	return term.NewProgress(a.streams, !a.quiet && !a.noProgress && !a.json, label, total)
}
