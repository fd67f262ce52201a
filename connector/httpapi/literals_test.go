package httpapi

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/secret"
)

func TestLiteralSecretsAreRefused(t *testing.T) {
	const url, body = "http://h/search", `{"q": {{json .Query}}}`
	form := map[string]any{"Content-Type": "application/x-www-form-urlencoded"}
	for _, c := range []struct {
		values map[string]any
		want   string // option: name; "" for none
	}{
		{map[string]any{"url": url + "?api_key=HUNTER2&q={{.Query}}"}, "url: api_key"},
		{map[string]any{"url": url + "?q={{.Query}}&key=HUNTER2"}, "url: key"},
		{map[string]any{"url": url + "?access_token={{.Secrets.s}}&q={{.Query}}"}, ""},
		{map[string]any{"url": url + "?token=&q={{.Query}}"}, ""},
		{map[string]any{"url": url, "body": `{"q": {{json .Query}}, "api_key": "HUNTER2"}`}, "body: api_key"},
		{map[string]any{"url": url, "body": `{"q": {{json .Query}}, "key": "HUNTER2"}`}, "body: key"},
		{map[string]any{"url": url, "body": `{"q": {{json .Query}}, "login": {"user": "u", "password": 12345}}`}, "body: password"},
		{map[string]any{"url": url, "body": `{"q": {{json .Query}}, "login": [{"tokens": 3, "token": ["HUNTER2"]}]}`}, "body: token"},
		{map[string]any{"url": url, "body": `{"q": {{json .Query}}{{if not .Filter}}, "token": "HUNTER2"{{end}}}`}, "body: token"},
		{map[string]any{"url": url, "body": `{"q": {{json .Query}}, "api_key": {{json .Secrets.s}}, "auth": {{json (print "Bearer " .Secrets.s)}}}`}, ""},
		{map[string]any{"url": url, "body": `{"q": {{json .Query}}, "filter": {"must": [{"key": "lang"}]}, "max_tokens": 7, "token": null, "auth": true}`}, ""},
		{map[string]any{"url": url, "body": `q={{.Query}}&token=HUNTER2`, "headers": form}, "body: token"},
		{map[string]any{"url": url, "body": `q={{.Query}}&token={{.Secrets.s}}`, "headers": form}, ""},
		{map[string]any{"url": url, "body": body, "headers": map[string]any{"X-Team": "sk-HUNTER2hunter2"}}, "headers.X-Team: holds what looks like a secret"},
		{map[string]any{"url": url, "body": `{"q": {{json .Query}}, "x": "sk-HUNTER2hunter2"}`}, "body: holds what looks like a secret"},
		{map[string]any{"url": url, "body": body, "secrets": map[string]any{"a": "HUNTER2"}}, "secrets.a"},
	} {
		if c.values["secrets"] == nil {
			c.values["secrets"] = map[string]any{"s": map[string]any{"env": "S"}}
		}
		var s Settings
		problems := option.Decode(c.values, &s, option.Env{})
		problems = append(problems, s.Check()...)
		if c.want == "" && len(problems) > 0 || c.want != "" && (len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), c.want) || !errors.Is(problems[0], secret.ErrLiteral)) {
			t.Errorf("%v:\n got %v\nwant %s", c.values, problems, c.want)
		}
		if strings.Contains(fmt.Sprint(problems), "HUNTER2") {
			t.Errorf("repeated: %v", problems)
		}
	}
	var s Settings
	option.Decode(map[string]any{"url": url, "body": `{"q": {{json .Query}}, "key": "{{.Secrets.s}}"}`, "secrets": map[string]any{"s": map[string]any{"env": "S"}}}, &s, option.Env{})
	if p := s.Check(); len(p) != 1 || !strings.Contains(p[0].Error(), "{{json .Secrets.NAME}}") {
		t.Errorf("a secret with a quote in it would break the body: %v", p)
	}
}

// What a secret is resolved to arrives at the service and stands in no error, however the service repeats it.
func TestSecretsArriveAndStayHidden(t *testing.T) {
	const key = `hun"ter&2`
	var query, body string
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		query, body = r.URL.RawQuery, string(b)
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"error": "no such key: %s, %s, %s"}`, r.URL.Query().Get("token"), query, b)
	})
	var s Settings
	env := option.Env{Lookup: func(string) (string, bool) { return key, true }}
	if p := option.Decode(map[string]any{"url": url + "?token={{.Secrets.s}}", "secrets": map[string]any{"s": map[string]any{"env": "S"}},
		"body": `{"q": {{json .Query}}, "key": {{json .Secrets.s}}}`}, &s, env); len(p) > 0 {
		t.Fatal(p)
	}
	service, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	_, err = service.Search(t.Context(), assay.Request{Text: "x", K: 1})
	if query != "token=hun%22ter%262" || body != `{"q": "x", "key": "hun\"ter&2"}` {
		t.Errorf("arrived: %s %s", query, body)
	}
	var e *assay.Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if said := fmt.Sprintf("%v %+v %s", err, err, e.Raw); strings.Contains(said, "hun") || strings.Contains(said, "ter") || !strings.Contains(said, secret.Redacted) {
		t.Error(said)
	}
}
