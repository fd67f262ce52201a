// Package reply reads the hits out of a decoded JSON reply of a service that is not ours, by JSON
// pointers. It is shared by the services behind HTTP and those behind a command.
package reply

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/internal/pointer"
)

// Form says where the parts of a hit lie, seen from the hit. Given marks the parts that somebody asked for
// by name: only their absence is worth a note.
type Form struct {
	ID, Score, Text, Title, Document, Start, End, Metadata Part
	Ascending                                              bool // lower scores are better
}

// Part is one part of a hit. An unset part is not looked for.
type Part struct {
	Pointer pointer.Pointer
	Set     bool
	Given   bool
}

// At makes a part that is looked for, and missed only when given.
func At(text string, given bool) (Part, error) {
	p, err := pointer.Parse(text)
	return Part{p, true, given}, err
}

// Read makes a response of at most k hits from a list.
//
// The order of the list is the service's answer, since it is the order in which a user gets the texts.
// Scores have to agree with it: when a hit has none ("score_missing"), or when they rise along the list
// ("unsorted"), all are replaced by 1/rank. Repeated ids and hits beyond k are dropped and counted.
// The error is what is wrong with the list.
func (f Form) Read(list []any, k int) (assay.Response, error) {
	resp := assay.Response{Hits: make([]assay.Hit, 0, len(list))}
	missing := 0
	for i, item := range list {
		h, scored, err := f.hit(item, &resp)
		if err != nil {
			return assay.Response{}, fmt.Errorf("hit %d: %w", i+1, err)
		}
		if !scored {
			missing++
		}
		resp.Hits = append(resp.Hits, h)
	}
	if missing > 0 && (f.Score.Given || missing < len(list)) {
		connector.AddNote(&resp, "score_missing", missing)
	}
	rises := 0
	for i := 1; i < len(resp.Hits) && missing == 0; i++ {
		if resp.Hits[i].Score > resp.Hits[i-1].Score {
			rises++
		}
	}
	connector.AddNote(&resp, "unsorted", rises)
	if missing+rises > 0 {
		connector.RankScores(resp.Hits)
	}
	return resp, connector.Tidy(&resp, k)
}

func (f Form) hit(item any, resp *assay.Response) (h assay.Hit, scored bool, err error) {
	id, err := f.ID.Pointer.Get(item)
	if err != nil {
		return h, false, fmt.Errorf("it has no id: %w", err)
	}
	if h.ID, err = key(id); err != nil {
		return h, false, fmt.Errorf("its id, at %q, is %w", f.ID.Pointer, err)
	}
	if h.Score, scored, err = f.score(item); err != nil {
		return h, false, err
	}
	for _, p := range []struct {
		part Part
		to   *string
		name string
	}{{f.Text, &h.Text, "text"}, {f.Title, &h.Title, "title"}, {f.Document, &h.Document, "document"}} {
		v, ok := p.part.find(item)
		if !ok {
			if p.part.Given && p.name == "text" {
				connector.AddNote(resp, "text_missing", 1)
			}
			continue
		}
		if *p.to, err = key(v); err != nil {
			return h, false, fmt.Errorf("its %s, at %q, is %w", p.name, p.part.Pointer, err)
		}
	}
	var valid bool
	if h.Span, valid = f.span(item); !valid {
		connector.AddNote(resp, "span_invalid", 1)
	}
	if v, ok := f.Metadata.find(item); ok {
		m, isMap := v.(map[string]any)
		if !isMap {
			return h, false, fmt.Errorf("its metadata, at %q, is %s and not an object", f.Metadata.Pointer, pointer.Type(v))
		}
		h.Metadata = connector.Normalize(m)
	}
	return h, scored, nil
}

func (p Part) find(item any) (any, bool) {
	if !p.Set {
		return nil, false
	}
	return p.Pointer.Find(item)
}

// key reads text, or a number by its digits.
func key(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	}
	return "", fmt.Errorf("%s and not text", pointer.Type(v))
}

func (f Form) score(item any) (float64, bool, error) {
	v, ok := f.Score.find(item)
	if !ok {
		return 0, false, nil
	}
	n, isNumber := v.(json.Number)
	if !isNumber {
		return 0, false, fmt.Errorf("its score, at %q, is %s and not a number", f.Score.Pointer, pointer.Type(v))
	}
	x, err := n.Float64()
	if err != nil || math.IsInf(x, 0) {
		return 0, false, fmt.Errorf("its score %s is not a finite number", n)
	}
	if f.Ascending {
		x = -x
	}
	if x == 0 {
		x = 0 // not -0, which JSON and people would see
	}
	return x, true, nil
}

func (f Form) span(item any) (*assay.Span, bool) {
	start, okStart := f.Start.find(item)
	end, okEnd := f.End.find(item)
	if !okStart && !okEnd {
		return nil, true
	}
	from, ok1 := assay.NormalizeValue(start).(int64)
	to, ok2 := assay.NormalizeValue(end).(int64)
	if !ok1 || !ok2 || from < 0 || from > to {
		return nil, false
	}
	return &assay.Span{Start: int(from), End: int(to)}, true
}
