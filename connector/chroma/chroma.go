// Package chroma retrieves from a Chroma collection over API v2 (server 1.0 or later).
//
// It is opinionated about two things. The client can only read: a list of allowed calls stands between
// it and the network. And scores mean the same everywhere, higher is better: Chroma gives distances
// (squared for l2), which are negated. Chroma has no switch for an exact search; the vectors it lists
// serve for that.
package chroma

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/rest"
)

// Kind is the name of this connector in a configuration.
const Kind = "chroma"

// Collection is a Retriever over one collection. It also lists, counts and inspects.
type Collection struct {
	settings Settings
	client   *rest.Client
	fields   connector.Fields
	info     *connector.Lazy[*info]

	// noLists is set once the server has refused the operators for lists: it is of before 1.5, cannot
	// hold lists, and the plain operators say the same.
	noLists atomic.Bool
}

// New makes a Collection. It does not dial; errors are of usage.
func New(s Settings) (*Collection, error) {
	if err := option.Join(s.Check()); err != nil {
		return nil, err
	}
	c := s.Config(s.URL)
	c.APIKeyHeader, c.Allow = s.APIKeyHeader, allowed
	client, err := rest.New(c)
	if err != nil {
		return nil, err
	}
	return &Collection{settings: s, client: client, fields: s.fields(), info: connector.NewLazy[*info]()}, nil
}

// Capabilities says what a collection can do.
func (c *Collection) Capabilities() assay.Capabilities {
	return assay.Capabilities{NeedsVector: true, ReturnsText: c.settings.Text != "", Filters: true, Native: true, Lists: true, Fetches: true, Counts: true, Inspects: true}
}

// base is the path that all collections of the database share.
func (c *Collection) base(more ...string) string {
	return rest.Path(append([]string{"api", "v2", "tenants", c.settings.Tenant, "databases", c.settings.Database, "collections"}, more...)...)
}

func (c *Collection) where() string {
	return c.client.Host() + " collection " + c.settings.Collection
}

// query is the body of a search for one vector.
type query struct {
	Embeddings []rest.Vector `json:"query_embeddings"`
	N          int           `json:"n_results"`
	Where      any           `json:"where,omitempty"`
	Include    []string      `json:"include"`
}

// answer is a reply to a query: parallel lists, one inner list for each query vector.
type answer struct {
	IDs       [][]string         `json:"ids"`
	Documents [][]*string        `json:"documents"`
	Metadatas [][]map[string]any `json:"metadatas"`
	Distances [][]*rest.Float    `json:"distances"`
}

// Search asks the collection as it is configured.
func (c *Collection) Search(ctx context.Context, req assay.Request) (assay.Response, error) {
	if err := connector.CheckRequest(req, c.where(), true); err != nil {
		return assay.Response{}, err
	}
	i, err := c.info.Get(ctx, c.fetch)
	if err != nil {
		return assay.Response{}, err
	}
	if err := connector.CheckDirection(req.Vector, i.distance(), c.where()); err != nil {
		return assay.Response{}, err
	}
	path := c.base(i.ID, "query")
	var reply answer
	var took time.Duration
	err = c.filtered(req.Filter, func(where any) error {
		start := time.Now()
		body := query{Embeddings: []rest.Vector{req.Vector}, N: req.K, Where: where, Include: c.include("distances")}
		err := c.client.Call(ctx, rest.Request{Op: "search", Method: "POST", Path: path, Body: body}, &reply)
		took = time.Since(start)
		return err
	})
	if err != nil {
		return assay.Response{}, c.gone(err)
	}
	if len(reply.IDs) != 1 || len(reply.Distances) != 1 {
		return assay.Response{}, c.client.Wrong("search", path, nil, "the reply has %d lists of ids and %d of distances for one query", len(reply.IDs), len(reply.Distances))
	}
	records, err := c.records(path, reply.IDs[0], first(reply.Documents), first(reply.Metadatas))
	if err != nil {
		return assay.Response{}, err
	}
	if len(reply.Distances[0]) != len(records) {
		return assay.Response{}, c.client.Wrong("search", path, nil, "the reply has %d distances for %d ids", len(reply.Distances[0]), len(records))
	}
	for n, d := range reply.Distances[0] {
		if d == nil {
			return assay.Response{}, c.client.Wrong("search", path, nil, "%s has no distance", records[n].ID)
		}
		records[n].Score = 0 - float64(*d) // not -d: a distance of 0 must not become -0
	}
	return c.respond(records, req.K, took)
}

func (c *Collection) respond(records []connector.Record, k int, took time.Duration) (assay.Response, error) {
	resp, err := c.fields.Hits(c.where(), records)
	if err != nil {
		return assay.Response{}, err
	}
	if c.settings.Text == document {
		for _, h := range resp.Hits {
			if h.Text == "" {
				connector.AddNote(&resp, "text_missing", 1)
			}
		}
	}
	resp.Timings.Search = took
	return resp, connector.Tidy(&resp, k)
}

// include asks for what is mapped and nothing more: documents can be long.
func (c *Collection) include(more ...string) []string {
	out := append([]string{"metadatas"}, more...)
	if c.settings.Text == document {
		out = append(out, "documents")
	}
	return out
}

// first is the inner list of the only query; nil where the reply has none.
func first[T any](lists [][]T) []T {
	if len(lists) == 0 {
		return nil
	}
	return lists[0]
}

// records joins parallel lists. Documents and metadata may be absent as a whole, and null for one item.
func (c *Collection) records(path string, ids []string, documents []*string, metadatas []map[string]any) ([]connector.Record, error) {
	if documents != nil && len(documents) != len(ids) || metadatas != nil && len(metadatas) != len(ids) {
		return nil, c.client.Wrong("search", path, nil, "the reply has %d ids, %d documents and %d metadatas", len(ids), len(documents), len(metadatas))
	}
	out := make([]connector.Record, len(ids))
	for i, id := range ids {
		out[i].ID = id
		if documents != nil && documents[i] != nil {
			out[i].Text = *documents[i]
		}
		if metadatas != nil {
			out[i].Metadata = metadatas[i]
		}
	}
	return out, nil
}

// filtered makes a call with the filter in the server's dialect, the one with lists first.
func (c *Collection) filtered(f *assay.Filter, do func(where any) error) error {
	lists := !c.noLists.Load()
	where, err := translate(f, lists)
	if err != nil {
		return assay.WithHint(assay.Errorf(assay.KindInvalid, "search", c.where(), "filter: %w", err), `write it in Chroma's own form: {"native": {"field": {"$gt": 1}}}`)
	}
	err = do(where)
	if !lists || assay.KindOf(err) != assay.KindInvalid || !strings.Contains(err.Error(), "where clause") {
		return err
	}
	plain, _ := translate(f, false)
	if same(where, plain) {
		return err
	}
	if again := do(plain); again != nil {
		return err
	}
	c.noLists.Store(true)
	return nil
}

func same(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// gone forgets the collection's id when the server no longer knows it: a collection that was made anew
// has another.
func (c *Collection) gone(err error) error {
	if assay.KindOf(err) == assay.KindNotFound {
		c.info.Forget()
		return assay.WithHint(err, "the collection was deleted meanwhile; if it was made anew, try again")
	}
	return err
}
