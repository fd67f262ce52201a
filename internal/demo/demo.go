// Package demo holds a small handbook and sixty questions about it: enough to see the whole loop without
// any server. The documents were written for assay, about a product that does not exist. The questions
// were written by hand; half of them use the words of the handbook, half use others, because that is
// where lexical search fails.
package demo

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
)

//go:embed docs questions.jsonl assay.yaml
var files embed.FS

// Docs are the documents, as a tree of Markdown files.
func Docs() fs.FS {
	sub, err := fs.Sub(files, "docs")
	if err != nil {
		panic(err) // the tree is compiled in
	}
	return sub
}

// Config is the assay.yaml of the demo project.
func Config() []byte {
	data, err := files.ReadFile("assay.yaml")
	if err != nil {
		panic(err) // the file is compiled in
	}
	return data
}

// Place is a quote in a document.
type Place struct {
	Document string `json:"document"`
	Quote    string `json:"quote"`
}

// Question is a query with the text that answers it.
type Question struct {
	Query    string   `json:"query"`
	Tags     []string `json:"tags"`
	Relevant []Place  `json:"relevant"`
}

// Questions are the demo's queries.
func Questions() ([]Question, error) {
	data, err := files.ReadFile("questions.jsonl")
	if err != nil {
		return nil, err
	}
	var out []Question
	scan := bufio.NewScanner(bytes.NewReader(data))
	for scan.Scan() {
		var q Question
		if err := json.Unmarshal(scan.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("questions.jsonl:%d: %w", len(out)+1, err)
		}
		out = append(out, q)
	}
	return out, scan.Err()
}
