package label

import (
	"regexp"
	"strings"
)

// families are the makers' lines of models, by what their names hold. Models of one family share training data and taste: a
// judge rates what its relatives wrote or ranked above what others did.
var families = []struct {
	name  string
	holds *regexp.Regexp
}{
	{"Llama", regexp.MustCompile(`llama|vicuna|alpaca|tulu|hermes|nemotron`)},
	{"Qwen", regexp.MustCompile(`qwen|qwq|gte-`)},
	{"Gemma and Gemini", regexp.MustCompile(`gemma|gemini`)},
	{"Mistral", regexp.MustCompile(`mi[sx]tral|ministral|zephyr|codestral|magistral`)},
	{"GPT", regexp.MustCompile(`(^|[^a-z])(gpt|chatgpt|davinci|o[134])([^a-z]|$)|text-embedding-(3|ada)`)},
	{"Phi", regexp.MustCompile(`(^|[^a-z])phi[-0-9]`)},
	{"DeepSeek", regexp.MustCompile(`deepseek`)},
	{"Claude", regexp.MustCompile(`claude`)},
	{"Cohere Command", regexp.MustCompile(`command-(r|a)|(^|[^a-z])aya([^a-z]|$)|rerank-(english|multilingual|v\d)|cohere`)},
	{"Granite", regexp.MustCompile(`granite`)},
	{"BGE", regexp.MustCompile(`(^|[^a-z])bge`)},
	{"Jina", regexp.MustCompile(`jina`)},
	{"OLMo", regexp.MustCompile(`olmo`)},
	{"SmolLM", regexp.MustCompile(`smol`)},
	{"T5", regexp.MustCompile(`(^|[^a-z])(flan-?|mono)?t5`)},
	{"MiniLM", regexp.MustCompile(`minilm`)},
}

// Family is the family of a model by its name, "" when the name does not tell. A distilled model such as
// deepseek-r1-distill-qwen belongs to the first that it names.
func Family(model string) string {
	name, first := "", -1
	model = strings.ToLower(model)
	for _, f := range families {
		if at := f.holds.FindStringIndex(model); at != nil && (first < 0 || at[0] < first) {
			name, first = f.name, at[0]
		}
	}
	return name
}

// Related reports whether two models are of one family, and its name: that of their kind, or the model itself where they are
// the same.
func Related(a, b string) (family string, ok bool) {
	if strings.EqualFold(a, b) {
		return a, a != ""
	}
	f := Family(a)
	return f, f != "" && f == Family(b)
}
