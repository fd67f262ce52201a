// Package qdrant retrieves from a Qdrant collection over its REST query API (Qdrant 1.10 or later), as
// the collection is deployed.
//
// It is opinionated about three things. The client can only read: a list of allowed calls stands between
// it and the network. Point ids keep their 64 bits. And a score means the same everywhere, higher is
// better: for the distances Euclid and Manhattan, where Qdrant gives lower for better, it is negated,
// which is why the collection's settings are read before the first search.
package qdrant

import (
	"context"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/rest"
)

// Kind is the name of this connector in a configuration.
const Kind = "qdrant"

// Collection is a Retriever over one collection. It also lists, counts, searches exactly and inspects.
type Collection struct {
	settings Settings
	client   *rest.Client
	fields   connector.Fields
	payload  any // with_payload: true, a list of keys, or nil for none
	info     *connector.Lazy[*info]
}

// New makes a Collection. It does not dial; errors are of usage.
func New(s Settings) (*Collection, error) {
	if err := option.Join(s.Check()); err != nil {
		return nil, err
	}
	c := s.Config(s.URL)
	c.APIKeyHeader, c.Allow, c.Transport = "api-key", allowed, s.Transport
	client, err := rest.New(c)
	if err != nil {
		return nil, err
	}
	return &Collection{settings: s, client: client, fields: s.fields(), payload: s.withPayload(), info: connector.NewLazy[*info]()}, nil
}

// Capabilities says what a collection can do.
func (c *Collection) Capabilities() assay.Capabilities {
	return assay.Capabilities{NeedsVector: true, ReturnsText: c.settings.Text != "", Filters: true, Native: true,
		Lists: true, Fetches: true, Counts: true, Exact: true, Inspects: true}
}

func (c *Collection) path(call ...string) string {
	return rest.Path(append([]string{"collections", c.settings.Collection}, call...)...)
}

func (c *Collection) where() string { return c.client.Host() + c.path() }

// query is the body of a search.
type query struct {
	Query       rest.Vector    `json:"query"`
	Using       string         `json:"using,omitempty"`
	Filter      any            `json:"filter,omitempty"`
	Params      map[string]any `json:"params,omitempty"`
	Limit       int            `json:"limit"`
	WithPayload any            `json:"with_payload,omitempty"`
	Threshold   any            `json:"score_threshold,omitempty"`
}

// Search asks the collection as it is configured.
func (c *Collection) Search(ctx context.Context, req assay.Request) (assay.Response, error) {
	return c.search(ctx, req, c.settings.Params)
}

// SearchExact asks for a full scan over the unquantized vectors: the store's own oracle. Strict mode may
// forbid it (KindInvalid).
func (c *Collection) SearchExact(ctx context.Context, req assay.Request) (assay.Response, error) {
	return c.search(ctx, req, map[string]any{"exact": true, "quantization": map[string]any{"ignore": true}})
}

func (c *Collection) search(ctx context.Context, req assay.Request, params map[string]any) (assay.Response, error) {
	if err := connector.CheckRequest(req, c.where(), true); err != nil {
		return assay.Response{}, err
	}
	filter, err := translate(req.Filter)
	if err != nil {
		return assay.Response{}, refused(c.where(), err)
	}
	vector, err := c.vector(ctx)
	if err != nil {
		return assay.Response{}, err
	}
	if err := connector.CheckDirection(req.Vector, vector.distance(), c.where()); err != nil {
		return assay.Response{}, err
	}
	body := query{Query: req.Vector, Using: c.settings.Using, Filter: filter, Params: params, Limit: req.K,
		WithPayload: c.payload, Threshold: c.settings.Threshold}
	var reply struct {
		Result *struct {
			Points *[]point `json:"points"`
		} `json:"result"`
	}
	start := time.Now()
	if err := c.client.Call(ctx, rest.Request{Op: "search", Method: "POST", Path: c.path("points", "query"), Body: body}, &reply); err != nil {
		return assay.Response{}, c.explain(err)
	}
	took := time.Since(start)
	if reply.Result == nil || reply.Result.Points == nil {
		return assay.Response{}, c.client.Wrong("search", c.path("points", "query"), nil, "the reply has no result.points")
	}
	records, err := c.records(*reply.Result.Points, vector)
	if err != nil {
		return assay.Response{}, err
	}
	resp, err := c.fields.Hits(c.where(), records)
	if err != nil {
		return assay.Response{}, err
	}
	resp.Timings.Search = took
	return resp, connector.Tidy(&resp, req.K)
}

// records checks points and turns their scores so that higher is better.
func (c *Collection) records(points []point, v vectorParams) ([]connector.Record, error) {
	out := make([]connector.Record, len(points))
	for i, p := range points {
		if p.Score == nil {
			return nil, c.client.Wrong("search", c.path("points", "query"), nil, "point %s has no score", p.ID)
		}
		score := float64(*p.Score)
		if d := v.distance(); d == connector.Euclid || d == connector.Manhattan {
			score = 0 - score // not -score: a distance of 0 must not become -0
		}
		out[i] = connector.Record{ID: string(p.ID), Score: score, Metadata: p.Payload}
	}
	return out, nil
}

// explain adds advice to what the server said.
func (c *Collection) explain(err error) error {
	if assay.KindOf(err) != assay.KindNotFound {
		return err
	}
	// The settings were read, so the collection was there: it is gone by now, or the call is unknown.
	c.info.Forget()
	return assay.WithHint(err, "either the collection was deleted meanwhile, or the server is older than Qdrant 1.10, which brought the query API")
}
