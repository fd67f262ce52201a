package main

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-eval/assay"
)

// abstracts are the short documents, without the title that stands at the head of each text.
func abstracts(data string) ([]assay.Chunk, error) {
	raw, err := os.ReadFile(filepath.Join(data, "cran.all.1400"))
	if err != nil {
		return nil, err
	}
	var out []assay.Chunk
	for _, doc := range strings.Split("\n"+string(raw), "\n.I ")[1:] {
		id, rest, _ := strings.Cut(doc, "\n.T\n")
		title, rest, _ := strings.Cut(rest, "\n.A\n")
		_, text, _ := strings.Cut(rest, "\n.W")
		title, text = oneLine(title), oneLine(text)
		text = strings.TrimSpace(strings.TrimPrefix(text, title))
		if n := len(strings.Fields(text)); n > 0 && n <= maxWords {
			out = append(out, assay.Chunk{ID: strings.TrimSpace(id), Title: title, Text: text})
		}
	}
	return out, nil
}

// topics are the texts of the queries, which are known by their place and not by the number in the file.
func topics(data string) ([]string, error) {
	raw, err := os.ReadFile(filepath.Join(data, "cran.qry"))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, q := range strings.Split("\n"+strings.ReplaceAll(string(raw), "\r", ""), "\n.I ")[1:] {
		_, text, _ := strings.Cut(q, "\n.W\n")
		out = append(out, oneLine(text))
	}
	return out, nil
}

// codes are Cranfield's, 1 for a complete answer to 4 for minimal interest, by query and document.
func codes(data string) (map[string]string, error) {
	raw, err := os.ReadFile(filepath.Join(data, "cran.qrels.trec-format"))
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for line := range strings.Lines(string(raw)) {
		var query, zero, doc, code string
		if _, err := fmt.Sscan(line, &query, &zero, &doc, &code); err != nil {
			return nil, fmt.Errorf("cran.qrels.trec-format: %q: %w", line, err)
		}
		out[query+" "+doc] = code
	}
	return out, nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func each(chunks []assay.Chunk) iter.Seq2[assay.Chunk, error] {
	return func(yield func(assay.Chunk, error) bool) {
		for _, c := range chunks {
			if !yield(c, nil) {
				return
			}
		}
	}
}
