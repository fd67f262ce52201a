package generate

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// minTypoLetters is the least length of a word that gets a slip: people mistype long words, and a slip in a
// short one makes another word.
const minTypoLetters = 5

// ruleTypo puts one slip of the fingers into a question that is to have one, after every other rule has seen
// it as it was meant. A rule does it rather than the model, because models asked for mistakes write none or
// too many.
func ruleTypo(seed uint64) Rule {
	return Rule{ruleTypoName, func(_ context.Context, c *Candidate) (string, error) {
		if c.Plan.Style != StyleTypo {
			return "", nil
		}
		p := Planner{Seed: seed}
		text, ok := misspell(c.Question, p.rand(&c.Chunk, 0, "typo "+c.Question))
		if !ok {
			return "no word is long enough to be mistyped", nil
		}
		c.Question = text
		c.Leakage = Measure(c.Question, sourceText(&c.Chunk))
		return "", nil
	}}
}

// misspell makes one slip in one word: two letters swapped, one left out, or one doubled. The first letter
// stays, as it mostly does.
func misspell(text string, rng *rand.Rand) (string, bool) {
	fields := strings.Fields(text)
	var long []int
	for i, w := range fields {
		// "Backups?" is a word of seven letters; what has a mark inside, such as a path, is none.
		letters := strings.TrimRightFunc(w, notLetter)
		if utf8.RuneCountInString(letters) >= minTypoLetters && !functionWords[strings.ToLower(letters)] && strings.IndexFunc(letters, notLetter) < 0 {
			long = append(long, i)
		}
	}
	if len(long) == 0 {
		return text, false
	}
	at := long[rng.IntN(len(long))]
	word := []rune(fields[at])
	letters := utf8.RuneCountInString(strings.TrimRightFunc(fields[at], notLetter))
	i := 1 + rng.IntN(letters-2)
	switch swap := word[i] != word[i+1]; {
	case swap && rng.IntN(2) == 0:
		word[i], word[i+1] = word[i+1], word[i]
	case rng.IntN(2) == 0:
		word = slices.Delete(word, i, i+1)
	default:
		word = slices.Insert(word, i, word[i])
	}
	fields[at] = string(word)
	return strings.Join(fields, " "), true
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }
