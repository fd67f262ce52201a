package config

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/nearest"
	"github.com/assay-eval/assay/internal/words"
)

// styles are the forms of a query that can be asked for.
var styles = []string{"question", "keywords", "how-to", "typo", "paraphrase", "other-language"}

func (k *checker) generate() {
	g := k.cfg.Generate
	if g.From != "corpus" {
		if _, ok := k.cfg.System(g.From); !ok {
			k.add("generate.from", "no system is named %q%s", g.From, nearest.Suggest(g.From, append([]string{"corpus"}, k.systemNames()...)))
		}
	}
	if g.Model != "" {
		k.reference("generate.model", g.Model, false)
	}
	k.atLeast("generate.sample", g.Sample, 1)
	k.atLeast("generate.per_chunk", g.PerChunk, 1)
	k.atLeast("generate.per_document", g.PerDoc, 1)
	k.atLeast("generate.per_category", g.PerCat, 0)
	if g.By == "" {
		k.add("generate.by", "must be document, folder, or a metadata field")
	}
	if g.By == "document" && g.PerCat > 0 {
		k.add("generate.per_category", "needs generate.by: folder, or a metadata field")
	}
	if g.Filters.Share < 0 || g.Filters.Share > 1 {
		k.add("generate.filters.share", "must be from 0 to 1")
	}
	if g.Filters.Share > 0 && g.Filters.Share <= 1 && len(g.Filters.Fields) == 0 {
		k.add("generate.filters.fields", "is missing: the metadata fields to filter by")
	}
	if len(g.Filters.Fields) > 0 && g.Filters.Share == 0 {
		k.add("generate.filters.share", "is missing: the share of queries that get a filter, such as 0.3")
	}
	k.shares("generate.styles", g.Styles, styles)
	k.shares("generate.lengths", g.Lengths, words.Lengths)
	k.shares("generate.topics.shares", g.Topics.Shares, nil)
	if (g.Topics.By == "") != (len(g.Topics.Shares) == 0) {
		k.add("generate.topics", "needs both by and shares")
	}
	if g.Unanswerable < 0 || g.Unanswerable > 1 {
		k.add("generate.unanswerable", "must be from 0 to 1")
	}
	k.atLeast("generate.min_words", g.MinWords, 0)
	for i, name := range g.Retrievers {
		if _, ok := k.cfg.System(name); !ok {
			k.add(indexed("generate.retrievers", i), "no system is named %q%s", name, nearest.Suggest(name, k.systemNames()))
		}
	}
}

func indexed(key string, i int) string { return key + "[" + strconv.Itoa(i) + "]" }

func (k *checker) systemNames() []string {
	var names []string
	for _, s := range k.cfg.Systems {
		names = append(names, s.Name)
	}
	return names
}

// shares checks a declared mix: known categories, and shares that make a whole.
func (k *checker) shares(key string, mix map[string]float64, known []string) {
	if len(mix) == 0 {
		return
	}
	sum := 0.0
	for _, name := range slices.Sorted(maps.Keys(mix)) {
		if known != nil && !slices.Contains(known, name) {
			k.add(key+"."+name, "is not one of %s%s", strings.Join(known, ", "), nearest.Suggest(name, known))
		}
		if mix[name] < 0 || mix[name] > 1 {
			k.add(key+"."+name, "must be from 0 to 1")
		}
		sum += mix[name]
	}
	if math.Abs(sum-1) > 1e-6 {
		k.add(key, "add up to %g; shares of one mix add up to 1", math.Round(1e6*sum)/1e6)
	}
}
