// Command judge prepares the folder in which a local model judges 200 passages that people have judged: for 40 questions of
// Cranfield, the five short abstracts that BM25 ranks first, at least one of them in Cranfield's own list. judge.sh lets assay do the rest and prints its judge card; the
// table in docs/ground-truth.md is that, as it is.
//
//	. .parts/env; ASSAY_SHARED=../shared bench/judge/judge.sh
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/bm25"
)

const (
	questions = 40 // the first that have a listed passage
	depth     = 5  // passages of each
	maxWords  = 90 // of a passage, so that a small model on a slow machine gets through
	unlisted  = "0"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("judge: ")
	if len(os.Args) != 2 {
		log.Fatal("give the folder to write")
	}
	if err := prepare(filepath.Join(os.Getenv("ASSAY_SHARED"), "data", "cranfield"), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// prepare writes docs.jsonl, topics.tsv and qrels.txt.
func prepare(data, to string) error {
	docs, err := abstracts(data)
	if err != nil {
		return err
	}
	topics, err := topics(data)
	if err != nil {
		return err
	}
	codes, err := codes(data)
	if err != nil {
		return err
	}
	index, err := bm25.Build(context.Background(), each(docs), bm25.Default())
	if err != nil {
		return err
	}
	var corpus, queries, qrels strings.Builder
	for _, d := range docs {
		line, err := json.Marshal(map[string]string{"id": d.ID, "title": d.Title, "text": d.Text})
		if err != nil {
			return err
		}
		fmt.Fprintf(&corpus, "%s\n", line)
	}
	asked := 0
	for n, text := range topics {
		query := fmt.Sprint(n + 1)
		resp, err := index.Search(context.Background(), assay.Request{Text: text, K: depth})
		if err != nil {
			return err
		}
		if asked == questions || !slices.ContainsFunc(resp.Hits, func(h assay.Hit) bool { return codes[query+" "+h.ID] != "" }) {
			continue
		}
		asked++
		fmt.Fprintf(&queries, "%s\t%s\n", query, text)
		for _, h := range resp.Hits {
			fmt.Fprintf(&qrels, "%s 0 %s %s\n", query, h.ID, cmp.Or(codes[query+" "+h.ID], unlisted))
		}
	}
	for name, b := range map[string]*strings.Builder{"docs.jsonl": &corpus, "topics.tsv": &queries, "qrels.txt": &qrels} {
		if err := os.WriteFile(filepath.Join(to, name), []byte(b.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
