package corpus

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/assay-eval/assay"
)

// maxTitle bounds the bytes of a heading's title; longer ones are a paragraph gone wrong.
const maxTitle = 300

// markdownOutline lists the headings that divide a Markdown document, as CommonMark sees them: not those
// inside fences, and not those inside quotes and lists, which divide only their container.
func markdownOutline(markdown string, from int) []Heading {
	source := []byte(markdown[from:])
	root := blockParser.Parse(text.NewReader(source))
	var out []Heading
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			continue
		}
		first, last := h.Pos(), h.Pos()
		var lines [][]byte
		for i := range h.Lines().Len() {
			seg := h.Lines().At(i)
			lines = append(lines, bytes.TrimSpace(seg.Value(source)))
			if i == 0 {
				first = seg.Start
			}
			last = seg.Stop
		}
		start := bytes.LastIndexByte(source[:first], '\n') + 1
		end := lineAfter(source, last)
		if !isATX(source[start:]) { // the underline of a setext heading
			end = lineAfter(source, end)
		}
		out = append(out, Heading{
			Span:  assay.Span{Start: from + start, End: from + end},
			Level: h.Level,
			Title: plainTitle(bytes.Join(lines, []byte(" "))),
		})
	}
	return out
}

// lineAfter is the start of the line after the one that holds i, where i may be just past its last byte.
func lineAfter(source []byte, i int) int {
	if i > 0 && i <= len(source) && source[i-1] == '\n' {
		i--
	}
	if n := bytes.IndexByte(source[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(source)
}

func isATX(line []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("#")) }

// plainTitle is a heading's text without its markup.
func plainTitle(source []byte) string {
	if len(source) > maxTitle {
		source = bytes.ToValidUTF8(source[:maxTitle], nil)
	}
	var b strings.Builder
	root := inlineParser.Parse(text.NewReader(source))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(plainText(n, source))
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(source))
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// plainText resolves escapes and entities, except in code.
func plainText(n *ast.Text, source []byte) []byte {
	v := n.Segment.Value(source)
	if _, code := n.Parent().(*ast.CodeSpan); code {
		return v
	}
	v = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(v)))
	if !utf8.Valid(v) {
		return bytes.ToValidUTF8(v, nil)
	}
	return v
}

var (
	// blockParser finds blocks only: what stands inside a paragraph divides nothing.
	blockParser = parser.NewParser(parser.WithBlockParsers(shallowBlocks()...))
	// inlineParser reads one line of text.
	inlineParser = parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
	)
)

// maxDepth bounds the nesting of quotes and lists. The parser takes time proportional to depth for every
// block, so a line of a hundred thousand ">" would take minutes; deeper ones are text of the innermost.
const maxDepth = 32

func shallowBlocks() []util.PrioritizedValue {
	blocks := parser.DefaultBlockParsers()
	for i, b := range blocks {
		if p, ok := b.Value.(parser.BlockParser); ok && nests(p) {
			blocks[i] = util.Prioritized(shallow{p}, b.Priority)
		}
	}
	return blocks
}

// nests reports whether a parser opens a container: a quote or a list.
func nests(p parser.BlockParser) bool {
	for _, c := range p.Trigger() {
		if c == '>' || c == '+' {
			return true
		}
	}
	return false
}

// shallow refuses to open a container inside too many others.
type shallow struct{ parser.BlockParser }

func (s shallow) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if depth++; depth > maxDepth {
			return nil, parser.NoChildren
		}
	}
	return s.BlockParser.Open(parent, r, pc)
}
