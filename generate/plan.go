package generate

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/assay-eval/assay"
)

// Style is the form a question is to have.
type Style string

// The styles. People who search write all of them; a model left alone writes only the first.
const (
	StyleQuestion   Style = "question"       // a whole question
	StyleKeywords   Style = "keywords"       // words, as typed into a search box
	StyleHowTo      Style = "how-to"         // how do I …
	StyleTypo       Style = "typo"           // a question with one slip of the fingers, put in by rule
	StyleParaphrase Style = "paraphrase"     // few of the words of the text
	StyleOther      Style = "other-language" // in another language of the corpus
)

// Styles lists them.
var Styles = []Style{StyleQuestion, StyleKeywords, StyleHowTo, StyleTypo, StyleParaphrase, StyleOther}

// Share is a category and the share of queries that are to be of it.
type Share struct {
	Value string
	Share float64 // 0 to 1; those of one mix add up to 1
}

// Plan is what one query is to be.
type Plan struct {
	Style        Style  // "" leaves the form to the writer
	Length       string // words.Short, Medium or Long; "" leaves it open
	Language     string // code of the language to write in; "" is that of the chunk
	Topic        string // category of the source, where topics are declared
	Unanswerable bool   // nothing in the corpus is to answer it
	Filter       *assay.Filter
}

// Planner gives every query of a sample its plan: the same for the same seed, sample and place in it, so
// that a generation killed and run again asks what it would have asked.
type Planner struct {
	Seed         uint64
	Styles       []Share // in a fixed order
	Lengths      []Share
	Unanswerable float64  // share of queries that nothing answers
	Languages    []string // of the corpus, for StyleOther
	Topics       []Share
	// Topic is the category of a chunk that the mix of topics is declared over; nil for none.
	Topic  func(*assay.Chunk) string
	Filter FilterPlan

	PerChunk int
	place    map[string]int // chunk → place in the sample
}

// FilterPlan says which queries get a filter.
type FilterPlan struct {
	Fields []string // metadata fields to filter by; none means no filters
	Share  float64  // share of the queries, 0 to 1
}

// Place remembers the order of the sample. Without it, chunks are told apart by their ids alone and shares
// hold only on average.
func (p *Planner) Place(sample []assay.Chunk) {
	p.place = make(map[string]int, len(sample))
	for i := range sample {
		p.place[sample[i].ID] = i
	}
}

// Plan is what the nth query of a chunk is to be. Categories follow a sequence of low discrepancy, so that
// the first ten queries already have the declared mix; each mix has a sequence of its own, so that keywords
// are not always short.
func (p *Planner) Plan(c *assay.Chunk, nth int) Plan {
	out := Plan{Style: Style(pick(p.Styles, p.at(c, nth, styleStep))), Length: pick(p.Lengths, p.at(c, nth, lengthStep))}
	if p.Topic != nil {
		out.Topic = p.Topic(c)
	}
	if p.at(c, nth, unanswerableStep) < p.Unanswerable {
		out.Unanswerable = true
	}
	if out.Style == StyleOther {
		out.Language = p.other(c, nth)
	}
	out.Filter = p.filter(c, nth)
	return out
}

// The steps of the sequences: numbers that fractions approximate badly, so that a sequence is even, and that
// have no simple relation to each other, so that two of them do not move in step.
var (
	styleStep        = (math.Sqrt(5) - 1) / 2 // the golden ratio, the worst approximated of all
	filterStep       = math.Sqrt2 - 1
	lengthStep       = math.Sqrt(3) - 1
	unanswerableStep = (math.Sqrt(13) - 3) / 2
)

// at is the place of a query in a sequence, in [0,1).
func (p *Planner) at(c *assay.Chunk, nth int, step float64) float64 {
	i, known := p.place[c.ID]
	if !known {
		return p.rand(c, nth, "place").Float64()
	}
	start := rand.New(rand.NewPCG(p.Seed, math.Float64bits(step))).Float64()
	_, frac := math.Modf(start + float64(i*max(1, p.PerChunk)+nth)*step)
	return frac
}

// pick finds the category that a place u in [0,1) falls into; "" without categories.
func pick(shares []Share, u float64) string {
	last := ""
	for _, s := range shares {
		if s.Share <= 0 {
			continue
		}
		if last = s.Value; u < s.Share {
			return last
		}
		u -= s.Share
	}
	return last
}

// other is a language of the corpus that is not the chunk's.
func (p *Planner) other(c *assay.Chunk, nth int) string {
	own := Language(c.Text)
	others := slices.DeleteFunc(slices.Clone(p.Languages), func(l string) bool { return l == own })
	if len(others) == 0 {
		return ""
	}
	return others[p.rand(c, nth, "language").IntN(len(others))]
}

// filter takes a value from the chunk's own metadata, for the share of queries that get one: of the fields
// that the chunk has, one is drawn, and of a list of values, one.
func (p *Planner) filter(c *assay.Chunk, nth int) *assay.Filter {
	if len(p.Filter.Fields) == 0 || p.at(c, nth, filterStep) >= p.Filter.Share {
		return nil
	}
	rng := p.rand(c, nth, "filter")
	for _, i := range rng.Perm(len(p.Filter.Fields)) {
		value, ok := assay.Lookup(c.Metadata, p.Filter.Fields[i])
		if list, isList := value.([]any); ok && isList && len(list) > 0 {
			value = list[rng.IntN(len(list))]
		}
		f := &assay.Filter{Field: p.Filter.Fields[i], Eq: assay.NormalizeValue(value)}
		if ok && value != nil && f.Validate() == nil {
			return f
		}
	}
	return nil
}

// rand draws for one query and purpose.
func (p *Planner) rand(c *assay.Chunk, nth int, purpose string) *rand.Rand {
	h := fnv.New64a()
	for _, part := range []string{purpose, c.ID, string(rune(nth))} {
		_, _ = h.Write([]byte(part))
		_, _ = h.Write([]byte{0})
	}
	return rand.New(rand.NewPCG(p.Seed, h.Sum64()))
}
