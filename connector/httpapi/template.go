package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	texttemplate "text/template"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/rest"
)

// input is what a template sees.
type input struct {
	Query  string
	K      int
	Filter any
	Vector []float32
	// Secrets are the texts themselves: what is made of them goes to the service and nowhere else.
	Secrets map[string]string
}

// template makes the requests of a Service.
type template struct {
	body  *texttemplate.Template              // nil for none
	query map[string][]*texttemplate.Template // parameters of the URL
	uses  struct{ query, vector, filter bool }
}

var functions = texttemplate.FuncMap{
	"json": func(v any) (string, error) {
		b, err := rest.Marshal(v)
		return string(b), err
	},
}

// maxRendered bounds a request, so that a template that repeats itself ends.
const maxRendered = 8 << 20

// parse reads the templates and tries them out.
func (s Settings) parse() (*template, []option.Problem) {
	t := &template{query: map[string][]*texttemplate.Template{}}
	var bad []option.Problem
	if s.Body != "" {
		var err error
		if t.body, err = compile("body", s.Body); err != nil {
			bad = append(bad, option.Problem{Option: "body", Err: err})
		}
	}
	base, query, _ := strings.Cut(s.URL, "?")
	if strings.Contains(base, "{{") {
		bad = append(bad, option.Problem{Option: "url", Err: errors.New("a template can stand in a value behind the ? only")})
	}
	if err := t.parseQuery(query); err != nil {
		bad = append(bad, option.Problem{Option: "url", Err: err})
	}
	if len(bad) == 0 {
		bad = append(bad, t.tryOut(s)...)
	}
	if err := rest.CheckURL(base); err != nil {
		bad = append(bad, option.Problem{Option: "url", Err: err})
	}
	return t, append(bad, s.literals(t)...)
}

func compile(name, text string) (*texttemplate.Template, error) {
	t, err := texttemplate.New(name).Funcs(functions).Option("missingkey=error").Parse(text)
	return t, simplify(err)
}

// simplify drops the names that text/template puts in front, which are not the user's.
func simplify(err error) error {
	if err == nil {
		return nil
	}
	msg := strings.TrimPrefix(err.Error(), "template: ")
	msg = strings.TrimPrefix(strings.TrimPrefix(msg, "body:"), "url:")
	return fmt.Errorf("template, line %s", strings.Replace(msg, "httpapi.input", "the request", 1))
}

// parseQuery reads the URL's parameters. Text in them is percent-encoded as ever; what a template yields
// is encoded when it is sent.
func (t *template) parseQuery(query string) error {
	for pair := range splitOutside(query, '&') {
		if pair == "" {
			continue
		}
		name, value := pair, ""
		if i := strings.IndexByte(pair, '='); i >= 0 {
			name, value = pair[:i], pair[i+1:]
		}
		if strings.Contains(name, "{{") {
			return errors.New("the name of a parameter cannot be a template")
		}
		name, err := url.QueryUnescape(name)
		if err != nil {
			return err
		}
		if value, err = unescapeOutside(value); err != nil {
			return err
		}
		compiled, err := compile("url", value)
		if err != nil {
			return err
		}
		t.query[name] = append(t.query[name], compiled)
	}
	return nil
}

// splitOutside splits at sep, but not inside {{ }}.
func splitOutside(s string, sep byte) func(func(string) bool) {
	return func(yield func(string) bool) {
		depth, from := 0, 0
		for i := 0; i < len(s); i++ {
			switch {
			case strings.HasPrefix(s[i:], "{{"):
				depth++
				i++
			case strings.HasPrefix(s[i:], "}}"):
				depth--
				i++
			case s[i] == sep && depth <= 0:
				if !yield(s[from:i]) {
					return
				}
				from = i + 1
			}
		}
		yield(s[from:])
	}
}

func unescapeOutside(s string) (string, error) {
	var b strings.Builder
	for s != "" {
		text, rest, _ := strings.Cut(s, "{{")
		plain, err := url.QueryUnescape(text)
		if err != nil {
			return "", err
		}
		b.WriteString(plain)
		if len(text) == len(s) {
			break
		}
		action, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return "", errors.New("{{ without }}")
		}
		b.WriteString("{{" + action + "}}")
		s = after
	}
	return b.String(), nil
}

// render makes the body and the URL's query of one request.
func (t *template) render(in input) (json.RawMessage, url.Values, error) {
	var query url.Values
	for name, list := range t.query {
		for _, v := range list {
			text, err := execute(v, in)
			if err != nil {
				return nil, nil, err
			}
			if query == nil {
				query = url.Values{}
			}
			query.Add(name, string(text))
		}
	}
	if t.body == nil {
		return nil, query, nil
	}
	body, err := execute(t.body, in)
	return body, query, err
}

func execute(t *texttemplate.Template, in input) ([]byte, error) {
	var b bytes.Buffer
	if err := t.Execute(&limited{&b, maxRendered}, in); err != nil {
		return nil, simplify(err)
	}
	return b.Bytes(), nil
}

type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, fmt.Errorf("the request is larger than %d bytes", maxRendered)
	}
	return l.w.Write(p)
}

// awkward is text that a template has to carry unharmed.
const awkward = "a \"quoted\" \\ back\nslash & <tag> {{brace}} größe 备份 'x' %41+1"

// tryOut renders with awkward input: the body must be JSON that holds the query as it is. Comparing
// outputs shows what the template uses.
func (t *template) tryOut(s Settings) []option.Problem {
	full := s.example()
	where := "body"
	if t.body == nil {
		where = "url"
	}
	fail := func(format string, args ...any) []option.Problem {
		return []option.Problem{{Option: where, Err: fmt.Errorf(format, args...)}}
	}
	rendered := func(in input) (string, error) {
		body, query, err := t.render(in)
		return string(body) + "\x00" + query.Encode(), err
	}
	base, err := rendered(full)
	if err != nil {
		return fail("%w", err)
	}
	differs := func(change func(*input)) bool {
		in := full
		change(&in)
		out, err := rendered(in)
		return err != nil || out != base
	}
	t.uses.query = differs(func(in *input) { in.Query = "other" })
	t.uses.vector = differs(func(in *input) { in.Vector = []float32{0.5, 2} })
	t.uses.filter = differs(func(in *input) { in.Filter = &assay.Filter{Field: "x", Eq: int64(1)} })
	if !t.uses.query && !t.uses.vector {
		return fail("the request holds neither .Query nor .Vector: every query would get the same answer")
	}
	if t.body == nil || !s.sendsJSON() {
		return nil
	}
	for _, in := range []input{full, {Query: awkward, K: 1, Secrets: full.Secrets}} {
		body, _, err := t.render(in)
		if err != nil {
			return fail("%w", err)
		}
		var v any
		if err := rest.Unmarshal(body, &v); err != nil {
			return fail("with a query that holds quotes and line breaks the body is not JSON (%v): write {{json .Query}}, which brings its own quotes (and {{json .Secrets.NAME}} for a secret)", err)
		}
		if inBody := strings.Contains(s.Body, ".Query"); inBody && !holds(v, awkward) {
			return fail("the query does not arrive as it is: write {{json .Query}}")
		}
	}
	return nil
}

// holds reports whether a decoded document holds a text.
func holds(v any, text string) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, text)
	case []any:
		for _, x := range v {
			if holds(x, text) {
				return true
			}
		}
	case map[string]any:
		for _, x := range v {
			if holds(x, text) {
				return true
			}
		}
	}
	return false
}
