package project

import (
	"encoding/json"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonl"
	"github.com/assay-eval/assay/testset"
)

// plainLine is one query's ranking as a script writes it: the query by id or by text, and the hits best first, as ids or as
// objects with an id. It is what runs/<id>/results.jsonl holds as well.
type plainLine struct {
	Query   string          `json:"query"`
	Hits    []plainHit      `json:"hits"`
	Timings assay.Timings   `json:"timings_ms"`
	Error   json.RawMessage `json:"error"`
}

type plainHit struct {
	assay.RankedHit
	Text string `json:"text"`
}

// UnmarshalJSON takes an id alone, too.
func (h *plainHit) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &h.ID); err == nil {
		return nil
	}
	type plain plainHit // without this method
	if err := json.Unmarshal(data, (*plain)(h)); err != nil {
		return err
	}
	if h.ID == "" {
		return fmt.Errorf("a hit needs an id: \"c-17\" or {\"id\":\"c-17\"}")
	}
	return nil
}

// readPlain reads the rankings of a script. Queries are found by id or by their text; one that the test set does not have is
// kept and counted as such.
func readPlain(file string, set *testset.Set) ([]assay.Result, plainTexts, error) {
	byText := map[string]string{}
	for _, q := range set.Queries() {
		if _, twice := byText[q.Text]; twice {
			byText[q.Text] = "" // with one filter and with another: only its id says which
			continue
		}
		byText[q.Text] = q.ID
	}
	var out []assay.Result
	texts := plainTexts{}
	for rec, err := range jsonl.Read[plainLine](file) {
		if err != nil {
			return nil, nil, assay.WithHint(assay.Classify(err, assay.ErrUsage), `a line is {"query":"ID OR TEXT","hits":["ID", …]}`)
		}
		l := rec.Value
		if l.Query == "" || l.Hits == nil && len(l.Error) == 0 {
			return nil, nil, assay.WithHint(assay.Usagef("%s: no ranking: it needs query and hits", rec.Line.Where()),
				`a line is {"query":"ID OR TEXT","hits":["ID", …]}; a line of means alone cannot be compared query by query`)
		}
		r := assay.Result{Query: l.Query, Timings: l.Timings, Error: failure(l.Error)}
		if _, known := set.Query(l.Query); !known && byText[l.Query] != "" {
			r.Query = byText[l.Query]
		}
		for _, h := range l.Hits {
			if h.Text != "" && h.TextHash == "" {
				h.TextHash = assay.HashText(h.Text)
				texts[h.TextHash] = h.Text
			}
			r.Hits = append(r.Hits, h.RankedHit)
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		return nil, nil, assay.Usagef("%s holds no ranking", file)
	}
	return out, texts, nil
}

// failure is why a query has no ranking: null for none, a text, or what assay writes.
func failure(raw json.RawMessage) *assay.Failure {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	f := &assay.Failure{Kind: assay.KindInternal}
	if json.Unmarshal(raw, &f.Message) != nil && json.Unmarshal(raw, f) != nil {
		f.Message = string(raw)
	}
	return f
}

// plainTexts are the passages of a script's hits by hash.
type plainTexts map[string]string

// Text is the text of a hash.
func (t plainTexts) Text(hash string) (string, bool) {
	text, ok := t[hash]
	return text, ok
}
