package qdrant

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/internal/nearest"
	"github.com/assay-eval/assay/internal/option"
)

// Settings of a collection under test.
type Settings struct {
	URL        string         `option:"url" default:"http://localhost:6333" help:"address of the REST API"`
	Collection string         `option:"collection,required" help:"name or alias of the collection"`
	Using      string         `option:"using" help:"name of the vector to search, where the collection names its vectors"`
	Params     map[string]any `option:"params" help:"search parameters as Qdrant takes them: hnsw_ef, exact, indexed_only, quantization, acorn"`
	Threshold  any            `option:"score_threshold" help:"Qdrant's score_threshold, for a system deployed with one"`
	Payload    []string       `option:"payload" default:"all" help:"payload to fetch: all, none, or a list of keys; what the other options name is always fetched"`
	Key        string         `option:"key" help:"payload path of the chunk's key, such as payload.chunk_id; empty means the point id"`
	Text       string         `option:"text" help:"payload path of the chunk's text, such as payload.text"`
	Title      string         `option:"title" help:"payload path of the title"`
	Document   string         `option:"document" help:"payload path of the document's id"`
	Start      string         `option:"start" help:"payload path of the chunk's first byte in its document"`
	End        string         `option:"end" help:"payload path of the first byte behind the chunk"`
	Page       int            `option:"page" default:"256" min:"1" help:"points per page of a listing"`
	connector.Remote

	// Transport replaces the network: recorded traffic in tests.
	Transport http.RoundTripper
}

// prefix stands before every payload path, so that a config says what it means.
const prefix = "payload."

// knownParams are the search parameters of Qdrant up to 1.19. The server ignores a misspelt one without
// a word, so a near miss is refused here; an unknown one passes, for servers to come.
var knownParams = map[string][]string{
	"":             {"hnsw_ef", "exact", "indexed_only", "quantization", "acorn", "idf"},
	"quantization": {"ignore", "rescore", "oversampling"},
	"acorn":        {"enable", "max_selectivity"},
}

// Check finds what the option tags cannot say.
func (s Settings) Check() []option.Problem {
	out := connector.CheckURL(s.URL)
	for _, p := range []struct{ name, path string }{{"key", s.Key}, {"text", s.Text}, {"title", s.Title}, {"document", s.Document}, {"start", s.Start}, {"end", s.End}} {
		if p.path == "" || p.name == "key" && p.path == "id" {
			continue
		}
		if rest, ok := strings.CutPrefix(p.path, prefix); !ok || rest == "" {
			out = append(out, option.Problem{Option: p.name, Err: fmt.Errorf("%q is no payload path; write payload.NAME", p.path)})
		}
	}
	if (s.Start == "") != (s.End == "") {
		out = append(out, option.Problem{Option: "start", Err: errors.New("start and end go together")})
	}
	switch assay.NormalizeValue(s.Threshold).(type) {
	case nil, int64, uint64, float64:
	default:
		out = append(out, option.Problem{Option: "score_threshold", Err: errors.New("needs a number")})
	}
	out = append(out, checkParams("params", "", s.Params)...)
	for _, group := range []string{"quantization", "acorn"} {
		if v, ok := s.Params[group]; ok {
			m, isMap := v.(map[string]any)
			if !isMap {
				out = append(out, option.Problem{Option: "params." + group, Err: errors.New("needs a map")})
			}
			out = append(out, checkParams("params."+group, group, m)...)
		}
	}
	return out
}

func checkParams(where, group string, params map[string]any) []option.Problem {
	var out []option.Problem
	for name := range params {
		known := knownParams[group]
		if n := nearest.Name(name, known); !slices.Contains(known, name) && n != "" {
			out = append(out, option.Problem{Option: where + "." + name, Err: fmt.Errorf("Qdrant knows no such parameter and would ignore it; did you mean %q?", n)})
		}
	}
	slices.SortFunc(out, func(a, b option.Problem) int { return strings.Compare(a.Option, b.Option) })
	return out
}

func (s Settings) fields() connector.Fields {
	cut := func(path string) string {
		if path == "id" {
			return ""
		}
		return strings.TrimPrefix(path, prefix)
	}
	return connector.Fields{Key: cut(s.Key), Text: cut(s.Text), Title: cut(s.Title), Document: cut(s.Document), Start: cut(s.Start), End: cut(s.End)}
}

// withPayload is the with_payload of a request: true for all, else the keys asked for and needed. nil
// asks for none, which is what the query API does by default.
func (s Settings) withPayload() any {
	if slices.Equal(s.Payload, []string{"all"}) || s.Payload == nil {
		return true
	}
	var keys []string
	if !slices.Equal(s.Payload, []string{"none"}) {
		keys = slices.Clone(s.Payload)
	}
	f := s.fields()
	for _, path := range []string{f.Key, f.Text, f.Title, f.Document, f.Start, f.End} {
		if path != "" && !slices.Contains(keys, path) {
			keys = append(keys, path)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	return keys
}

// allowed is the whole of what this package may ask a server: searches, listings, counts and settings.
func allowed(method, path string) bool {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	switch method {
	case http.MethodGet:
		return path == "/" || path == "/aliases" || path == "/collections" || len(parts) == 2 && parts[0] == "collections"
	case http.MethodPost:
		return len(parts) == 4 && parts[0] == "collections" && parts[2] == "points" && slices.Contains([]string{"query", "scroll", "count"}, parts[3])
	}
	return false
}
