package connector

import (
	"math"
	"slices"

	"github.com/assay-eval/assay"
)

// Tidy holds a list that came from outside to the Retriever contract: repeats of an id are dropped in
// favour of its best place ("duplicate_id"), what is beyond k is cut ("list_cut"). A hit without an id
// or with a score that is not finite makes the answer unusable: KindMalformed.
func Tidy(resp *assay.Response, k int) error {
	seen := make(map[string]bool, len(resp.Hits))
	kept := resp.Hits[:0]
	repeats := 0
	for i, h := range resp.Hits {
		if h.ID == "" {
			return assay.Errorf(assay.KindMalformed, "search", "", "the hit at rank %d has no id", i+1)
		}
		if math.IsNaN(h.Score) || math.IsInf(h.Score, 0) {
			return assay.Errorf(assay.KindMalformed, "search", h.ID, "the score is not a finite number")
		}
		if seen[h.ID] {
			repeats++
			continue
		}
		seen[h.ID] = true
		kept = append(kept, h)
	}
	cut := max(0, len(kept)-k)
	resp.Hits = kept[:len(kept)-cut]
	AddNote(resp, "duplicate_id", repeats)
	AddNote(resp, "list_cut", cut)
	return nil
}

// RankScores replaces the scores by 1/rank, for a list that comes in order but without usable scores.
// They say nothing but the order.
func RankScores(hits []assay.Hit) {
	for i := range hits {
		hits[i].Score = 1 / float64(i+1)
	}
}

// AddNote adds to the count of a note; 0 adds nothing.
func AddNote(resp *assay.Response, code string, count int) {
	if count == 0 {
		return
	}
	for i := range resp.Notes {
		if resp.Notes[i].Code == code {
			resp.Notes[i].Count += count
			return
		}
	}
	resp.Notes = append(resp.Notes, assay.Note{Code: code, Count: count})
}

// CheckRequest refuses what no store can answer: a K below 1, and where a vector is needed none, or one
// that is not finite. The error is of KindInvalid.
func CheckRequest(req assay.Request, where string, needsVector bool) error {
	if req.K < 1 {
		return assay.Errorf(assay.KindInvalid, "search", where, "k is %d and must be at least 1", req.K)
	}
	if !needsVector {
		return nil
	}
	if len(req.Vector) == 0 {
		return assay.WithHint(assay.Errorf(assay.KindInvalid, "search", where, "a query vector is needed and there is none"),
			"give the system an embedding model: embed: NAME")
	}
	for i, x := range req.Vector {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return assay.Errorf(assay.KindInvalid, "search", where, "the query vector is not finite at position %d", i)
		}
	}
	return nil
}

// Untimed reports whether the time of a response's search is unknown and may not be filled in from outside, because a
// program was started in it.
func Untimed(resp assay.Response) bool {
	return slices.ContainsFunc(resp.Notes, func(n assay.Note) bool { return n.Code == assay.NoteProgramStarted })
}
