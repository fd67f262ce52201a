package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/all"
	"github.com/assay-eval/assay/internal/call"
	"github.com/assay-eval/assay/ledger"
	"github.com/assay-eval/assay/pipeline"
	"github.com/assay-eval/assay/runner"
)

func queries(n int) iter.Seq[assay.Query] {
	return func(yield func(assay.Query) bool) {
		for i := 0; i < n && yield(assay.Query{ID: fmt.Sprintf("q-%016x", i), Text: fmt.Sprintf("what does word%d say about word%d", i, i%17)}); i++ {
		}
	}
}

// bare sends n searches with nothing around them: the same requests on the same kind of connections, each
// reply read to its end and thrown away.
func bare(url string, workers, n int) (cost, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = workers
	client := &http.Client{Transport: transport}
	defer client.CloseIdleConnections()
	todo := make(chan string)
	fail := make(chan error, workers)
	return timed(func() error {
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				for q := range todo {
					resp, err := client.Post(url, "application/json", bytes.NewReader(body(q)))
					if err == nil {
						_, err = io.Copy(io.Discard, resp.Body)
						resp.Body.Close()
					}
					if err != nil {
						fail <- err
						return
					}
				}
			})
		}
		for q := range queries(n) {
			select {
			case todo <- q.Text:
			case err := <-fail:
				return err
			}
		}
		close(todo)
		wg.Wait()
		return nil
	})
}

// ours sends n searches as `assay run` does: template, policy, pipeline, checks, every result on disk with
// the texts of its hits.
func ours(url string, workers, n int) (cost, error) {
	dir, err := os.MkdirTemp("", "runloop")
	if err != nil {
		return cost{}, err
	}
	defer os.RemoveAll(dir)
	run, lock, err := ledger.OpenStore(dir).Create(ledger.RunInfo{System: "app", K: depth})
	if err != nil {
		return cost{}, err
	}
	defer lock.Close()
	retriever, err := all.Kinds().Open("http", map[string]any{"url": url, "body": `{"q": {{json .Query}}, "k": {{.K}}}`, "hits": "/hits"},
		connector.Env{Retry: call.Policy{Retries: 2}})
	if err != nil {
		return cost{}, err
	}
	w, err := run.Writer()
	if err != nil {
		return cost{}, err
	}
	took, err := timed(func() error {
		sum, err := runner.Run(context.Background(), runner.Options{
			System: &pipeline.System{Name: "app", Retriever: retriever, K: depth}, K: depth, Queries: queries(n), Total: n, Workers: workers,
			Keep: func(res assay.Result, hits []assay.Hit) error {
				texts := make([]ledger.Passage, len(res.Hits))
				for i, h := range res.Hits {
					texts[i] = ledger.Passage{Hash: h.TextHash, Text: hits[i].Text}
				}
				return w.Write(res, texts)
			},
		})
		if err == nil && sum.Failed > 0 {
			err = fmt.Errorf("%d of %d searches failed", sum.Failed, n)
		}
		return err
	})
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	return took, err
}
