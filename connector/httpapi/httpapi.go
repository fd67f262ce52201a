// Package httpapi retrieves from any HTTP endpoint that takes a query and answers with JSON: most often the
// user's own RAG service, with its own prompt prefixes, filters and fusion, just as its users meet it.
//
// A template makes the request and JSON pointers read the reply. It is opinionated about templates:
// they are tried out with awkward text when the configuration is read, and refused if that would not
// arrive unharmed. A template that does not use the filter makes a system without filters, which refuses
// a query that has one; it is never dropped.
package httpapi

import (
	"context"
	"encoding/json"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/rest"
)

// Kind is the name of this connector in a configuration.
const Kind = "http"

// Service is a Retriever over one endpoint.
type Service struct {
	compiled
	settings Settings
	secrets  map[string]string // for the template
	client   *rest.Client
}

// New makes a Service. It does not dial; errors, those of the templates included, are of usage.
func New(s Settings) (*Service, error) {
	c, problems := s.compile()
	if err := option.Join(problems); err != nil {
		return nil, err
	}
	client, err := rest.New(s.config())
	if err != nil {
		return nil, err
	}
	secrets := map[string]string{}
	for name, v := range s.Secrets {
		secrets[name] = v.Reveal()
	}
	return &Service{c, s, secrets, client}, nil
}

// Capabilities follow from what the template uses.
func (s *Service) Capabilities() assay.Capabilities {
	return assay.Capabilities{NeedsVector: s.template.uses.vector, ReturnsText: s.form.Text.Given, Filters: s.template.uses.filter, Native: s.template.uses.filter}
}

// Search sends one request.
func (s *Service) Search(ctx context.Context, req assay.Request) (assay.Response, error) {
	if err := connector.CheckRequest(req, s.client.Host(), s.template.uses.vector); err != nil {
		return assay.Response{}, err
	}
	if req.Filter != nil && !s.template.uses.filter {
		return assay.Response{}, assay.WithHint(assay.Errorf(assay.KindInvalid, "search", s.client.Host(), "the query has a filter, and the template has no place for it"),
			"write {{json .Filter}} into body, where the service takes its filter")
	}
	body, query, err := s.template.render(input{Query: req.Text, K: req.K, Filter: filterOf(req.Filter), Vector: req.Vector, Secrets: s.secrets})
	if err != nil {
		return assay.Response{}, assay.Errorf(assay.KindInvalid, "search", s.client.Host(), "%s", s.client.Redact(err.Error()))
	}
	call := rest.Request{Op: "search", Method: s.settings.Method, Query: query}
	if body != nil {
		call.Body = body
	}
	var document any
	start := time.Now()
	if err := s.client.Call(ctx, call, &document); err != nil {
		return assay.Response{}, err
	}
	took := time.Since(start)
	resp, err := s.read(document, req.K)
	if err != nil {
		raw, _ := json.Marshal(document) // it was decoded from JSON a moment ago
		return assay.Response{}, s.client.Wrong("search", "", raw, "%w", err)
	}
	resp.Timings.Search = took
	return resp, nil
}

// read finds the list in the reply. A null in its place is an empty list as some languages write it, but
// not beside an error.
func (s *Service) read(document any, k int) (assay.Response, error) {
	v, err := s.hits.Get(document)
	if err != nil {
		return assay.Response{}, withServerError(document, err)
	}
	switch list := v.(type) {
	case []any:
		return s.form.Read(list, k)
	case nil:
		if m, ok := document.(map[string]any); ok && m["error"] != nil && m["error"] != "" && m["error"] != false {
			return assay.Response{}, withServerError(document, errNull)
		}
		return assay.Response{}, nil
	}
	return assay.Response{}, wrongType(s.hits, v)
}

// filterOf is a filter as the template's json writes it: a native one as it is, others in the neutral
// form, none as null.
func filterOf(f *assay.Filter) any {
	switch {
	case f == nil:
		return nil
	case f.Native != nil:
		return f.Native
	}
	return f
}
