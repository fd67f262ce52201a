package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/nearest"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/internal/secret"
)

// Embedded are the kinds of retriever that assay itself builds over the corpus.
var Embedded = []string{"bm25", "exact"}

// MaxK bounds the length of a ranking.
const MaxK = 10_000

// checker collects problems of values that are well typed but make no sense together.
type checker struct {
	cfg      *Config
	problems []Problem
}

func (k *checker) add(key, format string, args ...any) {
	k.problems = append(k.problems, Problem{k.cfg.Where(key), key, fmt.Sprintf(format, args...)})
}

func (c *Config) check(v Validators) []Problem {
	k := &checker{cfg: c}
	if c.Version != 1 {
		k.add("version", "this assay reads version 1, the file says %d", c.Version)
	}
	k.corpus()
	for _, m := range c.Models {
		k.model(m)
	}
	for _, s := range c.Systems {
		k.system(s, v)
	}
	k.cycles()
	k.generate()
	k.labels()
	k.run()
	if len(c.Measures) == 0 {
		k.add("measures", "is empty; name at least one, such as recall@10")
	}
	for i, m := range c.Measures {
		if v.Measure != nil {
			if err := v.Measure(m); err != nil {
				k.add(fmt.Sprintf("measures[%d]", i), "%v", err)
			}
		}
	}
	for i, r := range c.Gate.Rules {
		if v.Rule != nil {
			if err := v.Rule(r); err != nil {
				k.add(fmt.Sprintf("gate.rules[%d]", i), "%v", err)
			}
		}
	}
	return k.problems
}

func (k *checker) corpus() {
	c := k.cfg.Corpus
	if c == nil {
		return
	}
	if c.Path == "" || c.Path == k.cfg.Dir {
		k.add("corpus.path", "is missing: a folder, file or glob of documents")
	}
	if c.Chunk.By == "" || c.Chunk.By == "none" {
		return
	}
	if c.Chunk.Size < 1 {
		k.add("corpus.chunk.size", "must be at least 1")
	}
	if c.Chunk.Overlap < 0 || c.Chunk.Overlap >= max(1, c.Chunk.Size) {
		k.add("corpus.chunk.overlap", "must be at least 0 and below size (%d)", c.Chunk.Size)
	}
}

func (k *checker) model(m Model) {
	key := "models." + m.Name
	if m.Provider != "ollama" && m.Remote.URL == "" {
		k.add(key+".url", "is missing: the address of the %s server", m.Provider)
	}
	if m.Remote.URL != "" {
		if err := rest.CheckURL(m.Remote.URL); err != nil {
			k.add(key+".url", "%v", err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Remote.Headers)) {
		if secret.Shows(m.Remote.Headers[name].Text) {
			k.add(key+".headers."+name, "%v: name where it lies, as {env: NAME}", secret.ErrLiteral)
		}
	}
	k.atLeast(key+".concurrency", m.Remote.Concurrency, 0)
	k.given(key+".batch", m.Batch)
	k.given(key+".max_tokens", m.MaxTokens)
	k.given(key+".timeout", int(m.Remote.Timeout))
	k.given(key+".keep_alive", int(m.KeepAlive))
	k.atLeast(key+".num_ctx", m.NumCtx, 0)
	if m.Remote.Rate < 0 {
		k.add(key+".rate", "must not be negative")
	}
}

// given checks a setting whose default is no number: when it is written, it must be above 0.
func (k *checker) given(key string, got int) {
	if got < 0 || got == 0 && k.cfg.said(key) {
		k.add(key, "must be above 0; leave the key out for the default")
	}
}

func (k *checker) atLeast(key string, got, least int) {
	if got < least {
		k.add(key, "must be at least %d", least)
	}
}

func (k *checker) names(of func(Model) bool) []string {
	var out []string
	for _, m := range k.cfg.Models {
		if of == nil || of(m) {
			out = append(out, m.Name)
		}
	}
	return out
}

// reference checks that a key names a model of the right provider.
func (k *checker) reference(key, name string, rerank bool) {
	fits := k.names(func(m Model) bool { return (m.Provider == "rerank") == rerank })
	if slices.Contains(fits, name) {
		return
	}
	if slices.Contains(k.names(nil), name) {
		k.add(key, "model %q has the wrong provider for this place", name)
		return
	}
	k.add(key, "no model is named %q%s", name, nearest.Suggest(name, fits))
}

func (k *checker) system(s System, v Validators) {
	key := "systems." + s.Name
	if s.K < 1 || s.K > MaxK {
		k.add(key+".k", "must be from 1 to %d", MaxK)
	}
	k.remarks(key+".config", s.Config)
	if s.Embed != "" {
		k.reference(key+".embed", s.Embed, false)
	}
	if s.Rerank != nil {
		k.reference(key+".rerank.model", s.Rerank.Model, true)
		if s.Rerank.Depth < s.K {
			k.add(key+".rerank.depth", "must be at least k (%d)", s.K)
		}
	}
	if slices.Contains(Embedded, s.Retriever.Kind) && k.cfg.Corpus == nil {
		k.add(key+".retriever.kind", "%s searches the documents of this project, and there is no corpus; add corpus: {path: …}", s.Retriever.Kind)
	}
	if s.Retriever.Kind == "exact" && s.Embed == "" {
		k.add(key+".embed", "is missing: exact search compares vectors and needs an embedding model")
	}
	if s.Retriever.Kind != "" && v.Retriever != nil {
		for _, e := range v.Retriever(s.Retriever.Kind, s.Retriever.Options) {
			k.add(strings.TrimSuffix(key+".retriever."+e.Option, "."), "%v", e.Err)
		}
	}
}

// remarks checks a system's free keys, which are copied into the history: none may hold a secret.
func (k *checker) remarks(key string, free map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(free)) {
		switch v := free[name].(type) {
		case string:
			if secret.Name(name) && v != "" || secret.Shows(v) {
				k.add(key+"."+name, "%v, and this is copied into the history", secret.ErrLiteral)
			}
		case map[string]any:
			k.remarks(key+"."+name, v)
		}
	}
}

// Of lists the systems that a fuse retriever is made of; nil for other kinds.
func (r Retriever) Of() []string {
	if r.Kind != "fuse" {
		return nil
	}
	list, _ := r.Options["of"].([]any)
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// cycles checks that fused systems exist and that none is made of itself.
func (k *checker) cycles() {
	var names []string
	for _, s := range k.cfg.Systems {
		names = append(names, s.Name)
	}
	var visit func(name string, path []string) bool
	visit = func(name string, path []string) bool {
		if slices.Contains(path, name) {
			k.add("systems."+path[0]+".retriever.of", "%s is made of itself (%s → %s)", name, strings.Join(path, " → "), name)
			return false
		}
		s, ok := k.cfg.System(name)
		if !ok {
			return true
		}
		for _, of := range s.Retriever.Of() {
			if !visit(of, append(slices.Clone(path), name)) {
				return false
			}
		}
		return true
	}
	for _, s := range k.cfg.Systems {
		for _, of := range s.Retriever.Of() {
			if !slices.Contains(names, of) {
				k.add("systems."+s.Name+".retriever.of", "no system is named %q%s", of, nearest.Suggest(of, names))
			}
		}
		if !visit(s.Name, nil) {
			return
		}
	}
}

func (k *checker) run() {
	r := k.cfg.Run
	k.atLeast("run.workers", int(r.Workers), 0)
	k.atLeast("run.retries", r.Retries, 0)
	if r.Timeout <= 0 {
		k.add("run.timeout", "must be above 0")
	}
	if r.MaxFailed < 0 || r.MaxFailed > 1 {
		k.add("run.max_failed", "must be from 0 to 1")
	}
}
