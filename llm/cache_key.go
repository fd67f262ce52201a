package llm

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"hash"
	"maps"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm/internal/segment"
)

// keyVersion is part of every key; change it when the meaning of an entry changes, and old entries are
// simply never asked for again.
const keyVersion = "assay/llm/1"

// keyHash builds a key out of fields, each with its length before it, so that no two different lists of
// fields have the same bytes.
type keyHash struct{ h hash.Hash }

// modelKey is what identifies a model in a key: its digest together with the server's product and version
// and the client's settings (Identity.Details), since versions of one server have computed different
// vectors from the same weights; the tag, which moves, only where there is no digest. Secrets are no part
// of an Identity and so never of a key.
type modelKey []byte

func newModelKey(id assay.Identity) modelKey {
	if id.Digest != "" {
		id.Model = ""
	}
	id.Details = maps.Clone(id.Details)
	delete(id.Details, "structured_output") // known only after the first call, and then fixed by the rest
	b, err := json.Marshal(id)              // map keys come out sorted
	if err != nil {
		panic("an identity is plain text: " + err.Error())
	}
	return b
}

// newKey starts the key of a call to an endpoint.
func newKey(endpoint string, model modelKey) keyHash {
	return keyHash{sha256.New()}.text(keyVersion).text(endpoint).bytes(model)
}

func (k keyHash) bytes(b []byte) keyHash {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(len(b)))
	k.h.Write(n[:])
	k.h.Write(b)
	return k
}

func (k keyHash) text(s string) keyHash { return k.bytes([]byte(s)) }

func (k keyHash) number(n uint64) keyHash {
	return k.bytes(binary.LittleEndian.AppendUint64(nil, n))
}

func (k keyHash) sum() segment.Key { return segment.Key(k.h.Sum(nil)) }

// embedKey is the key of one text's vector.
func embedKey(model modelKey, role assay.Role, text string) segment.Key {
	return newKey("embed", model).text(string(role)).text(text).sum()
}

// chatKey is the key of a completion.
func chatKey(model modelKey, req assay.ChatRequest) segment.Key {
	k := newKey("chat", model).number(uint64(len(req.Messages)))
	for _, m := range req.Messages {
		k.text(m.Role).text(m.Text)
	}
	schema := bytes.NewBuffer(nil)
	if len(req.Schema) > 0 && json.Compact(schema, req.Schema) != nil {
		schema = bytes.NewBuffer(req.Schema)
	}
	k.bytes(schema.Bytes())
	k.number(uint64(req.MaxTokens)).number(math.Float64bits(req.Temperature)).number(req.Seed).number(uint64(req.TopLogprobs))
	k.number(uint64(len(req.Stop)))
	for _, s := range req.Stop {
		k.text(s)
	}
	return k.sum()
}

// rerankKey is the key of a whole list: some rerankers look at the texts together.
func rerankKey(model modelKey, query string, texts []string) segment.Key {
	k := newKey("rerank", model).text(query).number(uint64(len(texts)))
	for _, t := range texts {
		k.text(t)
	}
	return k.sum()
}
