package generate

import (
	"embed"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/assay-eval/assay/internal/words"
)

//go:embed data/language/*.txt
var languageData embed.FS

// Language is the language of a text as an ISO 639-1 code: Latin text by its function words (en, de, fr,
// es, it, nl, pt), Chinese, Japanese, Korean, Greek, Hebrew and Thai by their script. A script that several
// languages share is given instead of a language (cyrl, arab, deva), which is enough to see that two texts
// differ. "" means that nothing speaks for one language, as in most queries of key words.
func Language(text string) string {
	if script := scriptOf(text); script != "" {
		return script
	}
	scores, best := languageScores(text), ""
	for _, lang := range languages().codes {
		if best == "" || scores[lang] > scores[best] {
			best = lang
		}
	}
	second := 0.0
	for _, lang := range languages().codes {
		if lang != best {
			second = max(second, scores[lang])
		}
	}
	// A single word that one language has to itself is enough, when none speaks for another.
	if scores[best] < 1 || scores[best] < 1.5*second {
		return ""
	}
	return best
}

// foreign is the language that a text is in when it is not the one wanted; "" when it is, or when nothing
// speaks against it. It takes less than Language, which must choose among all: French against German is
// plain even where French and Italian look alike.
func foreign(text, want string) string {
	if want == "" {
		return ""
	}
	if script := scriptOf(text); script != "" || scriptCode(want) {
		if script == "" {
			script = Language(text)
		}
		if script == want {
			return ""
		}
		return script
	}
	scores, best := languageScores(text), want
	for _, lang := range languages().codes {
		if scores[lang] > scores[best] {
			best = lang
		}
	}
	// Where some word speaks for the language wanted, one for another is not enough: non-toxic is not Italian.
	if best == want || scores[best] < 1 || scores[want] > 0 && scores[best] < max(2, 2*scores[want]) {
		return ""
	}
	return best
}

// scriptCode reports whether a code stands for a script of its own.
func scriptCode(code string) bool {
	for _, s := range scripts {
		if s.code == code {
			return true
		}
	}
	return false
}

// scripts are the letters that name a language, or a family, by themselves. Kana makes a text Japanese
// whatever the share of Chinese characters.
var scripts = []struct {
	code  string
	table *unicode.RangeTable
}{
	{"ja", unicode.Hiragana}, {"ja", unicode.Katakana}, {"zh", unicode.Han}, {"ko", unicode.Hangul}, {"el", unicode.Greek},
	{"he", unicode.Hebrew}, {"th", unicode.Thai}, {"cyrl", unicode.Cyrillic}, {"arab", unicode.Arabic}, {"deva", unicode.Devanagari},
}

// scriptOf is the script of a text that is mostly not Latin; "" for Latin. A Chinese text with English
// product names stays Chinese: characters of another script than Latin count half a word each.
func scriptOf(text string) string {
	latin := 0
	counts := map[string]int{}
	for _, r := range text {
		if unicode.Is(unicode.Latin, r) {
			latin++
			continue
		}
		for _, s := range scripts {
			if unicode.Is(s.table, r) {
				counts[s.code]++
				break
			}
		}
	}
	if counts["ja"] > 0 {
		counts["ja"] += counts["zh"]
	}
	best := ""
	for _, s := range scripts {
		if counts[s.code] > counts[best] {
			best = s.code
		}
	}
	if 2*counts[best] > latin {
		return best
	}
	return ""
}

// letters are marks that speak for a language in themselves. The weights are small: names wander.
var letters = map[rune]map[string]float64{
	'ß': {"de": 1}, 'ä': {"de": 0.4}, 'ö': {"de": 0.4}, 'ü': {"de": 0.4}, 'ñ': {"es": 0.6}, '¿': {"es": 1.5}, '¡': {"es": 1},
	'ã': {"pt": 0.6}, 'õ': {"pt": 0.6}, 'œ': {"fr": 0.5}, 'è': {"fr": 0.3, "it": 0.3}, 'ê': {"fr": 0.3, "pt": 0.2}, 'ç': {"fr": 0.3, "pt": 0.3},
	'ò': {"it": 0.4}, 'ì': {"it": 0.4},
}

// languageScores sums up what speaks for each language: a function word counts 1 shared among the languages
// that have it.
func languageScores(text string) map[string]float64 {
	known := languages()
	scores := map[string]float64{}
	for _, w := range words.Of(text) {
		// In l'heure and what's, what stands before the apostrophe is a word of its own. The lists have the elided
		// ones with their apostrophe: the N of N-terminal is not French.
		w = strings.ReplaceAll(w, "’", "'")
		if head, _, cut := strings.Cut(w, "'"); cut && len(known.of[w]) == 0 {
			if w = head + "'"; len(known.of[w]) == 0 {
				w = head
			}
		}
		for _, lang := range known.of[w] {
			scores[lang] += 1 / float64(len(known.of[w]))
		}
	}
	marked := map[rune]bool{}
	for _, r := range strings.ToLower(text) {
		if marked[r] {
			continue
		}
		marked[r] = true
		for lang, weight := range letters[r] {
			scores[lang] += weight
		}
	}
	return scores
}

// lexicon is the function words of the languages known.
type lexicon struct {
	codes []string            // sorted
	of    map[string][]string // word → languages that have it, sorted
}

var languages = sync.OnceValue(func() lexicon {
	l := lexicon{of: map[string][]string{}}
	for code, text := range readData(languageData, "data/language") {
		l.codes = append(l.codes, code)
		for w := range set(text) {
			l.of[w] = append(l.of[w], code)
		}
	}
	slices.Sort(l.codes)
	for _, w := range slices.Collect(maps.Keys(l.of)) {
		slices.Sort(l.of[w])
	}
	return l
})

// readData reads the embedded files of a folder by their names without extension.
func readData(fs embed.FS, dir string) map[string]string {
	entries, err := fs.ReadDir(dir)
	if err != nil {
		panic(err) // embedded at build time
	}
	out := map[string]string{}
	for _, e := range entries {
		data, err := fs.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			panic(err)
		}
		out[strings.TrimSuffix(e.Name(), path.Ext(e.Name()))] = string(data)
	}
	return out
}
