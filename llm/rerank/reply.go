package rerank

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/llm/internal/wire"
)

// reply is a reply in any of the forms in use: a bare list (text-embeddings-inference, SGLang, llama.cpp
// for texts), or an object that holds the list as results (Cohere, Jina, vLLM, llama.cpp, LocalAI, newer
// Infinity) or as data (Infinity 2, vLLM's /score).
type reply struct{ items []item }

type item struct {
	Index     *int        `json:"index"`
	Score     *rest.Float `json:"score"`
	Relevance *rest.Float `json:"relevance_score"`
}

// UnmarshalJSON finds the list.
func (r *reply) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		return json.Unmarshal(data, &r.items)
	}
	var object struct {
		Results *[]item         `json:"results"`
		Data    *[]item         `json:"data"`
		Error   json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return err
	}
	switch {
	case object.Results != nil:
		r.items = *object.Results
	case object.Data != nil:
		r.items = *object.Data
	case len(object.Error) > 0:
		return fmt.Errorf("the server reports: %.300s", object.Error)
	default:
		return errors.New("neither a list nor an object with results or data")
	}
	return nil
}

// scores puts the scores into the order of the n texts.
func (r *reply) scores(n int) ([]float64, error) {
	indices := make([]*int, len(r.items))
	for i := range r.items {
		indices[i] = r.items[i].Index
	}
	place, err := wire.Order(indices, n, false)
	if err != nil {
		return nil, fmt.Errorf("the scores cannot be matched to the texts: %w", err)
	}
	out := make([]float64, n)
	for i, it := range r.items {
		score := it.Relevance
		if score == nil {
			score = it.Score
		}
		if score == nil {
			return nil, fmt.Errorf("text %d has neither score nor relevance_score", place[i]+1)
		}
		out[place[i]] = float64(*score)
	}
	return out, nil
}
