package trec

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
)

// Run is an open run file.
type Run struct {
	src     *source
	dialect Dialect
	tag     string
	chunk   int // bytes, chunkSize but in tests
}

// ErrScattered is returned by Each when the lines of a query do not stand together.
var ErrScattered = errors.New("the lines of a query do not stand together")

// OpenRun opens a run; "-" is standard input. The caller closes it.
func OpenRun(name string, d Dialect) (*Run, error) {
	src, err := openSource(name)
	if err != nil {
		return nil, err
	}
	return &Run{src: src, dialect: d, chunk: chunkSize}, nil
}

// Close closes the file.
func (r *Run) Close() error { return r.src.close() }

// Name is the file name as it was given.
func (r *Run) Name() string { return r.src.name }

// Tag is the run tag of the last line, known once Each or EachGathered has returned without an error.
func (r *Run) Tag() string { return r.tag }

// Each calls fn with every query's block, once per query, from several goroutines and in no order;
// worker is from 0 to workers-1 and tells them apart. Workers below 1 means one per core. Memory stays at
// a few chunks of the file. A malformed line, an error of fn or a cancelled context ends it; of several
// problems the first in the file is returned, with its line.
//
// If a query comes back after another has begun, Each returns ErrScattered, and what fn was given so far
// is void: call EachGathered.
func (r *Run) Each(ctx context.Context, workers int, fn func(worker int, b *Block) error) error {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := &pass{run: r, fn: fn, seen: map[string]bool{}}
	ctx, p.stop = context.WithCancelCause(ctx)
	defer p.stop(nil)
	chunks, free := make(chan chunk), make(chan []byte, workers+2)
	for range cap(free) {
		free <- nil
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { p.work(w, chunks, free) })
	}
	err := r.cut(free, func(c chunk) bool {
		select {
		case chunks <- c:
			return true
		case <-ctx.Done():
			return false
		}
	})
	close(chunks)
	wg.Wait()
	return p.finish(ctx, err)
}

func (r *Run) cut(free <-chan []byte, emit func(chunk) bool) error {
	if r.src.plainFile() {
		return r.src.cutFile(r.chunk, emit)
	}
	text, err := r.src.stream()
	if err != nil {
		return err
	}
	defer text.Close()
	return cutStream(text, r.chunk, free, emit)
}

// pass is one reading of a run by several workers.
type pass struct {
	run  *Run
	fn   func(int, *Block) error
	stop context.CancelCauseFunc

	mu        sync.Mutex
	seen      map[string]bool // queries that were met
	scattered bool
	first     *problem     // the first in the file so far
	caller    *callerError // likewise
	failure   error        // of reading
	tags      []tagSpan
}

// fail notes what went wrong and stops the others; chunks before this one are already being worked on,
// so that an earlier problem still replaces this one.
func (p *pass) fail(err error, offset int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop(err)
	var at *problem
	var caller *callerError
	switch {
	case errors.As(err, &caller):
		if p.caller == nil || caller.offset < p.caller.offset {
			p.caller = caller
		}
	case errors.Is(err, ErrScattered):
		p.scattered = true
	case errors.As(err, &at):
		if p.first == nil || at.offset < p.first.offset {
			p.first = at
		}
	default:
		if p.failure == nil {
			p.failure = err
		}
	}
}

func (p *pass) work(worker int, chunks <-chan chunk, free chan<- []byte) {
	var ps runParser
	var buf []byte
	for c := range chunks {
		data := c.data
		if data == nil {
			var err error
			if buf, err = p.run.src.readChunk(c, buf); err != nil {
				p.fail(err, c.offset)
				continue
			}
			data = buf
		}
		ps.init(p.run.dialect, data, c.offset)
		if c.offset == 0 && !p.run.dialect.Lenient && bytes.HasPrefix(data, []byte("\ufeff")) {
			p.fail(errMark(), 0)
			continue
		}
		if err := ps.chunk(len(data)-padding, func(b *Block) error { return p.deliver(worker, b) }); err != nil {
			p.fail(err, c.offset)
		}
		p.mu.Lock()
		if ps.tags.first != nil {
			p.tags = append(p.tags, ps.tags.clone())
		}
		p.mu.Unlock()
		if c.data != nil {
			free <- c.data
		}
	}
}

// readChunk reads a chunk of a plain file into buf.
func (s *source) readChunk(c chunk, buf []byte) ([]byte, error) {
	if need := c.size + 1 + padding; cap(buf) < need {
		buf = make([]byte, 0, need+need/4)
	}
	n, err := s.file.ReadAt(buf[:c.size], c.offset)
	if err != nil && (err != io.EOF || n < c.size) {
		return buf, err
	}
	return pad(buf[:c.size]), nil
}

// deliver hands a block to the caller unless its query was met before.
func (p *pass) deliver(worker int, b *Block) error {
	p.mu.Lock()
	known := p.seen[string(b.Query)]
	if !known {
		p.seen[string(b.Query)] = true
	}
	p.mu.Unlock()
	if known {
		return ErrScattered
	}
	return p.call(worker, b)
}

// call hands a block to the caller. An error of its own is kept apart from those of reading.
func (p *pass) call(worker int, b *Block) error {
	offset := b.base
	if len(b.Hits) > 0 {
		offset = b.offset(b.Hits[0])
	}
	err := p.fn(worker, b)
	var at *problem
	if err == nil || errors.As(err, &at) {
		return err
	}
	return &callerError{err, offset}
}

// callerError is an error of the function that blocks were handed to, at the offset of its block.
type callerError struct {
	error
	offset int64
}

// finish picks what to report.
func (p *pass) finish(ctx context.Context, err error) error {
	switch {
	case p.scattered:
		return ErrScattered // gathering finds the problems again, all of them
	case p.first != nil && (p.caller == nil || p.first.offset <= p.caller.offset):
		return p.run.src.located(p.first)
	case p.caller != nil:
		return p.caller.error
	case p.failure != nil:
		return p.run.src.readError(p.failure)
	case err != nil:
		return p.run.src.readError(err)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return p.run.setTag(p.tags)
}

// setTag takes the tag of the last line, and compares the tags of the chunks where they must be one.
func (r *Run) setTag(tags []tagSpan) error {
	if len(tags) == 0 {
		return r.src.empty()
	}
	all := tags[0]
	for _, t := range tags[1:] {
		if t.firstAt < all.firstAt {
			all.first, all.firstAt = t.first, t.firstAt
		}
		if t.lastAt > all.lastAt {
			all.last, all.lastAt = t.last, t.lastAt
		}
	}
	r.tag = string(all.last)
	if r.dialect.Lenient {
		return nil
	}
	var other *problem
	for _, t := range tags {
		if !bytes.Equal(t.first, all.first) && (other == nil || t.firstAt < other.offset) {
			other = secondTag(t.firstAt, t.first, all.first)
		}
	}
	if other != nil {
		return r.src.located(other)
	}
	return nil
}

// Problemf makes an error about a hit; Each adds file and line.
func (b *Block) Problemf(h Hit, format string, args ...any) error {
	return problemf(b.offset(h), format, args...)
}

// repeated is an error about two lines.
func (b *Block) repeated(first, second Hit) error {
	p := problemf(max(b.offset(first), b.offset(second)), "document %s twice in query %s", quote(b.Doc(second)), quote(b.Query))
	p.other, p.paired = min(b.offset(first), b.offset(second)), true
	return p
}
