package corpus

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// frontMatter is the block of settings that many site generators keep at the start of a Markdown file.
type frontMatter struct {
	end    int            // offset after it; 0 where there is none
	title  string         // its title field
	fields map[string]any // all its fields; nil where they could not be read
}

// What is taken for front matter is bounded, in bytes and in brackets: the YAML parser takes quadratic time
// for nested ones.
const (
	maxFrontMatter = 32 << 10
	maxBrackets    = 2000
)

// parseFrontMatter reads YAML front matter between lines of three hyphens (or three dots at its end) and
// steps over TOML front matter between lines of three plus signs. A block that is not a YAML mapping is
// text: a document may begin with a thematic break.
func parseFrontMatter(text string) frontMatter {
	line, rest, _ := strings.Cut(text, "\n")
	fence := strings.TrimRight(line, " \t\r")
	if fence != "---" && fence != "+++" {
		return frontMatter{}
	}
	start := len(text) - len(rest)
	for at := start; at < len(text) && at-start <= maxFrontMatter; {
		line, _, _ := strings.Cut(text[at:], "\n")
		end := min(len(text), at+len(line)+1)
		mark := strings.TrimRight(line, " \t\r")
		switch {
		case fence == "+++" && mark == fence:
			return frontMatter{end: end}
		case fence == "---" && (mark == fence || mark == "..."):
			return yamlFrontMatter(text[start:at], end)
		}
		at = end
	}
	return frontMatter{}
}

func yamlFrontMatter(block string, end int) frontMatter {
	if strings.TrimSpace(block) == "" {
		return frontMatter{end: end}
	}
	if strings.Count(block, "[")+strings.Count(block, "{") > maxBrackets {
		return brokenFrontMatter(block, end)
	}
	file, err := parser.ParseBytes([]byte(block), 0)
	if err != nil || len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return brokenFrontMatter(block, end)
	}
	switch file.Docs[0].Body.Type() {
	case ast.MappingType, ast.MappingValueType:
	default:
		return frontMatter{}
	}
	// Aliases can make a small block a huge value; no page needs them.
	aliases := ast.Filter(ast.AliasType, file.Docs[0].Body)
	var fields map[string]any
	if len(aliases) > 0 || yaml.Unmarshal([]byte(block), &fields) != nil {
		return brokenFrontMatter(block, end)
	}
	for k, v := range fields {
		fields[k] = plainValue(v)
	}
	title, _ := fields["title"].(string)
	return frontMatter{end, strings.TrimSpace(title), fields}
}

var keyLine = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*:(\s|$)`)

// brokenFrontMatter takes a block that is no YAML but begins like settings ("title: Backups: how") for
// front matter all the same, and reads its title.
func brokenFrontMatter(block string, end int) frontMatter {
	if !keyLine.MatchString(block) {
		return frontMatter{}
	}
	f := frontMatter{end: end}
	for line := range strings.Lines(block) {
		if title, ok := strings.CutPrefix(line, "title:"); ok {
			f.title = strings.Trim(strings.TrimSpace(title), `"'`)
			break
		}
	}
	return f
}

// plainValue makes a YAML value one that JSON can hold and filters can compare.
func plainValue(v any) any {
	switch v := v.(type) {
	case nil, bool, string, int, int64, uint64:
		return v
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprint(v)
		}
		return v
	case []any:
		for i := range v {
			v[i] = plainValue(v[i])
		}
		return v
	case map[string]any:
		for k := range v {
			v[k] = plainValue(v[k])
		}
		return v
	case time.Time:
		return v.UTC().Format(time.RFC3339)
	}
	return fmt.Sprint(v)
}
