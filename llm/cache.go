package llm

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm/internal/segment"
)

// Cache keeps vectors, replies and scores on disk by content. It is safe for concurrent use, and several
// processes may have the same folder open. See package segment for how it is stored and why.
//
// An entry is on disk before the reply it holds is returned. Only a reply that was checked enters. An
// entry that cannot be read is fetched again. Two equal calls at one time make one call.
//
// A cache that can no longer be written, as on a full disk, goes on without storing and warns once:
// losing the cache must not lose the reply in hand.
type Cache struct {
	store *segment.Store
	warn  func(assay.Warning)

	mu      sync.Mutex
	flights map[segment.Key]*flight
	deaf    atomic.Bool // writing failed

	hits, misses, stored atomic.Int64
}

// OpenCache opens the cache in a folder, usually .assay/cache of a project, and makes it when it is
// missing. warn, which may be nil, is told when the cache stops storing.
func OpenCache(dir string, warn func(assay.Warning)) (*Cache, error) {
	store, err := segment.Open(dir)
	if err != nil {
		return nil, assay.WithHint(fmt.Errorf("model cache: %w", err), "make %s writable, or delete it: it holds nothing that cannot be fetched again", dir)
	}
	if warn == nil {
		warn = func(assay.Warning) {}
	}
	return &Cache{store: store, warn: warn, flights: map[segment.Key]*flight{}}, nil
}

// NoCache is a cache that holds nothing and stores nothing, for where there is no place for one.
func NoCache() *Cache {
	c := &Cache{store: new(segment.Store), warn: func(assay.Warning) {}, flights: map[segment.Key]*flight{}}
	c.deaf.Store(true)
	return c
}

// Close syncs and closes the cache. Calls made afterwards go through uncached.
func (c *Cache) Close() error {
	c.deaf.Store(true)
	return c.store.Close()
}

// CacheStats counts what a cache did since it was opened.
type CacheStats struct {
	Entries int   // entries it holds
	Hits    int64 // texts, conversations and lists answered from it
	Misses  int64 // those that were not there
	Stored  int64 // entries added
	Damaged int   // entries found unusable and fetched again
}

// Stats counts.
func (c *Cache) Stats() CacheStats {
	s := c.store.Stats()
	return CacheStats{Entries: s.Entries, Hits: c.hits.Load(), Misses: c.misses.Load(), Stored: c.stored.Load(), Damaged: s.Damaged}
}

// put stores entries, or stops storing for good.
func (c *Cache) put(entries ...segment.Entry) {
	if len(entries) == 0 || c.deaf.Load() {
		return
	}
	err := c.store.Put(entries...)
	if err == nil {
		c.stored.Add(int64(len(entries)))
		return
	}
	if !c.deaf.Swap(true) {
		c.warn(assay.Warning{Code: "cache_not_written", Text: fmt.Sprintf("the model cache can no longer be written, so finished calls may be repeated by the next run: %v", err)})
	}
}

// flight is a call under way for a key. value is set before done is closed, nil when it failed.
type flight struct {
	done  chan struct{}
	value []byte
}

// lead reports whether the caller is to fetch the key, or hands out the flight of who does.
func (c *Cache) lead(key segment.Key) (f *flight, leader bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f, ok := c.flights[key]; ok {
		return f, false
	}
	f = &flight{done: make(chan struct{})}
	c.flights[key] = f
	return f, true
}

// land ends a flight that the caller leads.
func (c *Cache) land(key segment.Key, f *flight, value []byte) {
	c.mu.Lock()
	delete(c.flights, key)
	c.mu.Unlock()
	f.value = value
	close(f.done)
}

var errUnusable = errors.New("unusable entry")
