package draft

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/discover"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/internal/vector"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/ollama"
	"github.com/assay-eval/assay/llm/openai"
)

// Check is the outcome of embedding stored texts again.
type Check string

// The outcomes: the model gives the stored vectors back; nearly so, which is the same model on a text that differs
// (a title or a path in front); it gives others; or it could not be tried.
const (
	Reproduced Check = "reproduced"
	Near       Check = "near"
	Other      Check = "other"
	Unchecked  Check = "unchecked"
)

// The median cosine of stored and new vectors from which a model counts as the same, and as the same on other text. An
// 8-bit and a 16-bit copy of one model stay above 0.99; two models of one dimension are near 0.
const (
	sameModel = 0.99
	sameOther = 0.8
)

// Embedder is a model held against a collection.
type Embedder struct {
	Provider       string  `json:"provider"`
	Model          string  `json:"model"`
	URL            string  `json:"url"`
	QueryPrefix    string  `json:"query_prefix,omitempty"`
	DocumentPrefix string  `json:"document_prefix,omitempty"`
	Check          Check   `json:"check"`
	Cosine         float64 `json:"cosine"`        // median over the chunks, with the best prefix; 0 when unchecked
	Chunks         int     `json:"chunks"`        // chunks compared
	Bare           float64 `json:"cosine_bare"`   // the same without a prefix
	Why            string  `json:"why,omitempty"` // why it was not checked

	server *discover.Server
	family llm.KnownPrefix
	known  bool // the family is one that asks for prefixes
}

// usable reports whether numbers made with the model mean something.
func (e *Embedder) usable() bool { return e != nil && e.Check != Other }

// model is an embedding model on a server.
type model struct {
	server *discover.Server
	discover.Model
}

func models(found discover.Found) []model {
	var out []model
	for i := range found.Servers {
		for _, m := range found.Servers[i].Models {
			if m.Embeds {
				out = append(out, model{&found.Servers[i], m})
			}
		}
	}
	return out
}

// pickModel holds every model of the collection's dimension against it and returns the best, nil for none.
func pickModel(ctx context.Context, o *Options, s *Store, candidates []model) *Embedder {
	if len(candidates) == 0 {
		return nil
	}
	chunks, why := comparable(ctx, o, s)
	var best *Embedder
	for _, m := range candidates {
		o.Step(fmt.Sprintf("embedding chunks of %s with %s", s.Name, m.Name))
		e := check(ctx, o, m, s, chunks, why)
		if best == nil || e.better(best) {
			best = e
		}
		if best.Check == Reproduced {
			break
		}
	}
	return best
}

func (e *Embedder) better(than *Embedder) bool {
	rank := []Check{Other, Unchecked, Near, Reproduced}
	return cmp.Or(cmp.Compare(slices.Index(rank, e.Check), slices.Index(rank, than.Check)), cmp.Compare(e.Cosine, than.Cosine)) > 0
}

const (
	compared    = 5               // chunks that are embedded again
	longestText = 1_500           // bytes of one: a longer one may have been cut when it was indexed
	most        = 5 * time.Minute // for one model, which may have to be loaded, or be busy with other work
)

// comparable lists chunks with text and vector, short ones first; without any it says why.
func comparable(ctx context.Context, o *Options, s *Store) (chunks []assay.Chunk, why string) {
	if s.Fields.Text == "" && !s.Fields.ownText {
		return nil, "the store holds no text to embed again"
	}
	all, err := s.list(ctx, o, 4*compared, true)
	if err != nil {
		return nil, "its vectors could not be listed: " + err.Error()
	}
	for _, c := range all {
		if strings.TrimSpace(c.Text) != "" && len(c.Vector) > 0 {
			chunks = append(chunks, c)
		}
	}
	if len(chunks) == 0 {
		return nil, "no sampled chunk has both text and vector"
	}
	slices.SortStableFunc(chunks, func(a, b assay.Chunk) int {
		return cmp.Compare(count(len(a.Text) > longestText), count(len(b.Text) > longestText))
	})
	return chunks[:min(len(chunks), compared)], ""
}

// check embeds the chunks with one model, without a prefix and with those that models are trained with.
func check(ctx context.Context, o *Options, m model, s *Store, chunks []assay.Chunk, why string) *Embedder {
	e := &Embedder{Provider: m.server.Kind, Model: m.Name, URL: m.server.URL, Check: Unchecked, Why: why, server: m.server}
	e.family, e.known = llm.FindPrefix(m.Name)
	if why == "" && !m.server.Local() {
		e.Why = "its server is not on this machine, and no text is sent there unasked: name it with --at"
	}
	if e.Why == "" {
		e.compare(ctx, o, chunks)
	}
	e.prefixes()
	return e
}

// compare finds the document prefix with which the model comes nearest to the stored vectors.
func (e *Embedder) compare(ctx context.Context, o *Options, chunks []assay.Chunk) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	client, err := e.client(o)
	if err != nil {
		e.Why = err.Error()
		return
	}
	for _, prefix := range e.documentPrefixes() {
		cosine, err := similarity(ctx, client, prefix, chunks)
		if err != nil {
			if e.Chunks == 0 {
				e.Why = "it could not embed the sampled chunks: " + err.Error()
			}
			return
		}
		if prefix == "" {
			e.Bare = cosine
		}
		if e.Chunks == 0 || cosine > e.Cosine {
			e.Cosine, e.DocumentPrefix, e.Chunks = cosine, prefix, len(chunks)
		}
		if e.Cosine >= sameModel {
			break
		}
	}
	switch {
	case e.Cosine >= sameModel:
		e.Check = Reproduced
	case e.Cosine >= sameOther:
		e.Check = Near
	default:
		e.Check = Other
	}
}

// documentPrefixes are the prefixes to try: the model's own, none, and then those of other families, which an ingest
// script may have used all the same.
func (e *Embedder) documentPrefixes() []string {
	out := []string{""}
	if e.known && e.family.Document != "" {
		out = []string{e.family.Document, ""}
	}
	for _, k := range llm.KnownPrefixes {
		if k.Document != "" && !slices.Contains(out, k.Document) {
			out = append(out, k.Document)
		}
	}
	return out
}

// similarity is the median cosine of the stored vectors and those of the texts behind a prefix.
func similarity(ctx context.Context, client assay.Embedder, prefix string, chunks []assay.Chunk) (float64, error) {
	texts := make([]string, len(chunks))
	for i, c := range chunks {
		texts[i] = prefix + c.Text
	}
	reply, err := client.Embed(ctx, assay.EmbedRequest{Texts: texts, Role: assay.RoleDocument})
	if err != nil {
		return 0, err
	}
	cosines := make([]float64, len(chunks))
	for i, v := range reply.Vectors {
		if len(v) != len(chunks[i].Vector) {
			return 0, fmt.Errorf("it gives %d dimensions, and the store holds %d", len(v), len(chunks[i].Vector))
		}
		cosines[i] = vector.Cosine(v, chunks[i].Vector)
	}
	slices.Sort(cosines)
	return cosines[len(cosines)/2], nil
}

func (e *Embedder) client(o *Options) (assay.Embedder, error) {
	server := rest.Config{BaseURL: e.URL, Timeout: most}
	if e.server.KeyEnv != "" && o.Lookup != nil {
		key, _ := o.Lookup(e.server.KeyEnv)
		server.APIKey = secret.New(key)
	}
	if e.Provider == discover.Ollama {
		return ollama.New(ollama.Options{Server: server, Model: e.Model, Truncate: true})
	}
	return openai.New(openai.Options{Server: server, Model: e.Model, Truncate: true})
}

// prefixes settles what stands before queries: what belongs to the prefix that the stored vectors were made with.
func (e *Embedder) prefixes() {
	switch {
	case e.Check == Unchecked && e.known, e.known && e.DocumentPrefix == e.family.Document:
		e.QueryPrefix, e.DocumentPrefix = strings.ReplaceAll(e.family.Query, "{task}", llm.DefaultTask), e.family.Document
	case e.DocumentPrefix != "":
		for _, k := range llm.KnownPrefixes {
			if k.Document == e.DocumentPrefix {
				e.QueryPrefix = k.Query
				return
			}
		}
	}
}
