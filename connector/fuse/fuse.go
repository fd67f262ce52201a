package fuse

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
)

// Leg is one of the systems that are fused. Weight scales its contributions; 0 means 1.
type Leg struct {
	Name      string
	Retriever assay.Retriever
	Weight    float64
}

// Config is how legs are fused.
type Config struct {
	K     int // constant of RRF, at least 0
	Depth int // hits asked of each leg; 0 means 100. A longer fused ranking asks for as many as it wants
}

// DefaultK is the constant of Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet
// and individual rank learning methods", SIGIR 2009.
const DefaultK = 60

// Fuse is a Retriever over other retrievers. It is safe for concurrent use when they are.
type Fuse struct {
	legs []Leg
	cfg  Config
}

// New makes a fusion of at least two legs with different names.
func New(legs []Leg, cfg Config) (*Fuse, error) {
	if len(legs) < 2 {
		return nil, assay.Usagef("a fusion needs at least two systems, has %d", len(legs))
	}
	legs = slices.Clone(legs)
	for i := range legs {
		if legs[i].Weight == 0 {
			legs[i].Weight = 1
		}
		if !(legs[i].Weight > 0) || math.IsInf(legs[i].Weight, 0) {
			return nil, assay.Usagef("the weight of %s is %v; it must be a positive number", legs[i].Name, legs[i].Weight)
		}
		if slices.ContainsFunc(legs[:i], func(l Leg) bool { return l.Name == legs[i].Name }) {
			return nil, assay.Usagef("%s is fused with itself", legs[i].Name)
		}
	}
	if cfg.K < 0 {
		return nil, assay.Usagef("the constant of RRF is %d; it must be at least 0", cfg.K)
	}
	if cfg.Depth <= 0 {
		cfg.Depth = 100
	}
	return &Fuse{legs, cfg}, nil
}

// Capabilities are those that every leg has, and the need that any leg has for a vector: a fusion embeds
// nothing by itself. Chunks are listed, counted and inspected by asking a leg.
func (f *Fuse) Capabilities() assay.Capabilities {
	c := assay.Capabilities{ReturnsText: true, Filters: true}
	for _, l := range f.legs {
		if d, ok := assay.As[assay.Describer](l.Retriever); ok {
			caps := d.Capabilities()
			c.ReturnsText = c.ReturnsText && caps.ReturnsText
			c.Filters = c.Filters && caps.Filters
			c.NeedsVector = c.NeedsVector || caps.NeedsVector
		}
	}
	return c
}

// Ranked is what one leg answered.
type Ranked struct {
	Leg      string
	Response assay.Response
}

// Legs asks every leg, at once, for its own ranking, as deep as the fusion looks; diagnosis wants to know
// which one had the answer, and where. The lists are held to the contract (connector.Tidy). The first
// failure ends the others.
func (f *Fuse) Legs(ctx context.Context, req assay.Request) ([]Ranked, error) {
	req.K = max(req.K, f.cfg.Depth)
	out := make([]Ranked, len(f.legs))
	group, ctx := errgroup.WithContext(ctx)
	for i, leg := range f.legs {
		group.Go(func() error {
			start := time.Now()
			resp, err := leg.Retriever.Search(ctx, req)
			if err == nil {
				err = connector.Tidy(&resp, req.K)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", leg.Name, err)
			}
			if total(resp.Timings) == 0 && !connector.Untimed(resp) {
				resp.Timings.Search = time.Since(start) // a leg that does not time itself
			}
			out[i] = Ranked{leg.Name, resp}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}

// Search fuses the rankings of all legs: a hit at rank r of a leg of weight w adds w/(K+r), ranks from 1.
// Hits are the same when their ids are. Ties go by id descending. Timings.Search and Embed are those of the slowest leg, since they run side by
// side; Fuse is the merging.
func (f *Fuse) Search(ctx context.Context, req assay.Request) (assay.Response, error) {
	if req.K < 1 {
		return assay.Response{}, assay.Errorf(assay.KindInvalid, "search", "fuse", "k is %d; it must be at least 1", req.K)
	}
	ranked, err := f.Legs(ctx, req)
	if err != nil {
		return assay.Response{}, err
	}
	start := time.Now()
	out := assay.Response{Hits: f.merge(ranked, req.K)}
	for _, r := range ranked {
		t := r.Response.Timings
		if total(t) > total(out.Timings) {
			out.Timings = t
		}
		for _, n := range r.Response.Notes {
			connector.AddNote(&out, n.Code, n.Count)
		}
	}
	out.Timings.Fuse += time.Since(start)
	out.Timings.Total = 0
	return out, nil
}

func total(t assay.Timings) time.Duration { return t.Embed + t.Search + t.Fuse + t.Rerank }

// merge adds up the contributions in the order of the legs, so that sums have one order.
func (f *Fuse) merge(ranked []Ranked, k int) []assay.Hit {
	at := map[string]int{}
	var hits []assay.Hit
	for i, r := range ranked {
		for rank, h := range r.Response.Hits {
			j, ok := at[h.ID]
			if !ok {
				j = len(hits)
				at[h.ID] = j
				h.Score = 0
				hits = append(hits, h)
			}
			hits[j].Score += f.legs[i].Weight / float64(f.cfg.K+rank+1)
			complete(&hits[j], &h)
		}
	}
	slices.SortFunc(hits, func(a, b assay.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID))
	})
	return hits[:min(k, len(hits))]
}

// complete fills in what another leg knows of a hit.
func complete(h, other *assay.Hit) {
	if h.Text == "" {
		h.Text, h.Title = other.Text, other.Title
	}
	if h.Span == nil && other.Span != nil {
		h.Document, h.Span = other.Document, other.Span
	}
	if h.Metadata == nil {
		h.Metadata = other.Metadata
	}
}
