package testset

import (
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
)

// maxTopics bounds a topics file, which is read whole.
const maxTopics = 64 << 20

var (
	topicStart = regexp.MustCompile(`(?i)<(?:top|topic)(?:\s+[^>]*)?>`)
	topicEnd   = regexp.MustCompile(`(?i)</top(?:ic)?\s*>`)
	topicTag   = regexp.MustCompile(`(?i)<(/?)(num|number|title|query|question|desc|description|narr|narrative)(?:\s[^>]*)?>`)
	topicAttr  = regexp.MustCompile(`(?i)\b(?:number|num|id)\s*=\s*["']?([^"'\s>]+)`)
	topicLabel = regexp.MustCompile(`(?i)^(?:number|topic|title|description|narrative|query)\s*:\s*`)
)

// topicNames folds the spellings of a topic's fields.
var topicNames = map[string]string{"number": "num", "query": "title", "question": "title", "description": "desc", "narrative": "narr"}

// topics reads TREC topics: <top> with <num>, <title>, <desc> and <narr>, whose end tags are optional, or
// <topic number="1"> with the same fields. The query is the title unless opts.TopicField says otherwise.
func (p *parsed) topics(src *source, opts *ImportOptions) error {
	data, err := io.ReadAll(io.LimitReader(src, maxTopics+1))
	if err != nil {
		return fmt.Errorf("read %s: %w", src.name, err)
	}
	if len(data) > maxTopics {
		return assay.Usagef("%s is larger than %d MiB", src.name, maxTopics>>20)
	}
	text := string(data)
	starts := topicStart.FindAllStringIndex(text, -1)
	line, counted := 1, 0
	for i, at := range starts {
		line += strings.Count(text[counted:at[0]], "\n")
		counted = at[0]
		body := text[at[1]:]
		if i+1 < len(starts) {
			body = text[at[1]:starts[i+1][0]]
		}
		if end := topicEnd.FindStringIndex(body); end != nil {
			body = body[:end[0]]
		}
		fields := topicFields(body)
		id := fields["num"]
		if m := topicAttr.FindStringSubmatch(text[at[0]:at[1]]); m != nil {
			id = m[1]
		}
		query := fields[opts.topicField()]
		switch {
		case !utf8.ValidString(body):
			return malformed(src.name, line, "not valid UTF-8")
		case id == "":
			return malformed(src.name, line, "a topic without <num>")
		case query == "":
			return malformed(src.name, line, "topic %s has no <%s>", id, opts.topicField())
		}
		p.records = append(p.records, record{query: assay.Query{ID: id, Text: query}, where: place(src, line), bare: true})
	}
	if len(starts) == 0 {
		return malformed(src.name, 1, "no <top> in the file")
	}
	return nil
}

// topicFields splits a topic at its tags. A field ends at the next tag, whichever that is.
func topicFields(body string) map[string]string {
	fields := map[string]string{}
	tags := topicTag.FindAllStringSubmatchIndex(body, -1)
	for i, t := range tags {
		if t[2] != t[3] { // an end tag
			continue
		}
		name := strings.ToLower(body[t[4]:t[5]])
		if short, ok := topicNames[name]; ok {
			name = short
		}
		end := len(body)
		if i+1 < len(tags) {
			end = tags[i+1][0]
		}
		value := strings.Join(strings.Fields(html.UnescapeString(body[t[1]:end])), " ")
		if value = topicLabel.ReplaceAllString(value, ""); value != "" && fields[name] == "" {
			fields[name] = value
		}
	}
	return fields
}

func place(src *source, line int) string { return fmt.Sprintf("%s:%d", src.name, line) }
