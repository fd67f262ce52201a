package project

import (
	"context"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/testset"
)

// Version is the version of assay, for fingerprints; the command line sets it.
var Version = "devel"

// fingerprint gathers everything that may change the numbers of a run of s.
func (p *Project) fingerprint(ctx context.Context, s *System, set *testset.Set, index *assay.Inspection) (ledger.Fingerprint, error) {
	v := set.Version()
	fp := ledger.Fingerprint{}
	fp.Add("assay.version", Version)
	fp.Add("testset.queries", v.Queries)
	fp.Add("testset.labels", v.Labels)
	fp.Add("system.k", s.K)
	p.addSystem(fp, "system", s)
	if p.usesCorpus(s) {
		c, err := p.Corpus(ctx)
		if err != nil {
			return nil, err
		}
		fp.Add("corpus.version", c.Version())
		fp.Add("corpus.chunks", len(c.Chunks()))
	}
	if index != nil {
		fp.Add("index.server", index.Server)
		fp.Add("index.count", index.Count)
		fp.Add("index.config", index.Config)
	}
	return fp, nil
}

// addSystem adds the settings of a system and of the models it uses. The free config keys are remarks of
// the person and no part of what was run.
func (p *Project) addSystem(fp ledger.Fingerprint, key string, s *System) {
	settings := s.Config.Settings()
	delete(settings, "config")
	delete(settings, "k")
	fp.Add(key, settings)
	p.addModel(fp, key+".embed", s.Config.Embed, s.Embed)
	if s.Config.Rerank != nil {
		p.addModel(fp, key+".rerank", s.Config.Rerank.Model, s.Reranker)
	}
	for _, part := range s.Parts {
		p.addSystem(fp, key+"."+part.Name, part)
	}
}

func (p *Project) addModel(fp ledger.Fingerprint, key, name string, id assay.Identity) {
	if name == "" {
		return
	}
	m, _ := p.Config.Model(name)
	fp.Add(key+".settings", m.Settings())
	fp.Add(key+".digest", id.Digest)
	fp.Add(key+".server", id.Server)
	fp.Add(key+".details", id.Details)
}

// usesCorpus reports whether a system searches the configured corpus.
func (p *Project) usesCorpus(s *System) bool {
	for _, part := range s.Parts {
		if p.usesCorpus(part) {
			return true
		}
	}
	return slices.Contains(config.Embedded, s.Config.Retriever.Kind)
}

// inspect asks the live index what it is; nil when the store cannot say.
func inspect(ctx context.Context, s *System) (*assay.Inspection, error) {
	i, ok := assay.As[assay.Inspector](s)
	if !ok {
		return nil, nil
	}
	info, err := i.Inspect(ctx)
	if err != nil {
		return nil, err
	}
	return &info, nil
}

// recordConfig is what changed the result, in plain keys, for the history: from the live index where it
// can say, from the configuration else, the person's own keys last.
func (p *Project) recordConfig(s *System, index *assay.Inspection) map[string]any {
	c := map[string]any{"system": s.Name, "retriever": s.Config.Retriever.Kind, "k": s.K}
	if p.usesCorpus(s) && p.Config.Corpus.Chunk.By != "" {
		ch := p.Config.Corpus.Chunk
		c["chunk_by"] = ch.By
		if ch.Size > 0 {
			c["chunk_size"], c["chunk_overlap"], c["chunk_unit"] = ch.Size, ch.Overlap, ch.Unit
		}
	}
	if index != nil {
		maps.Copy(c, index.Config)
	}
	if m, ok := p.Config.Model(s.Config.Embed); ok {
		c["embed_model"] = m.Model
		if s.Embed.Digest != "" {
			c["embed_digest"] = s.Embed.Digest
		}
	}
	if s.Config.Rerank != nil {
		m, _ := p.Config.Model(s.Config.Rerank.Model)
		c["rerank_model"], c["rerank_depth"] = m.Model, s.Config.Rerank.Depth
	}
	if of := s.Config.Retriever.Of(); len(of) > 0 {
		maps.Copy(c, s.Config.Retriever.Options)
		c["of"] = strings.Join(of, ",")
		for _, part := range s.Parts {
			if m, ok := p.Config.Model(part.Config.Embed); ok {
				c["embed_model"] = m.Model
			}
		}
	}
	maps.Copy(c, s.Config.Config)
	return c
}

// environment says on what machine the latencies were measured.
func environment() map[string]string {
	env := map[string]string{"os": runtime.GOOS, "arch": runtime.GOARCH, "cpus": strconv.Itoa(runtime.NumCPU()), "go": runtime.Version()}
	if model := cpuModel("/proc/cpuinfo"); model != "" {
		env["cpu"] = model
	}
	return env
}

// cpuModel is the name of the processor, where the system says it in the manner of Linux.
func cpuModel(file string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
