package draft

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/discover"
)

// Fields are the paths in a chunk's metadata at which its parts lie; "" for a part that the store does not hold, and
// for a key that is the store's own id.
type Fields struct {
	Key      string `json:"key,omitempty"`
	Text     string `json:"text,omitempty"`
	Title    string `json:"title,omitempty"`
	Document string `json:"document,omitempty"`
	Start    string `json:"start,omitempty"`
	End      string `json:"end,omitempty"`

	ownText bool // the store has a text of its own, outside the metadata
	notes   []Note
}

// The names that ingest scripts and frameworks (LangChain, LlamaIndex, Haystack, Open WebUI) give to the parts, the
// likelier first. A name stands for the last part of a path, so that text finds metadata.text as well.
var (
	textNames     = []string{"text", "page_content", "content", "document", "chunk_text", "chunk", "passage", "body", "_node_text", "raw_text"}
	keyNames      = []string{"chunk_id", "chunk_key", "key", "uid", "uuid", "passage_id", "node_id", "id", "_id"}
	titleNames    = []string{"title", "heading", "header", "section", "headings"}
	documentNames = []string{"source", "path", "file_path", "filepath", "file", "file_name", "filename", "document", "doc", "document_id", "doc_id", "docid",
		"document_name", "parent_id", "url", "uri", "page"}
	places = [][2]string{{"start", "end"}, {"start_byte", "end_byte"}, {"byte_start", "byte_end"}, {"start_index", "end_index"}, {"start_char", "end_char"},
		{"start_char_idx", "end_char_idx"}, {"char_start", "char_end"}, {"start_offset", "end_offset"}, {"offset_start", "offset_end"}, {"begin", "end"}}
)

// guess finds the parts in a sample of chunks.
func guess(s *Store, chunks []assay.Chunk, docs *Documents) Fields {
	g := &guesser{chunks: chunks, columns: profile(chunks), docs: docs}
	g.text(s)
	g.key()
	g.document()
	if c := g.named(titleNames, func(c *column) bool { return c.texts == c.present && c.path != g.f.Text && c.path != g.f.Document }); c != nil {
		g.f.Title = c.path
		g.say(Guessed, "title", "%s", c.path)
	}
	g.place()
	return g.f
}

type guesser struct {
	chunks  []assay.Chunk
	columns []*column
	docs    *Documents
	f       Fields
}

// column is one path in the metadata with what the sample holds there.
type column struct {
	path     string
	present  int
	texts    int // values that are text
	integers int
	length   int // bytes of all texts
	values   []any
	distinct map[any]bool
}

// profile lists the paths of the sample, sorted.
func profile(chunks []assay.Chunk) []*column {
	found := map[string]*column{}
	var walk func(prefix string, m map[string]any)
	walk = func(prefix string, m map[string]any) {
		for k, v := range m {
			if sub, ok := v.(map[string]any); ok && strings.Count(prefix, ".") < 3 {
				walk(prefix+k+".", sub)
				continue
			}
			c := found[prefix+k]
			if c == nil {
				c = &column{path: prefix + k, distinct: map[any]bool{}}
				found[prefix+k] = c
			}
			c.add(v)
		}
	}
	for i := range chunks {
		walk("", chunks[i].Metadata)
	}
	var out []*column
	for _, path := range slices.Sorted(maps.Keys(found)) {
		out = append(out, found[path])
	}
	return out
}

func (c *column) add(v any) {
	switch v := assay.NormalizeValue(v).(type) {
	case nil:
		return
	case string:
		c.texts++
		c.length += len(v)
		c.distinct[v] = true
		c.values = append(c.values, v)
	case int64, uint64:
		c.integers++
		c.distinct[v] = true
		c.values = append(c.values, v)
	default:
		c.values = append(c.values, nil)
	}
	c.present++
}

// named finds the column whose last name stands first in a list and that passes a test.
func (g *guesser) named(names []string, ok func(*column) bool) *column {
	for _, name := range names {
		var best *column
		for _, c := range g.columns {
			last := c.path[strings.LastIndexByte(c.path, '.')+1:]
			if strings.EqualFold(last, name) && c.present > 0 && ok(c) && (best == nil || len(c.path) < len(best.path)) {
				best = c
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

func (g *guesser) say(s Status, what, format string, args ...any) {
	g.f.notes = append(g.f.notes, Note{s, what, fmt.Sprintf(format, args...)})
}

const (
	passage = 40  // bytes that a field of the right name holds on average when it is the text
	prose   = 100 // bytes that mark a field of any name as the text
)

func (g *guesser) text(s *Store) {
	own := 0
	for _, c := range g.chunks {
		if c.Text != "" {
			own++
		}
	}
	if s.Kind == discover.Chroma && 2*own >= len(g.chunks) {
		g.f.ownText = true
		g.say(Found, "text", "Chroma's document: %d of %d sampled chunks have one", own, len(g.chunks))
		return
	}
	mostly := func(c *column) bool { return 2*c.texts >= len(g.chunks) }
	if c := g.named(textNames, func(c *column) bool { return mostly(c) && c.length >= passage*c.texts }); c != nil {
		g.f.Text = c.path
		g.say(Guessed, "text", "%s, by its name: %d of %d sampled chunks have it, %d bytes on average", c.path, c.texts, len(g.chunks), c.length/c.texts)
		return
	}
	var longest *column
	for _, c := range g.columns {
		if mostly(c) && c.length >= prose*c.texts && !strings.HasPrefix(c.path, "_node_") && (longest == nil || c.length > longest.length) {
			longest = c
		}
	}
	if longest != nil {
		g.f.Text = longest.path
		g.say(Guessed, "text", "%s, for its values are the longest: %d bytes on average", longest.path, longest.length/longest.texts)
		return
	}
	g.say(Unknown, "text", "no field holds the chunks' text (there is %s): labels can only be matched by key", g.paths())
}

func (g *guesser) paths() string {
	if len(g.columns) == 0 {
		return "no field at all"
	}
	var out []string
	for _, c := range g.columns[:min(len(g.columns), 12)] {
		out = append(out, c.path)
	}
	return strings.Join(out, ", ")
}

func (g *guesser) key() {
	n := len(g.chunks)
	c := g.named(keyNames, func(c *column) bool {
		return c.texts+c.integers == n && len(c.distinct) == n && n > 1 && c.path != g.f.Text
	})
	if c == nil {
		g.say(Found, "key", "the store's own id: no field looks like a chunk's key")
		return
	}
	g.f.Key = c.path
	g.say(Guessed, "key", "%s: there in all %d sampled chunks, and no value twice", c.path, n)
}

func (g *guesser) document() {
	scalar := func(c *column) bool {
		return 10*(c.texts+c.integers) >= 9*len(g.chunks) && c.path != g.f.Text && c.path != g.f.Key
	}
	if g.docs != nil {
		var best *column
		most := 0
		for _, c := range g.columns {
			n := 0
			for _, v := range c.values {
				if id, ok := v.(string); ok {
					if _, there := g.docs.set.Document(id); there {
						n++
					}
				}
			}
			if scalar(c) && n > most {
				best, most = c, n
			}
		}
		if best != nil {
			g.f.Document = best.path
			g.say(Found, "document", "%s: %d of %d sampled values are files in %s", best.path, most, best.present, g.docs.Path)
			return
		}
	}
	c := g.named(documentNames, func(c *column) bool { return scalar(c) && c.integers == 0 })
	if c == nil {
		g.say(Unknown, "document", "no field names the document of a chunk")
		return
	}
	g.f.Document = c.path
	if g.docs == nil {
		g.say(Guessed, "document", "%s, by its name; %d different values in the sample", c.path, len(c.distinct))
		return
	}
	example, _ := c.values[0].(string)
	g.say(Guessed, "document", "%s, by its name; its values, such as %.80q, are no files in %s, so that labels are matched by text", c.path, example, g.docs.Path)
}

// place looks for the byte range, and checks that it is one: counted in bytes, it is as long as the text.
func (g *guesser) place() {
	if g.f.Text == "" && !g.f.ownText || g.f.Document == "" {
		return
	}
	for _, pair := range places {
		start := g.named(pair[:1], (*column).whole)
		if start == nil {
			continue
		}
		end := start.path[:len(start.path)-len(pair[0])] + pair[1]
		bytes, runes, wide, n := 0, 0, 0, 0
		for _, c := range g.chunks {
			from, ok1 := integer(c.Metadata, start.path)
			to, ok2 := integer(c.Metadata, end)
			text := g.f.textOf(c)
			if !ok1 || !ok2 || text == "" {
				continue
			}
			n++
			bytes += count(to-from == len(text))
			runes += count(to-from == utf8.RuneCountInString(text))
			wide += count(len(text) != utf8.RuneCountInString(text))
		}
		switch {
		case n == 0:
			continue
		case 10*bytes >= 9*n:
			g.f.Start, g.f.End = start.path, end
			status, also := Found, ""
			if wide == 0 {
				status, also = Guessed, "; the sample is plain ASCII, where characters would look the same"
			}
			g.say(status, "place", "%s and %s: as many bytes as the text in %d of %d sampled chunks%s", start.path, end, bytes, n, also)
		case 10*runes >= 9*n:
			g.say(Unknown, "place", "%s and %s count characters, not bytes, and are left out: labels are matched by text", start.path, end)
		default:
			g.say(Unknown, "place", "%s and %s do not fit the length of the text, and are left out", start.path, end)
		}
		return
	}
}

func (c *column) whole() bool { return c.integers == c.present }

func integer(m map[string]any, path string) (int, bool) {
	v, _ := assay.Lookup(m, path)
	n, ok := assay.NormalizeValue(v).(int64)
	return int(n), ok
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// textOf is the text of a sampled chunk.
func (f Fields) textOf(c assay.Chunk) string {
	if f.ownText || f.Text == "" {
		return c.Text
	}
	v, _ := assay.Lookup(c.Metadata, f.Text)
	s, _ := v.(string)
	return cmp.Or(s, c.Text)
}
