package testset

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strconv"

	"github.com/assay-eval/assay"
)

// Version identifies what a test set says, for the fingerprint of a run: scores are comparable only at
// equal versions. The order of lines and events that no longer count do not change it.
type Version struct {
	Queries string `json:"queries"` // "sha256:…" over id, text, filter and weight of every query
	Labels  string `json:"labels"`  // "sha256:…" over what counts for the queries of the set
}

// Version hashes what counts. Tags, origin and the other remarks about a query are left out: to tag a
// query anew does not make old runs incomparable.
func (s *Set) Version() Version {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := make([]string, len(s.queries))
	for i := range s.queries {
		ids[i] = s.queries[i].ID
	}
	slices.Sort(ids)
	queries, labels := sha256.New(), sha256.New()
	for _, id := range ids {
		q := &s.queries[s.place[id]]
		hashLine(queries, q.ID, q.Text, q.Filter.String(), weight(q))
		d := s.decide(id)
		for i := range d.labels {
			hashTarget(labels, id, &d.labels[i].Target, strconv.Itoa(d.labels[i].Grade))
		}
		for i := range d.verdict.Broken {
			hashTarget(labels, id, &d.verdict.Broken[i], string(assay.EventBrokenText))
		}
		if d.verdict.BadQuery {
			hashLine(labels, id, string(assay.EventBadQuery))
		}
	}
	return Version{digest(queries), digest(labels)}
}

func digest(h hash.Hash) string { return "sha256:" + hex.EncodeToString(h.Sum(nil)) }

// hashLine adds fields, each after its length, which keeps them apart whatever they hold.
func hashLine(h hash.Hash, fields ...string) {
	for _, f := range fields {
		fmt.Fprintf(h, "%d:%s", len(f), f)
	}
	h.Write([]byte{'\n'})
}

// hashTarget adds what was said of a target, with everything of it that resolves hits.
func hashTarget(h hash.Hash, query string, t *assay.Target, word string) {
	hashLine(h, query, targetKey(t), t.Chunk, t.TextHash, t.Quote, word)
}

// weight renders a weight; 0 means 1.
func weight(q *assay.Query) string {
	if q.Weight == 0 {
		return "1"
	}
	return strconv.FormatFloat(q.Weight, 'g', -1, 64)
}
