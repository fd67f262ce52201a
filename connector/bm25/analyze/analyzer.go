package analyze

import (
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/nearest"
)

// MaxWord is the number of bytes after which a word is cut and the rest taken as further words, so that
// a megabyte of base64 does not become one term. It is Lucene's default.
const MaxWord = 255

// Analyzer maps text to terms. It has no state and is safe for concurrent use.
//
// The work is in two steps, because the second depends on the word alone and so can be remembered: a
// corpus repeats its words, and stemming each only once is most of the speed of building an index.
type Analyzer struct {
	name    string
	prepare func(text string) string          // nil: the text as it is
	bigrams bool                              // pair up CJK characters
	term    func(dst []byte, w string) []byte // lower-cases and stems one word
}

// New returns the analyzer of a name in Names, or of an ISO 639-1 code such as "de". An unknown name is
// an error of KindInvalid that suggests the nearest one.
func New(name string) (*Analyzer, error) {
	key := strings.ToLower(strings.TrimSpace(name))
	if full, ok := aliases[key]; ok {
		key = full
	}
	if a, ok := analyzers[key]; ok {
		return a, nil
	}
	return nil, assay.Errorf(assay.KindInvalid, "analyzer", "", "there is no analyzer %q%s", name, nearest.Suggest(name, Names()))
}

// Names lists the analyzers, sorted.
func Names() []string { return slices.Sorted(maps.Keys(analyzers)) }

// Name is the canonical name, as in Names.
func (a *Analyzer) Name() string { return a.name }

// Words cuts text into words, in order, before any normalization.
func (a *Analyzer) Words(text string) Words {
	w := Words{a: a}
	w.Reset(text)
	return w
}

// Term appends the term of one word from Words to dst. It appends nothing when the analyzer drops the
// word (a stop word).
func (a *Analyzer) Term(dst []byte, word string) []byte { return a.term(dst, word) }

// Terms lists the terms of a text in order, repeats included.
func (a *Analyzer) Terms(text string) []string {
	var out []string
	var buf []byte
	words := a.Words(text)
	for word, ok := words.Next(); ok; word, ok = words.Next() {
		if buf = a.Term(buf[:0], word); len(buf) > 0 {
			out = append(out, string(buf))
		}
	}
	return out
}

var analyzers = func() map[string]*Analyzer {
	m := map[string]*Analyzer{
		"standard": {name: "standard", term: appendLower},
		"english":  {name: "english", term: englishTerm},
		"cjk":      {name: "cjk", term: appendLower, prepare: foldWidth, bigrams: true},
	}
	for name, lang := range languages {
		m[name] = &Analyzer{name: name, term: lang.term}
	}
	return m
}()

// aliases are the ISO 639-1 codes, and the three languages that share one analyzer.
var aliases = map[string]string{
	"ar": "arabic", "da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish",
	"fr": "french", "ga": "irish", "hu": "hungarian", "it": "italian", "nb": "norwegian", "nl": "dutch",
	"nn": "norwegian", "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian",
	"sv": "swedish", "ta": "tamil", "tr": "turkish",
	"chinese": "cjk", "japanese": "cjk", "korean": "cjk", "zh": "cjk", "ja": "cjk", "ko": "cjk",
}
