package runner

import "github.com/assay-eval/assay"

// Result is a response or an error as a run keeps it.
func Result(query string, resp assay.Response, err error) assay.Result {
	res := assay.Result{Query: query, Hits: []assay.RankedHit{}}
	if err != nil {
		res.Error = &assay.Failure{Kind: assay.KindOf(err), Message: err.Error()}
		return res
	}
	res.Timings, res.Notes = resp.Timings, resp.Notes
	res.Hits = make([]assay.RankedHit, len(resp.Hits))
	for i, h := range resp.Hits {
		res.Hits[i] = assay.RankedHit{ID: h.ID, Score: h.Score, Document: h.Document}
		if h.Span != nil {
			res.Hits[i].Start, res.Hits[i].End = &h.Span.Start, &h.Span.End
		}
		if h.Text != "" {
			res.Hits[i].TextHash = assay.HashText(h.Text)
		}
	}
	return res
}
