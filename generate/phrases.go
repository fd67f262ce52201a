package generate

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed data/phrases/*.txt
var phraseData embed.FS

// phrasebook is what gives away a bad question in one language; data/phrases/README.md says how it is
// written.
type phrasebook struct {
	patterns map[string][]*regexp.Regexp // by section
	pronouns map[string]bool
	bare     map[string]bool
}

// find returns the first part of a text that a section catches.
func (p *phrasebook) find(section, text string) (string, bool) {
	if p == nil {
		return "", false
	}
	for _, re := range p.patterns[section] {
		if m := re.FindString(text); m != "" {
			return strings.TrimSpace(m), true
		}
	}
	return "", false
}

// without takes out what a section catches.
func (p *phrasebook) without(section, text string) string {
	for _, re := range p.patterns[section] {
		text = re.ReplaceAllString(text, " … ")
	}
	return text
}

var phrasebooks = sync.OnceValue(func() map[string]*phrasebook {
	out := map[string]*phrasebook{}
	for lang, text := range readData(phraseData, "data/phrases") {
		book, err := parsePhrases(text)
		if err != nil {
			panic(fmt.Sprintf("phrases of %s: %v", lang, err)) // embedded at build time, and tested
		}
		out[lang] = book
	}
	return out
})

// PhraseLanguages lists the languages whose questions can be told to depend on their context.
func PhraseLanguages() []string {
	var out []string
	for lang := range phrasebooks() {
		out = append(out, lang)
	}
	slices.Sort(out)
	return out
}

func parsePhrases(text string) (*phrasebook, error) {
	p := &phrasebook{patterns: map[string][]*regexp.Regexp{}}
	section, sets := "", []string{}
	words := map[string]string{}
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "# "):
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") && !strings.ContainsAny(line[1:len(line)-1], `[]{}\`):
			section = line[1 : len(line)-1]
		case section == "sets":
			name, value, _ := strings.Cut(line, " = ")
			sets = append(sets, "{"+name+"}", value)
		case section == "pronouns" || section == "bare":
			words[section] += " " + line
		default:
			re, err := regexp.Compile("(?i)" + strings.NewReplacer(sets...).Replace(line))
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			p.patterns[section] = append(p.patterns[section], re)
		}
	}
	p.pronouns, p.bare = set(words["pronouns"]), set(words["bare"])
	return p, nil
}

// booksFor are the phrases to hold a question against: those of its language, else those of the language
// expected, else all, because a model asked about a text in one language likes to chat in another.
func booksFor(question, expected string) []*phrasebook {
	all := phrasebooks()
	for _, lang := range []string{Language(question), expected} {
		if b := all[lang]; b != nil {
			return []*phrasebook{b}
		}
		if lang != "" {
			return nil
		}
	}
	var out []*phrasebook
	for _, lang := range PhraseLanguages() {
		out = append(out, all[lang])
	}
	return out
}
