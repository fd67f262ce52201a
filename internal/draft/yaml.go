package draft

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/discover"
	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/internal/rest"
)

// YAML is the configuration: what was chosen as keys, why and what else there is as comments.
func (d *Draft) YAML() string {
	p := &page{}
	p.comment(0, "What is evaluated, and with what. Written by `assay init`: what it could only guess says so.")
	p.comment(0, "Every key: `assay schema config`, docs/configuration.md. What is in force: `assay config check`.")
	p.key(0, "version", 1, "")
	d.writeCorpus(p)
	d.writeModels(p)
	d.writeSystems(p)
	d.writeGenerate(p)
	d.writeGate(p)
	return p.String()
}

func (d *Draft) writeCorpus(p *page) {
	switch {
	case d.Documents == nil:
		p.gap("No documents were found in this folder, so that labels point into the chunks of the store. With the documents that it was",
			"made from, labels survive a new chunking, and BM25 over them is the floor that a vector store must beat:")
		p.comment(0, "corpus: {path: docs}")
	case d.corpus():
		p.gap("The documents that labels point into. They are cut by heading, for the systems that are built in.")
		p.key(0, "corpus", nil, "")
		p.key(1, "path", d.Documents.Path, plural.Count(d.Documents.Count, "document"))
		p.comment(1, "chunk: {by: heading, size: 300, overlap: 40, unit: word}   # by: heading, sentence, fixed or none")
	default:
		p.gap(fmt.Sprintf("The texts of the collection do not stand in %s. If they should, take the comments away:", d.Documents.Path))
		p.comment(0, "corpus:", "  path: "+scalar(d.Documents.Path))
	}
}

func (d *Draft) writeModels(p *page) {
	if !d.Live() && d.Writer == nil {
		return
	}
	p.gap()
	p.key(0, "models", nil, "")
	if d.Live() {
		e := d.Embedder
		p.comment(1, "Embeds the queries. "+e.evidence())
		p.key(1, embedder, nil, "")
		p.server(2, e.Provider, e.Model, e.URL, e.server)
		if e.QueryPrefix != "" {
			p.key(2, "query_prefix", e.QueryPrefix, e.prefixEvidence())
		}
		if e.DocumentPrefix != "" {
			p.key(2, "document_prefix", e.DocumentPrefix, "")
		}
	}
	if d.Writer != nil {
		p.comment(1, "Writes queries for `assay generate`.")
		p.key(1, writer, nil, "")
		p.server(2, d.Writer.Provider, d.Writer.Model, d.Writer.URL, d.Writer.server)
	}
}

// evidence is a sentence on how sure the choice of the model is.
func (e *Embedder) evidence() string {
	switch e.Check {
	case Reproduced:
		return fmt.Sprintf("It gives the stored vectors back: median cosine %.4f over %d chunks.", e.Cosine, e.Chunks)
	case Near:
		return fmt.Sprintf("GUESS: it nearly gives the stored vectors back (median cosine %.4f over %d chunks).", e.Cosine, e.Chunks)
	}
	return "GUESS, by its dimension alone: " + oneLine(e.Why) + "."
}

func (e *Embedder) prefixEvidence() string {
	if e.Check == Reproduced && e.DocumentPrefix != "" {
		return "belongs to the prefix of the stored vectors"
	}
	return "GUESS, by the model's card: does your application do so?"
}

func (d *Draft) writeSystems(p *page) {
	p.gap()
	p.key(0, "systems", nil, "")
	if d.Store != nil {
		d.writeLive(p)
	}
	if d.corpus() {
		p.comment(1, "BM25 over the documents, built in: the floor. A vector store that cannot beat it is not worth its memory.")
		p.key(1, lexical, nil, "")
		p.key(2, "retriever", nil, "")
		p.key(3, "kind", "bm25", "")
	}
	if d.Live() && d.corpus() {
		p.comment(1, "Both, their ranks fused:", "hybrid: {retriever: {kind: fuse, of: [live, lexical]}}")
	}
	if len(d.others) > 0 {
		var names []string
		for _, c := range d.others[:min(len(d.others), mostListed)] {
			names = append(names, describe(c.Collection)+" in "+c.server.Kind)
		}
		if n := len(d.others); n > mostListed {
			names = append(names, fmt.Sprintf("and %d more", n-mostListed))
		}
		p.comment(1, "Also there, for `assay init --collection NAME`: "+strings.Join(names, ", ")+".")
	}
}

// writeLive writes the store's system, as a comment where it could not run.
func (d *Draft) writeLive(p *page) {
	q, s := p, d.Store
	if !d.Live() {
		p.comment(1, "A collection was found, and no model that gives its vectors. Name one under models, and take the comments away:")
		q = &page{}
	} else {
		p.comment(1, fmt.Sprintf("%s, as it is deployed; assay only reads.", describe(s.Collection)))
	}
	q.key(1, system, nil, "")
	q.key(2, "retriever", nil, "")
	q.key(3, "kind", s.Kind, "")
	for _, x := range s.settings() {
		comment := x.comment
		if comment != "" && s.Fields.guessed(x.key) {
			comment = "GUESS: " + comment
		}
		q.key(3, x.key, x.value, comment)
	}
	q.key(2, "embed", embedder, "")
	q.key(2, "k", 10, "GUESS: as many hits as your application uses")
	if q != p {
		p.comment(1, strings.Split(strings.TrimRight(q.String(), "\n"), "\n")...)
	}
}

// guessed reports whether a field was concluded from the sample.
func (f Fields) guessed(key string) bool {
	if key == "start" || key == "end" {
		key = "place"
	}
	return slices.ContainsFunc(f.notes, func(n Note) bool { return n.What == key && n.Status == Guessed })
}

func (d *Draft) writeGenerate(p *page) {
	p.gap("`assay generate` makes queries with labels; `assay import FILE` and `assay add` bring your own, which are better.")
	p.key(0, "generate", nil, "")
	p.key(1, "from", d.from(), "")
	if d.Writer != nil {
		p.key(1, "model", writer, "")
	} else {
		p.key(1, "method", "known-item", "words of a chunk, as no chat model was found; questions need one: model: NAME")
	}
	p.key(1, "sample", wanted, "")
	p.key(0, "testset", "testset", "")
}

func (d *Draft) writeGate(p *page) {
	m := d.Margin
	whose := "that the test set has"
	if m.Supposed {
		whose = "that generate makes"
	}
	p.gap(fmt.Sprintf("`assay gate` holds a run to this. With the %d queries %s, a loss below %.3f is found less than four times in five", m.Queries, whose, m.Detectable),
		"(supposing that one query in five is answered by only one of two versions): a margin below that would judge noise.",
		"`assay compare` prints the figure for your own runs.")
	p.key(0, "gate", nil, "")
	p.key(1, "rules", nil, "")
	p.item(2, fmt.Sprintf("recall@10 drop < %.2f", m.Drop))
}

// page builds a file line by line.
type page struct{ strings.Builder }

func (p *page) indent(depth int) { p.WriteString(strings.Repeat("  ", depth)) }

// key writes a key with its value; nil opens a map.
func (p *page) key(depth int, key string, value any, comment string) {
	p.indent(depth)
	p.WriteString(key + ":")
	switch v := value.(type) {
	case nil:
	case string:
		p.WriteString(" " + scalar(v))
	case map[string]any:
		p.WriteString(fmt.Sprintf(" {env: %s}", scalar(v["env"].(string))))
	default:
		fmt.Fprintf(p, " %v", v)
	}
	if comment != "" {
		p.WriteString("   # " + oneLine(comment))
	}
	p.WriteByte('\n')
}

func (p *page) item(depth int, text string) {
	p.indent(depth)
	p.WriteString("- " + scalar(text) + "\n")
}

// comment writes lines of comment.
func (p *page) comment(depth int, lines ...string) {
	for _, l := range lines {
		p.indent(depth)
		p.WriteString(strings.TrimRight("# "+oneLine(l), " ") + "\n")
	}
}

// gap begins a section, with the comment above it.
func (p *page) gap(lines ...string) {
	p.WriteByte('\n')
	p.comment(0, lines...)
}

// server writes where a model is.
func (p *page) server(depth int, provider, model, url string, s *discover.Server) {
	p.key(depth, "provider", provider, "")
	p.key(depth, "model", model, "")
	p.key(depth, "url", url, "")
	if s.KeyEnv != "" {
		p.key(depth, "api_key", map[string]any{"env": s.KeyEnv}, "")
	}
}

// bare is text that YAML reads as itself without quotes, within a line.
var bare = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./@+-]*(://[A-Za-z0-9_./:@+-]*[A-Za-z0-9_/]|:[A-Za-z0-9_.-]*[A-Za-z0-9_])?$`)

// words that YAML reads as something else than text.
var words = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"}

// scalar writes text so that YAML reads it as that text: names come from servers and folders, and may be anything.
func scalar(text string) string {
	if bare.MatchString(text) && !slices.Contains(words, strings.ToLower(text)) {
		return text
	}
	quoted, err := rest.Marshal(text) // JSON is YAML; without <, > and & as escapes
	if err != nil {
		return `""`
	}
	return string(quoted)
}

// oneLine keeps foreign text from leaving its comment.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, s)
}
