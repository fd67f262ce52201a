package generate

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/words"
)

// RuleContext refuses a question that only makes sense beside the text it was written from: one that speaks
// of the text ("according to the passage"), or whose subject is a pronoun for something that was never
// named ("How long does it stay there?").
func RuleContext() Rule {
	return Rule{"context", func(_ context.Context, c *Candidate) (string, error) {
		text := plain(c.Question)
		for _, book := range booksFor(c.Question, c.language()) {
			if m, ok := book.find("context", text); ok {
				return fmt.Sprintf("speaks of a text that the asker does not have: %q", m), nil
			}
			if w, ok := book.dangling(text); ok {
				return fmt.Sprintf("%q stands for something that was not named", w), nil
			}
		}
		return "", nil
	}}
}

// dangling finds a pronoun before which nothing is named that it could stand for.
func (p *phrasebook) dangling(text string) (string, bool) {
	text = p.without("allow", text)
	nouns := capitalised(text)
	for i, w := range strings.Fields(text) {
		parts := words.Of(w)
		if len(parts) == 0 {
			continue
		}
		word := parts[0]
		formal := i > 0 && nouns && unicode.IsUpper([]rune(w)[0]) // German Sie, Ihnen
		if p.pronouns[word] && !formal {
			return word, true
		}
		named := !functionWords[word] && !p.bare[word] && languageWords(word) == 0
		// Where nouns are written with a capital, only those are names of things.
		if nouns && named && i > 0 {
			named = unicode.IsUpper([]rune(w)[0]) || unicode.IsDigit([]rune(w)[0])
		}
		if named && (i > 0 || !nouns) {
			return "", false
		}
	}
	return "", false
}

// capitalised reports whether a text capitalises nouns, as German does. One typed in lower case does not
// tell.
func capitalised(text string) bool {
	return Language(text) == "de" && strings.IndexFunc(text, unicode.IsUpper) >= 0
}

// languageWords is the number of languages that have a word among their function words.
func languageWords(word string) int { return len(languages().of[word]) }
