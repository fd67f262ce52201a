package report

import (
	"strconv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/compare"
)

// movesOf are queries with both rankings side by side.
func movesOf(moves []compare.Move, a, b, measure string) []Block {
	var out []Block
	for i := range moves {
		m := &moves[i]
		q := &Query{ID: m.Query, Text: m.Text, Tags: m.Tags, Facts: []Fact{
			{measure, String(Score(m.A, nil).String() + " → " + Score(m.B, nil).String())}, {"first relevant rank", String(rankOf(m.FirstA) + " → " + rankOf(m.FirstB))},
		}}
		for _, g := range m.Gold {
			q.Gold = append(q.Gold, Gold{Text: g, Found: Untold})
		}
		q.Rankings = []Ranking{rankingOf(a, &m.RankingA), rankingOf(b, &m.RankingB)}
		out = append(out, q)
	}
	return out
}

// rankOf is a rank, 0 being none.
func rankOf(n int) string {
	if n == 0 {
		return "none"
	}
	return strconv.Itoa(n)
}

func rankingOf(system string, r *compare.Ranking) Ranking {
	out := Ranking{System: system, Omitted: r.Omitted, Missed: r.Missed}
	for i, h := range r.Hits {
		out.Hits = append(out.Hits, Hit{Rank: i + 1, ID: h.ID, Document: h.Document, Text: h.Text, Cut: h.Cut, Judged: h.Judged, Grade: h.Grade, Repeat: h.Repeat})
	}
	return out
}

// warningsOf is a block of warnings, none without any.
func warningsOf(w []assay.Warning) []Block {
	if len(w) == 0 {
		return nil
	}
	return []Block{Warnings(w)}
}
