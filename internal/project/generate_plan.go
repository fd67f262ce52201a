package project

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
)

// byFolder is the value of generate.topics.by that stands for the folders of documents.
const byFolder = "folder"

// planner makes the plan of a request for a sample.
func (p *Project) planner(req GenerateRequest, sample []assay.Chunk) (*generate.Planner, error) {
	pl := &generate.Planner{
		Seed: req.Seed, PerChunk: req.PerChunk, Unanswerable: req.Unanswerable, Languages: req.Languages,
		Styles: shares(req.Styles), Lengths: shares(req.Lengths), Topics: shares(req.Topics.Shares),
		Filter: generate.FilterPlan{Fields: req.Filters.Fields, Share: req.Filters.Share},
	}
	if by := req.Topics.By; by != "" {
		if err := checkField("generate.topics.by", by, sample); err != nil {
			return nil, err
		}
		pl.Topic = func(c *assay.Chunk) string { return topic(c, by) }
	}
	if req.Method == "known-item" && len(pl.Styles)+len(pl.Lengths) > 0 || req.Method == "known-item" && pl.Unanswerable > 0 {
		p.opts.Warn(assay.Warning{Code: "mix_unused", Text: "known-item queries are words of their source: generate.styles, lengths and unanswerable are for written ones"})
		pl.Styles, pl.Lengths, pl.Unanswerable = nil, nil, 0
	}
	if req.Styles[string(generate.StyleOther)] > 0 {
		if len(pl.Languages) == 0 {
			pl.Languages = languagesOf(sample)
		}
		if len(pl.Languages) < 2 {
			return nil, assay.WithHint(assay.Usagef("generate.styles asks for other-language, and the corpus has one language (%s)", strings.Join(pl.Languages, ", ")),
				"name the languages that people ask in: generate.languages: [en, de]")
		}
	}
	pl.Place(sample)
	p.warnFields(req, sample)
	if req.Method != "known-item" {
		p.warnLanguages(sample)
	}
	return pl, nil
}

// shares puts a declared mix into a fixed order.
func shares(declared map[string]float64) []generate.Share {
	var out []generate.Share
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		out = append(out, generate.Share{Value: name, Share: declared[name]})
	}
	return out
}

// topic is the part of the corpus that a chunk is from.
func topic(c *assay.Chunk, by string) string {
	if by == byFolder {
		folder, _, inFolder := strings.Cut(c.Document, "/")
		if !inFolder {
			return "."
		}
		return folder
	}
	v, _ := assay.Lookup(c.Metadata, by)
	if list, isList := v.([]any); isList && len(list) > 0 {
		v = list[0] // the first is mostly the main one, and a chunk has one group
	}
	switch v := assay.NormalizeValue(v).(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64) // a year is 2024, not 2.024e+03
	case nil, []any, map[string]any:
		return ""
	default:
		return fmt.Sprint(v)
	}
}

// checkField refuses a field to divide the corpus by that no chunk of the sample has: all would be of one group.
func checkField(setting, by string, sample []assay.Chunk) error {
	if by == "" || by == byFolder || by == byDocument || slices.ContainsFunc(sample, func(c assay.Chunk) bool { return topic(&c, by) != "" }) {
		return nil
	}
	hint := "the chunks have no metadata: divide them by folder or document"
	if known := fieldsOf(sample); len(known) > 0 {
		hint = "they have " + strings.Join(known, ", ")
	}
	return assay.WithHint(assay.Usagef("%s: no chunk has a value of the field %q", setting, by), "%s", hint)
}

// fieldsOf are the metadata fields of a sample, sorted.
func fieldsOf(sample []assay.Chunk) []string {
	known := map[string]bool{}
	for i := range sample {
		for k := range sample[i].Metadata {
			known[k] = true
		}
	}
	return slices.Sorted(maps.Keys(known))
}

// minLanguageShare is the share of a sample from which on a language counts as one of the corpus.
const minLanguageShare = 0.05

// languagesOf are the languages of a sample, sorted.
func languagesOf(sample []assay.Chunk) []string {
	counts := map[string]int{}
	for i := range sample {
		if l := generate.Language(sample[i].Text); l != "" {
			counts[l]++
		}
	}
	var out []string
	for _, l := range slices.Sorted(maps.Keys(counts)) {
		if float64(counts[l]) >= minLanguageShare*float64(len(sample)) {
			out = append(out, l)
		}
	}
	return out
}

// warnLanguages names the languages of a sample in which no list of phrases tells that a question leans on its source.
func (p *Project) warnLanguages(sample []assay.Chunk) {
	known := generate.PhraseLanguages()
	var without []string
	for _, l := range languagesOf(sample) {
		if !slices.Contains(known, l) {
			without = append(without, l)
		}
	}
	if len(without) > 0 {
		p.opts.Warn(assay.Warning{Code: "rules_blind", Text: fmt.Sprintf("the rules preamble, quiz, single and context read phrases in %s and see little in %s: --thorough asks the model as well, and "+
			"`assay queries show ID` shows one beside its source", strings.Join(known, " and "), strings.Join(without, ", "))})
	}
}

// warnFields names filter fields that no chunk of the sample has: a typing error, or a field of another
// collection.
func (p *Project) warnFields(req GenerateRequest, sample []assay.Chunk) {
	for _, field := range req.Filters.Fields {
		has := slices.ContainsFunc(sample, func(c assay.Chunk) bool { _, ok := assay.Lookup(c.Metadata, field); return ok })
		if has {
			continue
		}
		known := fieldsOf(sample)
		text := "generate.filters: no chunk of the sample has a field " + field
		if len(known) > 0 {
			text += "; they have " + strings.Join(known, ", ")
		}
		p.opts.Warn(assay.Warning{Code: "filter_field", Text: text})
	}
}
