package project

import (
	"context"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/all"
	"github.com/assay-eval/assay/corpus"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/secret"
)

// Unmet lists what the configuration names and this machine has not: documents, files, programs. No server is
// asked; that is what an examination is for. unset are the environment variables that secrets are to come
// from and do not: where a configuration is checked is often not where it is used.
func (p *Project) Unmet(ctx context.Context) (problems []config.Problem, unset []string) {
	u := &unmet{p: p}
	if p.Config.Corpus != nil {
		u.add("corpus.path", p.hasDocuments(ctx))
	}
	u.file("generate.examples", p.Config.Generate.Examples)
	for _, m := range p.Config.Models {
		u.model(m)
	}
	for _, s := range p.Config.Systems {
		u.system(s)
	}
	return u.problems, u.unset
}

// hasDocuments looks for the first chunk of the corpus.
func (p *Project) hasDocuments(ctx context.Context) error {
	src, err := p.openCorpus()
	if err != nil {
		return err
	}
	for _, err := range src.Chunks(ctx) {
		if _, skipped := corpus.AsSkip(err); !skipped {
			return err
		}
	}
	return nil
}

type unmet struct {
	p        *Project
	problems []config.Problem
	unset    []string
}

func (u *unmet) add(key string, err error) {
	if err != nil {
		u.problems = append(u.problems, config.Problem{Where: u.p.Config.Where(key), Key: key, Text: err.Error()})
	}
}

func (u *unmet) file(key, path string) {
	if path == "" {
		return
	}
	f, err := os.Open(path)
	u.add(key, err)
	if err == nil {
		_ = f.Close() // opened to see whether it can be
	}
}

// lookup is os.LookupEnv that notes what is not set and gives something in its place.
func (u *unmet) lookup(name string) (string, bool) {
	if v := os.Getenv(name); v != "" {
		return v, true
	}
	if !slices.Contains(u.unset, name) {
		u.unset = append(u.unset, name)
	}
	return "unset", true
}

func (u *unmet) model(m config.Model) {
	key := "models." + m.Name
	u.file(key+".ca_file", u.p.Config.Abs(m.Remote.CAFile))
	refs := map[string]secret.Ref{"api_key": m.Remote.APIKey}
	for name, h := range m.Remote.Headers {
		refs["headers."+name] = h.Ref
	}
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		if refs[name] != (secret.Ref{}) {
			_, err := refs[name].Resolve(u.p.Config.Dir, u.lookup)
			u.add(key+"."+name, err)
		}
	}
}

func (u *unmet) system(s config.System) {
	kind, err := all.Kinds().Kind(s.Retriever.Kind)
	if err != nil || kind.Embedded {
		return
	}
	r, err := all.Kinds().Open(kind.Name, u.p.withTimeout(s.Retriever.Options), connector.Env{Env: option.Env{Dir: u.p.Config.Dir, Lookup: u.lookup}})
	if err == nil {
		if c, ok := assay.As[io.Closer](r); ok {
			err = c.Close()
		}
	}
	u.add("systems."+s.Name+".retriever", err)
}
