package anchor

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay"
)

// Folded is a text without the differences that copying, typesetting and language models bring in:
// every run of white space is one blank, typographic quotes, dashes, ellipses and Latin ligatures are
// their ASCII spellings, and invisible characters (soft hyphen, zero-width space, word joiner, byte order
// mark) are gone. Letter case and everything else stay. It remembers where each byte came from.
type Folded struct {
	text  string
	parts []part
}

// part is a stretch of the folded text. Where it is even, the bytes correspond one to one; else the whole
// stretch comes from the whole of its source (an ellipsis is three bytes on both sides and yet uneven).
type part struct {
	at, from int // offset in the folded text and in the original
	in, out  int // bytes of the original, bytes of the folded text
	even     bool
}

// Text is the folded text.
func (f *Folded) Text() string { return f.text }

// Original is the smallest span of the original text that the folded span comes from. The span must lie
// within Text.
func (f *Folded) Original(span assay.Span) assay.Span {
	if span.Empty() {
		at := f.origin(span.Start).Start
		return assay.Span{Start: at, End: at}
	}
	return assay.Span{Start: f.origin(span.Start).Start, End: f.origin(span.End - 1).End}
}

// origin is the source of one folded byte; past the end it is the end of the original.
func (f *Folded) origin(i int) assay.Span {
	n := sort.Search(len(f.parts), func(j int) bool { return f.parts[j].at > i }) - 1
	if n < 0 {
		return assay.Span{}
	}
	p := f.parts[n]
	if i >= p.at+p.out {
		return assay.Span{Start: p.from + p.in, End: p.from + p.in}
	}
	if p.even {
		at := p.from + i - p.at
		return assay.Span{Start: at, End: at + 1}
	}
	return assay.Span{Start: p.from, End: p.from + p.in}
}

// Folding is the position of a byte of the original in the folded text: the first folded byte that
// comes from it or from what follows it.
func (f *Folded) Folding(orig int) int {
	n := sort.Search(len(f.parts), func(j int) bool { return f.parts[j].from > orig }) - 1
	if n < 0 {
		return 0
	}
	p := f.parts[n]
	switch {
	case orig >= p.from+p.in:
		return p.at + p.out
	case p.even:
		return p.at + orig - p.from
	}
	return p.at
}

// Fold folds a text in one pass. The result takes about as much memory as the text, and more only where
// folding changes lengths.
func Fold(text string) *Folded {
	f := &Folded{}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		if j := plain(text, i); j > i {
			f.add(&b, text[i:j], i, j-i, true)
			i = j
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if unicode.IsSpace(r) {
			end := spaceEnd(text, i+size)
			f.add(&b, " ", i, end-i, end-i == 1)
			i = end
			continue
		}
		out, special := spelling[r]
		if !special {
			out = text[i : i+size]
		}
		if out != "" {
			f.add(&b, out, i, size, !special || size == 1)
		}
		i += size
	}
	f.text = b.String()
	return f
}

// Trim removes what folds to nothing or to a blank from both ends of a text.
func Trim(text string) string {
	return strings.TrimFunc(text, func(r rune) bool {
		out, special := spelling[r]
		return unicode.IsSpace(r) || special && out == ""
	})
}

// plain is the end of the stretch from i that folds to itself: ASCII without control characters, runs of
// blanks or the grave accent.
func plain(text string, i int) int {
	for ; i < len(text); i++ {
		c := text[i]
		if c > 0x7e || c < ' ' || c == '`' {
			break
		}
		if c == ' ' && i+1 < len(text) && !(text[i+1] > ' ' && text[i+1] <= 0x7e) {
			break
		}
	}
	return i
}

// spaceEnd is the end of the white space at i. Invisible characters inside a run belong to it.
func spaceEnd(text string, i int) int {
	end := i
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		out, special := spelling[r]
		switch {
		case unicode.IsSpace(r):
			i += size
			end = i
		case special && out == "":
			i += size
		default:
			return end
		}
	}
	return end
}

// add appends out, which comes from size bytes at from, merging with the part before where it can.
func (f *Folded) add(b *strings.Builder, out string, from, size int, even bool) {
	if n := len(f.parts); even && n > 0 {
		if p := &f.parts[n-1]; p.even && p.from+p.in == from {
			p.in += size
			p.out += size
			b.WriteString(out)
			return
		}
	}
	f.parts = append(f.parts, part{b.Len(), from, size, len(out), even})
	b.WriteString(out)
}

// spelling gives the folded form of single characters; "" drops them.
var spelling = map[rune]string{
	'‘': "'", '’': "'", '‚': "'", '‛': "'", '′': "'", '`': "'", '´': "'",
	'“': `"`, '”': `"`, '„': `"`, '‟': `"`, '″': `"`, '«': `"`, '»': `"`,
	'‐': "-", '‑': "-", '‒': "-", '–': "-", '—': "-", '―': "-", '−': "-",
	'…': "...",
	'ﬀ': "ff", 'ﬁ': "fi", 'ﬂ': "fl", 'ﬃ': "ffi", 'ﬄ': "ffl",
	'\u00ad': "", '\u200b': "", '\u2060': "", '\ufeff': "",
}
