package httpapi

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/internal/pointer"
	"github.com/assay-eval/assay/connector/internal/reply"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/rest"
)

// Settings of an endpoint under test.
type Settings struct {
	URL     string         `option:"url,required" help:"address of the endpoint; values of its query may be templates, as in ?q={{.Query}}&k={{.K}}"`
	Method  string         `option:"method" default:"POST" enum:"POST,GET,PUT" help:"HTTP method"`
	Body    string         `option:"body" help:"template of the request's body, such as {\"q\": {{json .Query}}, \"k\": {{.K}}}; has .Query, .K, .Filter, .Vector, .Secrets"`
	Secrets option.Secrets `option:"secrets" help:"secrets that a template asks for as .Secrets.NAME, each as {env: NAME} or {file: PATH}"`

	Hits       string `option:"hits" default:"/hits" help:"JSON pointer to the list of hits"`
	ID         string `option:"id" default:"/id" help:"pointer from a hit to its id; empty where the hit is the id"`
	Score      string `option:"score" help:"pointer to the score; /score is looked for when empty; without scores the order counts"`
	ScoreOrder string `option:"score_order" default:"desc" enum:"desc,asc" help:"asc where a lower score is better, as with distances"`
	Text       string `option:"text" help:"pointer to the text; /text is looked for when empty"`
	Title      string `option:"title" help:"pointer to the title"`
	Document   string `option:"document" help:"pointer to the document's id"`
	Start      string `option:"start" help:"pointer to the first byte in the document"`
	End        string `option:"end" help:"pointer to the first byte behind it"`
	Metadata   string `option:"metadata" help:"pointer to an object of further fields"`

	APIKeyHeader string `option:"api_key_header" help:"header that carries api_key; empty means Authorization: Bearer"`
	connector.Remote
}

var errNull = errors.New("null where the list of hits is due")

func wrongType(p pointer.Pointer, v any) error {
	return fmt.Errorf("%s where the list of hits is due, at %q", pointer.Type(v), p)
}

// withServerError adds what a service says beside a missing list: some answer 200 to everything.
func withServerError(document any, err error) error {
	m, ok := document.(map[string]any)
	if !ok {
		return err
	}
	for _, k := range []string{"error", "message", "detail"} {
		if s, ok := m[k].(string); ok && s != "" {
			return fmt.Errorf("%w; %s says %.200q", err, k, s)
		}
	}
	return err
}

// Check finds what the option tags cannot say.
func (s Settings) Check() []option.Problem {
	_, problems := s.compile()
	return problems
}

// compiled is what the settings say, ready for use.
type compiled struct {
	template *template
	hits     pointer.Pointer
	form     reply.Form
}

// compile reads the templates and pointers, and reports every mistake at once.
func (s Settings) compile() (compiled, []option.Problem) {
	var bad []option.Problem
	part := func(name, text, fallback string) reply.Part {
		given := text != ""
		if !given {
			if text = fallback; text == "" && name != "id" {
				return reply.Part{}
			}
		}
		p, err := reply.At(text, given)
		if err != nil {
			bad = append(bad, option.Problem{Option: name, Err: err})
		}
		return p
	}
	form := reply.Form{ID: part("id", s.ID, ""), Score: part("score", s.Score, "/score"), Text: part("text", s.Text, "/text"), Title: part("title", s.Title, ""),
		Document: part("document", s.Document, ""), Start: part("start", s.Start, ""), End: part("end", s.End, ""), Metadata: part("metadata", s.Metadata, ""),
		Ascending: s.ScoreOrder == "asc"}
	hits, err := pointer.Parse(s.Hits)
	if err != nil {
		bad = append(bad, option.Problem{Option: "hits", Err: err})
	}
	if (s.Start == "") != (s.End == "") {
		bad = append(bad, option.Problem{Option: "start", Err: errors.New("start and end go together")})
	}
	t, more := s.parse()
	return compiled{t, hits, form}, append(bad, more...)
}

// config is that of a client for the endpoint without its query, which each request brings along.
func (s Settings) config() rest.Config {
	base, _, _ := strings.Cut(s.URL, "?")
	c := s.Config(base)
	c.APIKeyHeader = s.APIKeyHeader
	for _, name := range slices.Sorted(maps.Keys(s.Secrets)) {
		if v := s.Secrets[name]; !v.IsZero() {
			c.Hidden = append(c.Hidden, v)
		}
	}
	return c
}

// sendsJSON reports whether the body is JSON, as it is unless a header says otherwise.
func (s Settings) sendsJSON() bool {
	for name, value := range s.Header.Plain {
		if strings.EqualFold(name, "Content-Type") {
			return strings.Contains(strings.ToLower(value), "json")
		}
	}
	return true
}
