package llm

import (
	"context"
	"encoding/json"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/strictjson"
	"github.com/assay-eval/assay/llm/internal/segment"
)

// Chat puts the cache before a chat model. id is what the model identifies as. A schema-bound reply that
// is not one JSON object is passed on but not kept.
func (c *Cache) Chat(model assay.Chat, id assay.Identity) assay.Chat {
	return &cachedChat{model, c, newModelKey(id)}
}

type cachedChat struct {
	inner assay.Chat
	cache *Cache
	id    modelKey
}

func (m *cachedChat) Unwrap() any { return m.inner }

func (m *cachedChat) Chat(ctx context.Context, req assay.ChatRequest) (assay.ChatReply, error) {
	var reply assay.ChatReply
	fresh, err := m.cache.one(ctx, chatKey(m.id, req), func(value []byte) error {
		reply = assay.ChatReply{}
		if err := json.Unmarshal(value, &reply); err != nil {
			return err
		}
		if reply.Text == "" {
			return errUnusable
		}
		return nil
	}, func() ([]byte, error) {
		r, err := m.inner.Chat(ctx, req)
		if err != nil {
			return nil, err
		}
		reply = r
		if len(req.Schema) > 0 {
			if _, bad := strictjson.Tree(r.Text); bad != nil {
				return nil, nil //nolint:nilerr // a reply that cannot be kept is still the reply: it is passed on
			}
		}
		return json.Marshal(r)
	})
	if err != nil {
		return assay.ChatReply{}, err
	}
	reply.Cached = !fresh
	return reply, nil
}

// one serves a key: from the store, from a call of the same key that is under way, or by fetch, whose
// value is stored unless it is nil. read takes a value and refuses one it cannot use. fresh says that
// fetch made the reply.
func (c *Cache) one(ctx context.Context, key segment.Key, read func([]byte) error, fetch func() ([]byte, error)) (fresh bool, err error) {
	for {
		if value, ok := c.store.Get(key); ok {
			if read(value) == nil {
				c.hits.Add(1)
				return false, nil
			}
			c.store.Forget(key)
		}
		f, leader := c.lead(key)
		if leader {
			// Another call may have landed between the look and the lead.
			if value, ok := c.store.Get(key); ok && read(value) == nil {
				c.land(key, f, value)
				c.hits.Add(1)
				return false, nil
			}
			return true, c.fetch(key, f, fetch)
		}
		select {
		case <-f.done:
			if f.value != nil && read(f.value) == nil {
				c.hits.Add(1)
				return false, nil
			}
			// The other call failed, perhaps only because its caller gave up: make our own.
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

func (c *Cache) fetch(key segment.Key, f *flight, fetch func() ([]byte, error)) error {
	var value []byte
	defer func() { c.land(key, f, value) }()
	c.misses.Add(1)
	v, err := fetch()
	if err != nil || v == nil {
		return err
	}
	c.put(segment.Entry{Key: key, Value: v})
	value = v
	return nil
}
