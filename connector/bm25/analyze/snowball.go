package analyze

import (
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
)

// language is what a Snowball analyzer needs to know beyond lower case.
type language struct {
	stem    func(*snowballstem.Env) bool
	elision []string          // articles and pronouns that run into the next word: l'avion
	fold    *strings.Replacer // spellings the stemmer does not know; applied before lower case
	suffix  bool              // an apostrophe starts a suffix: Ankara'da
}

var languages = map[string]*language{
	"arabic":     {stem: arabic.Stem},
	"danish":     {stem: danish.Stem},
	"dutch":      {stem: dutch.Stem},
	"finnish":    {stem: finnish.Stem},
	"french":     {stem: french.Stem, elision: strings.Fields("l m t qu n s j d c jusqu quoiqu lorsqu puisqu")},
	"german":     {stem: german.Stem},
	"hungarian":  {stem: hungarian.Stem},
	"irish":      {stem: irish.Stem},
	"italian":    {stem: italian.Stem, elision: strings.Fields("c l all dall dell nell sull coll pell gl agl dagl degl negl sugl un m t s v d")},
	"norwegian":  {stem: norwegian.Stem},
	"portuguese": {stem: portuguese.Stem},
	"romanian":   {stem: romanian.Stem, fold: strings.NewReplacer("ș", "ş", "ț", "ţ", "Ș", "ş", "Ț", "ţ")},
	"russian":    {stem: russian.Stem},
	"spanish":    {stem: spanish.Stem},
	"swedish":    {stem: swedish.Stem},
	"tamil":      {stem: tamil.Stem},
	"turkish":    {stem: turkish.Stem, fold: strings.NewReplacer("I", "ı", "İ", "i"), suffix: true},
}

func (l *language) term(dst []byte, word string) []byte {
	if l.fold != nil {
		word = l.fold.Replace(composed(word))
	}
	start := len(dst)
	dst = appendLower(dst, word)
	env := snowballstem.NewEnv(l.trim(string(dst[start:])))
	l.stem(env)
	return append(dst[:start], env.Current()...)
}

// trim removes the elided article before an apostrophe, or the suffix after one.
func (l *language) trim(word string) string {
	i := strings.IndexAny(word, "'\u2019")
	if i < 0 {
		return word
	}
	if l.suffix {
		return word[:i]
	}
	for _, article := range l.elision {
		if word[:i] == article {
			return strings.TrimLeft(word[i:], "'\u2019")
		}
	}
	return word
}
