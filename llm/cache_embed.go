package llm

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm/internal/segment"
)

// DefaultBatch is how many texts a cached embedder asks for at once.
const DefaultBatch = 32

// Embedder puts the cache before an embedder. id is what the model identifies as. Missing texts are asked
// for batch at a time (0 means DefaultBatch) and each batch is kept before the next is asked for, so an
// interrupted call loses one batch. Of a PartialError, the vectors are kept.
func (c *Cache) Embedder(model assay.Embedder, id assay.Identity, batch int) assay.Embedder {
	if batch <= 0 {
		batch = DefaultBatch
	}
	return &cachedEmbedder{model, c, newModelKey(id), batch}
}

type cachedEmbedder struct {
	inner assay.Embedder
	cache *Cache
	id    modelKey
	batch int
}

func (m *cachedEmbedder) Unwrap() any { return m.inner }

// Embed serves each text by itself. Equal texts, within one call and among calls under way, are asked for
// once.
func (m *cachedEmbedder) Embed(ctx context.Context, req assay.EmbedRequest) (assay.EmbedReply, error) {
	e := &embedding{m: m, role: req.Role, texts: req.Texts, reply: assay.EmbedReply{Vectors: make([][]float32, len(req.Texts))}}
	e.keys = make([]segment.Key, len(req.Texts))
	open := make([]int, 0, len(req.Texts))
	for i, text := range req.Texts {
		e.keys[i] = embedKey(m.id, req.Role, text)
		if !e.fromStore(i) {
			open = append(open, i)
		}
	}
	for len(open) > 0 {
		var err error
		if open, err = e.round(ctx, open); err != nil {
			return assay.EmbedReply{}, err
		}
	}
	slices.Sort(e.reply.Truncated)
	slices.SortFunc(e.failed, func(a, b TextError) int { return a.Index - b.Index })
	return Partial(e.reply, e.failed)
}

// embedding is one Embed call under way.
type embedding struct {
	m      *cachedEmbedder
	role   assay.Role
	texts  []string
	keys   []segment.Key
	reply  assay.EmbedReply
	failed []TextError
}

func (e *embedding) fromStore(i int) bool {
	value, ok := e.m.cache.store.Get(e.keys[i])
	if !ok {
		return false
	}
	if !e.use(i, value) {
		e.m.cache.store.Forget(e.keys[i])
		return false
	}
	e.reply.Cached++
	e.m.cache.hits.Add(1)
	return true
}

// use takes an entry as the vector of text i.
func (e *embedding) use(i int, value []byte) bool {
	v, truncated, err := decodeVector(value)
	if err != nil {
		return false
	}
	e.reply.Vectors[i] = v
	if truncated {
		e.reply.Truncated = append(e.reply.Truncated, i)
	}
	return true
}

// round fetches the open texts that nobody else is fetching, then waits for the others. It returns those
// whose other call failed. Own work comes first, so that two calls never wait for each other.
func (e *embedding) round(ctx context.Context, open []int) ([]int, error) {
	c := e.m.cache
	var lead, wait []int
	led, waits := make([]*flight, 0, len(open)), make([]*flight, 0, len(open))
	for _, i := range open {
		f, leader := c.lead(e.keys[i])
		switch {
		case !leader:
			wait, waits = append(wait, i), append(waits, f)
		case e.fromStore(i): // another call landed between the look and the lead
			c.land(e.keys[i], f, nil)
		default:
			lead, led = append(lead, i), append(led, f)
		}
	}
	landed := 0
	defer func() { // on a failure half-way, nobody may wait for what will not come
		for ; landed < len(lead); landed++ {
			c.land(e.keys[lead[landed]], led[landed], nil)
		}
	}()
	for batch := range slices.Chunk(lead, e.m.batch) {
		values, err := e.fetch(ctx, batch)
		if err != nil {
			return nil, err
		}
		for _, value := range values {
			c.land(e.keys[lead[landed]], led[landed], value)
			landed++
		}
	}
	var left []int
	for n, i := range wait {
		select {
		case <-waits[n].done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		switch {
		case waits[n].value != nil && e.use(i, waits[n].value):
			e.reply.Cached++
			c.hits.Add(1)
		case e.failedTwin(i): // an equal text of this call
		case !e.fromStore(i):
			left = append(left, i)
		}
	}
	return left, nil
}

// failedTwin gives text i the failure of an equal text of the same call.
func (e *embedding) failedTwin(i int) bool {
	for _, f := range e.failed {
		if e.keys[f.Index] == e.keys[i] {
			e.failed = append(e.failed, TextError{i, f.Err})
			return true
		}
	}
	return false
}

// fetch asks the model for a batch and stores what is good. values holds one entry a text, nil for a
// text that failed by itself.
func (e *embedding) fetch(ctx context.Context, batch []int) (values [][]byte, err error) {
	texts := make([]string, len(batch))
	for n, i := range batch {
		texts[n] = e.texts[i]
	}
	e.m.cache.misses.Add(int64(len(batch)))
	reply, err := e.m.inner.Embed(ctx, assay.EmbedRequest{Texts: texts, Role: e.role})
	reply, failed, err := unpartial(reply, err, len(texts))
	if err != nil && len(texts) == 1 && len(e.texts) > 1 && e.any() && TextAtFault(err) {
		reply, failed, err = assay.EmbedReply{Vectors: make([][]float32, 1)}, []TextError{{0, err}}, nil
	}
	if err != nil {
		return nil, err
	}
	if len(reply.Vectors) != len(texts) {
		return nil, assay.Errorf(assay.KindMalformed, "embed", "", "%d vectors for %d texts", len(reply.Vectors), len(texts))
	}
	for _, f := range failed {
		e.failed = append(e.failed, TextError{batch[f.Index], f.Err})
	}
	values = make([][]byte, len(batch))
	var entries []segment.Entry
	for n, v := range reply.Vectors {
		if slices.ContainsFunc(failed, func(f TextError) bool { return f.Index == n }) {
			continue
		}
		truncated := slices.Contains(reply.Truncated, n)
		e.reply.Vectors[batch[n]] = v
		if truncated {
			e.reply.Truncated = append(e.reply.Truncated, batch[n])
		}
		value := encodeVector(v, truncated)
		if _, _, err := decodeVector(value); err != nil {
			return nil, assay.Errorf(assay.KindMalformed, "embed", "", "text %d: the vector is not finite, or all zero", batch[n]+1)
		}
		values[n] = value
		entries = append(entries, segment.Entry{Key: e.keys[batch[n]], Value: value})
	}
	e.reply.Tokens += reply.Tokens
	e.m.cache.put(entries...)
	return values, nil
}

// any reports whether some text has a vector: the model works, so a text that fails alone is at fault.
func (e *embedding) any() bool {
	return slices.ContainsFunc(e.reply.Vectors, func(v []float32) bool { return v != nil })
}

// unpartial turns a PartialError into its parts. Of a single text the failure is a plain error.
func unpartial(reply assay.EmbedReply, err error, texts int) (assay.EmbedReply, []TextError, error) {
	var p *PartialError
	if errors.As(err, &p) && len(p.Reply.Vectors) == texts {
		return p.Reply, p.Failed, nil
	}
	return reply, nil, err
}

// A vector's entry is a byte of flags and the components as little-endian float32.
const flagTruncated = 1

func encodeVector(v []float32, truncated bool) []byte {
	b := make([]byte, 1, 1+4*len(v))
	if truncated {
		b[0] |= flagTruncated
	}
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func decodeVector(b []byte) (v []float32, truncated bool, err error) {
	if len(b) < 5 || (len(b)-1)%4 != 0 || b[0]&^flagTruncated != 0 {
		return nil, false, errUnusable
	}
	v = make([]float32, (len(b)-1)/4)
	zero := true
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[1+4*i:]))
		if f := float64(v[i]); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, false, errUnusable
		}
		zero = zero && v[i] == 0
	}
	if zero {
		return nil, false, errUnusable
	}
	return v, b[0] == flagTruncated, nil
}
