package draft

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/all"
	"github.com/assay-eval/assay/internal/discover"
	"github.com/assay-eval/assay/internal/nearest"
)

// Store is a collection with what is known of the places of a chunk's parts in it.
type Store struct {
	Kind string `json:"kind"`
	URL  string `json:"url"`
	discover.Collection
	Fields Fields `json:"fields"`

	server *discover.Server
}

// candidate is a collection that could be chosen.
type candidate struct {
	server *discover.Server
	discover.Collection
	models []model // of its dimension
}

const (
	sampled  = 25 // chunks of a collection that are looked at
	mostTrys = 6  // collections that are looked at closely
)

// chooseStore looks at collections, the fullest with a model for its dimension first, until a model gives the stored
// vectors of one back.
func (d *Draft) chooseStore(ctx context.Context, o *Options) error {
	candidates, err := collections(o)
	if err != nil {
		return err
	}
	var best *trial
	for i, c := range candidates {
		if i >= mostTrys || ctx.Err() != nil {
			break
		}
		o.Step("looking at " + c.Name)
		t := d.try(ctx, o, c)
		if best == nil || t.rank() > best.rank() {
			best = t
		}
		if t.embedder != nil && t.embedder.Check == Reproduced {
			break
		}
	}
	if best == nil {
		return nil
	}
	d.Store, d.SameText = best.store, best.sameText
	if best.embedder.usable() {
		d.Embedder = best.embedder
	}
	for _, c := range candidates {
		if name(c.Collection) != name(best.store.Collection) || c.server != best.store.server {
			d.others = append(d.others, c)
		}
	}
	d.storeNotes(best, o.Collection != "")
	return nil
}

// collections lists what can be chosen.
func collections(o *Options) ([]candidate, error) {
	var out []candidate
	var names []string
	embedders := models(o.Found)
	for i := range o.Found.Servers {
		s := &o.Found.Servers[i]
		for _, c := range s.Collections {
			names = append(names, c.Name)
			if c.Count == 0 || c.Dimension == 0 || o.Collection != "" && o.Collection != c.Name && o.Collection != name(c) {
				continue
			}
			x := candidate{server: s, Collection: c}
			for _, m := range embedders {
				if m.Dimension == c.Dimension || m.Dimension == 0 {
					x.models = append(x.models, m)
				}
			}
			out = append(out, x)
		}
	}
	if o.Collection != "" && len(out) == 0 {
		if slices.Contains(names, o.Collection) {
			return nil, assay.Usagef("--collection %s: it holds no vectors yet", o.Collection)
		}
		return nil, assay.WithHint(assay.Usagef("--collection %s: no store that answered has it%s", o.Collection, nearest.Suggest(o.Collection, names)),
			"name the store with --at URL; what was found without --collection: assay init --dry-run")
	}
	slices.SortStableFunc(out, func(a, b candidate) int {
		return cmp.Or(-cmp.Compare(min(1, len(a.models)), min(1, len(b.models))), -cmp.Compare(a.Count, b.Count), cmp.Compare(name(a.Collection), name(b.Collection)))
	})
	return out, nil
}

// trial is a candidate that was looked at.
type trial struct {
	store    *Store
	embedder *Embedder // the best of the models of its dimension; nil when there is none
	sameText bool
	texts    int // sampled chunks that have a text
	inDocs   int // of these, those that stand in the documents
	problem  error
}

// rank orders trials: a model that fits before all.
func (t *trial) rank() float64 {
	r := 0.0
	if t.embedder != nil {
		r += map[Check]float64{Reproduced: 8, Near: 6, Unchecked: 4, Other: 1}[t.embedder.Check]
	}
	if t.problem == nil && t.texts > 0 {
		r += 2
	}
	if t.sameText {
		r++
	}
	return r
}

// try samples a collection, guesses its fields and looks for its model.
func (d *Draft) try(ctx context.Context, o *Options, c candidate) *trial {
	t := &trial{store: &Store{Kind: c.server.Kind, URL: c.server.URL, Collection: c.Collection, server: c.server}}
	chunks, err := t.store.list(ctx, o, sampled, false)
	if err != nil {
		t.problem = err
		return t
	}
	t.store.Fields = guess(t.store, chunks, d.Documents)
	for _, chunk := range chunks {
		if text := t.store.Fields.textOf(chunk); text != "" {
			t.texts++
			if d.Documents.hold(text) {
				t.inDocs++
			}
		}
	}
	t.sameText = t.texts > 0 && 2*t.inDocs >= t.texts
	t.embedder = pickModel(ctx, o, t.store, c.models)
	return t
}

// hold reports whether a text stands in the documents.
func (d *Documents) hold(text string) bool {
	if d == nil {
		return false
	}
	loc, ok := d.set.Locate(text)
	return ok || loc.Ambiguous
}

// open opens the store as the draft would configure it.
func (s *Store) open(o *Options, page int) (assay.Retriever, error) {
	options := map[string]any{"timeout": "15s"}
	for _, setting := range s.settings() {
		options[setting.key] = setting.value
	}
	options["page"] = int64(page)
	return all.Kinds().Open(s.Kind, options, connector.Env{Env: o.Env})
}

// list reads the first n chunks.
func (s *Store) list(ctx context.Context, o *Options, n int, vectors bool) ([]assay.Chunk, error) {
	r, err := s.open(o, n)
	if err != nil {
		return nil, err
	}
	if c, ok := assay.As[io.Closer](r); ok {
		defer func() { _ = c.Close() }()
	}
	lister, ok := assay.As[assay.ChunkLister](r)
	if !ok {
		return nil, fmt.Errorf("%s cannot list its chunks", s.Kind)
	}
	var out []assay.Chunk
	for c, err := range lister.ListChunks(ctx, assay.ListOptions{WithVectors: vectors}) {
		if err != nil {
			return nil, err
		}
		if out = append(out, c); len(out) == n {
			break
		}
	}
	return out, nil
}

// storeNotes says why this collection and these fields.
func (d *Draft) storeNotes(t *trial, asked bool) {
	s := t.store
	why := "the only one with vectors"
	if n := len(d.others); asked {
		why = "as asked for"
	} else if n > 0 {
		why = fmt.Sprintf("chosen of %d, for it is the fullest", n+1)
		if t.embedder != nil && t.embedder.Check == Reproduced {
			why = fmt.Sprintf("chosen of %d: the fullest whose vectors a model here gives back", n+1)
		}
	}
	d.note(Guessed, "collection", fmt.Sprintf("%s in %s: %s", describe(s.Collection), s.Kind, why))
	if s.Distance == "" {
		d.note(Unknown, "distance", "no index says how vectors are compared: cosine is written")
	}
	if t.problem != nil {
		d.note(Unknown, "fields", "its chunks could not be listed: "+t.problem.Error())
		return
	}
	d.Notes = append(d.Notes, s.Fields.notes...)
	switch {
	case d.Documents == nil || t.texts == 0:
	case t.sameText:
		d.note(Found, "origin", fmt.Sprintf("%d of %d sampled texts stand in %s: it was made from these documents", t.inDocs, t.texts, d.Documents.Path))
	default:
		d.note(Unknown, "origin", fmt.Sprintf("only %d of %d sampled texts stand in %s: the collection holds other documents, or cut and cleaned ones", t.inDocs, t.texts, d.Documents.Path))
	}
	d.embedderNotes(t)
}
