package doctor_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"

	"github.com/assay-eval/assay/doctor"
	"github.com/assay-eval/assay/internal/parts"
)

// without stands before a server and takes a field out of what is sent to it, as some gateways do.
func without(t *testing.T, server, field string) string {
	t.Helper()
	to, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: to.Scheme, Host: to.Host})
		var body map[string]any
		if r.In.Method != http.MethodPost || json.NewDecoder(r.In.Body).Decode(&body) != nil {
			return
		}
		delete(body, field)
		data, _ := json.Marshal(body)
		r.Out.Body, r.Out.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data))
	}}
	s := httptest.NewServer(proxy)
	t.Cleanup(s.Close)
	return s.URL
}

func TestSchema(t *testing.T) {
	o, llama := parts.Ollama(t), parts.LlamaChat(t)
	ollama := func(url string) string { return fmt.Sprintf("{provider: ollama, model: %s, url: %q}", o.Chat, url) }
	openai := func(url string) string { return fmt.Sprintf("{provider: openai, model: gemma3-270m, url: %q}", url) }
	for name, c := range map[string]struct {
		model string
		want  want
	}{
		// One of the two may end in blanks, as the base model likes to; which one does is chance.
		"llama.cpp holds": {openai(llama), want{status: doctor.OK, found: "of 2 replies fit a schema that the prompt does not tell"}},
		// The base model is held to the schema, too, and fills the reply with blanks.
		"Ollama holds":               {ollama(o.URL), want{doctor.Warning, "blanks", "filled with blanks", "take a larger model"}},
		"taken out before Ollama":    {ollama(without(t, o.URL, "format")), want{doctor.Fault, "not_enforced", "", "`format` (Ollama)"}},
		"taken out before llama.cpp": {openai(without(t, llama, "response_format") + "/v1"), want{doctor.Fault, "not_enforced", "", "`response_format`"}},
	} {
		t.Run(name, func(t *testing.T) {
			yaml := fmt.Sprintf("corpus: {path: docs}\nmodels:\n  writer: %s\ngenerate: {model: writer}\n", c.model)
			r := examine(t, yaml, doctor.Options{Only: []string{"schema"}, Seed: 1})
			c.want.check(t, finding(t, r, "schema", "model writer"))
		})
	}
}
