package testset

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"slices"

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
			hashLine(labels, id, hashedTarget(&d.labels[i].Target), d.labels[i].Grade)
		}
		for i := range d.verdict.Broken {
			hashLine(labels, id, hashedTarget(&d.verdict.Broken[i]), assay.EventBrokenText)
		}
		if d.verdict.BadQuery {
			hashLine(labels, id, assay.EventBadQuery)
		}
	}
	return Version{digest(queries), digest(labels)}
}

func digest(h hash.Hash) string { return "sha256:" + hex.EncodeToString(h.Sum(nil)) }

// hashLine adds fields as one JSON array, which keeps them apart whatever they hold.
func hashLine(h hash.Hash, fields ...any) {
	line, err := json.Marshal(fields)
	if err != nil {
		panic("testset: strings and numbers always marshal: " + err.Error())
	}
	h.Write(line)
	h.Write([]byte{'\n'})
}

// hashedTarget is everything of a target that resolves hits.
func hashedTarget(t *assay.Target) [4]string {
	return [4]string{targetKey(t), t.Chunk, t.TextHash, t.Quote}
}

// weight reads 0 as the 1 it means.
func weight(q *assay.Query) float64 {
	if q.Weight == 0 {
		return 1
	}
	return q.Weight
}
