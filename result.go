package assay

import (
	"encoding/json"
	"time"
)

// Timings holds the time spent in each stage of one query; a stage that did not happen is 0. Retries
// and waits for a rate limit are not part of any stage.
type Timings struct {
	Embed  time.Duration
	Search time.Duration
	Fuse   time.Duration
	Rerank time.Duration
	Total  time.Duration
}

// Stage is one named duration of a Timings.
type Stage struct {
	Name string
	Time time.Duration
}

// Stages lists the stages in the order of the pipeline, Total last, including those that are 0.
func (t Timings) Stages() []Stage {
	return []Stage{{"embed", t.Embed}, {"search", t.Search}, {"fuse", t.Fuse}, {"rerank", t.Rerank}, {"total", t.Total}}
}

type timingsJSON struct {
	Embed  float64 `json:"embed,omitempty"`
	Search float64 `json:"search,omitempty"`
	Fuse   float64 `json:"fuse,omitempty"`
	Rerank float64 `json:"rerank,omitempty"`
	Total  float64 `json:"total,omitempty"`
}

// MarshalJSON writes milliseconds; stages that did not happen are left out.
func (t Timings) MarshalJSON() ([]byte, error) {
	return json.Marshal(timingsJSON{Millis(t.Embed), Millis(t.Search), Millis(t.Fuse), Millis(t.Rerank), Millis(t.Total)})
}

// UnmarshalJSON reads milliseconds.
func (t *Timings) UnmarshalJSON(data []byte) error {
	var v timingsJSON
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	d := func(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
	*t = Timings{d(v.Embed), d(v.Search), d(v.Fuse), d(v.Rerank), d(v.Total)}
	return nil
}

// Millis is d in milliseconds, rounded to the microsecond so that files stay short.
func Millis(d time.Duration) float64 {
	return float64(d.Round(time.Microsecond)) / float64(time.Millisecond)
}

// RankedHit is a hit as a run keeps it: the text is stored once, by hash, beside the rankings.
type RankedHit struct {
	ID       string  `json:"id"`
	Score    float64 `json:"score"`
	Document string  `json:"document,omitempty"`
	Start    *int    `json:"start,omitempty"`
	End      *int    `json:"end,omitempty"`
	TextHash string  `json:"text_hash,omitempty"`
}

// Span is the hit's place in its document, and whether it is known.
func (h *RankedHit) Span() (Span, bool) {
	if h.Document == "" || h.Start == nil || h.End == nil {
		return Span{}, false
	}
	return Span{*h.Start, *h.End}, true
}

// Result is what one system answered to one query: a ranking, best first, or a failure. A failed query
// is neither a zero nor missing.
type Result struct {
	Query    string      `json:"query"`
	Hits     []RankedHit `json:"hits"`
	Timings  Timings     `json:"timings_ms"`
	Attempts int         `json:"attempts,omitempty"` // calls made, the successful one included
	Notes    []Note      `json:"notes,omitempty"`
	Error    *Failure    `json:"error"`
}

// Failure is why a query has no ranking.
type Failure struct {
	Kind    Kind   `json:"kind"`
	Message string `json:"message"`
}

// Warning is a doubt about a number. It travels with the number and every renderer prints it.
type Warning struct {
	Code string `json:"code"` // stable, snake_case
	Text string `json:"text"`
}

// WarnUncalibratedJudge is the code of the warning on numbers that rest on the labels of a language model which was not
// measured against people, or was found wanting. Such numbers are shown with the warning beside each of them, and pass no
// gate.
const WarnUncalibratedJudge = "uncalibrated_judge"

// EnoughJudged is the least judged@k of every system at which one may be called better than another on labels that
// were pooled: below it the holes decide.
const EnoughJudged = 0.95
