package testset

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The columns of FormCSV. Those that a person reads stand first.
var csvColumns = []string{"id", "query", "relevant_chunk_id", "grade", "given", "judged_chunk_id", "document", "quote",
	"by", "who", "time", "note", "event", "tags", "filter", "weight", "source_document", "origin",
	"start", "end", "version", "before", "after", "text_hash", "scale"}

// csv writes a row for each pair.
func (e *exporter) csv(w *bufio.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(csvColumns); err != nil {
		return err
	}
	err := e.pairs(func(p *Pair) error {
		row, err := csvRow(p)
		if err != nil {
			return err
		}
		return out.Write(row)
	})
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	return err
}

func csvRow(p *Pair) ([]string, error) {
	cells := map[string]string{"query": p.Query, "relevant_chunk_id": idCell(p.Chunk), "judged_chunk_id": idCell(p.Judged), "scale": p.Scale,
		"event": string(p.Event), "by": string(p.By), "who": p.Who, "note": p.Note, "tags": tagsCell(p.Tags), "id": idCell(p.ID)}
	if p.ID == "" {
		cells["id"] = QueryID(p.Query, p.Filter)
	}
	if p.Grade != nil {
		cells["grade"] = strconv.Itoa(*p.Grade)
	}
	if p.Given != nil {
		cells["given"] = formatGrade(*p.Given)
	}
	if p.Time != nil {
		cells["time"] = p.Time.Format(time.RFC3339Nano)
	}
	if p.Filter != nil {
		cells["filter"] = p.Filter.String()
	}
	if p.Weight != 0 {
		cells["weight"] = formatGrade(p.Weight)
	}
	if t := p.Target; t != nil {
		cells["document"], cells["quote"], cells["version"], cells["before"], cells["after"] = t.Document, t.Quote, t.Version, t.Before, t.After
		if t.End > 0 {
			cells["start"], cells["end"] = strconv.Itoa(t.Start), strconv.Itoa(t.End)
		}
		if t.Chunk == or(p.Chunk, p.Judged) {
			cells["text_hash"] = t.TextHash // of the chunk that is named
		}
	}
	if p.Origin != nil {
		o := *p.Origin
		cells["source_document"], o.Document = o.Document, ""
		raw, err := json.Marshal(o)
		if err != nil {
			return nil, fmt.Errorf("origin of query %q: %w", p.ID, err)
		}
		if plain := `{"method":"` + importMethod + `"}`; string(raw) != plain {
			cells["origin"] = string(raw)
		}
	}
	row := make([]string, len(csvColumns))
	for i, name := range csvColumns {
		row[i] = cells[name]
	}
	return row, nil
}

// idCell is an id as import reads a cell: one that would lose blanks at its ends, or be taken for a list, is a list of one.
func idCell(id string) string {
	if id == strings.TrimSpace(id) && !(strings.HasPrefix(id, "[") && strings.HasSuffix(id, "]")) {
		return id
	}
	return listCell([]string{id})
}

// tagsCell joins tags with commas, or as a JSON array where one of them could not be told apart so.
func tagsCell(tags []string) string {
	plain := !slices.ContainsFunc(tags, func(t string) bool {
		return t == "" || t != strings.TrimSpace(t) || strings.ContainsAny(t, ",[")
	})
	switch {
	case len(tags) == 0:
		return ""
	case plain:
		return strings.Join(tags, ", ")
	}
	return listCell(tags)
}

func listCell(values []string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(values); err != nil {
		panic("testset: strings always marshal: " + err.Error())
	}
	return strings.TrimSpace(b.String())
}
