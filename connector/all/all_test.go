package all

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/bm25/analyze"
	"github.com/assay-eval/assay/connector/connectortest"
	"github.com/assay-eval/assay/connector/exact"
	"github.com/assay-eval/assay/internal/call"
	"github.com/assay-eval/assay/internal/option"
)

// settings that build each kind without a server.
var settings = map[string]map[string]any{
	"bm25": {}, "exact": {}, "fuse": {"of": []any{"a", "b"}},
	"qdrant":   {"collection": "docs", "text": "payload.text", "api_key": map[string]any{"env": "KEY"}, "params": map[string]any{"hnsw_ef": int64(64)}},
	"chroma":   {"collection": "docs"},
	"pgvector": {"table": "docs", "text": "body", "url": "postgres://localhost/x"},
	"http":     {"url": "http://localhost:9000/search", "body": `{"q": {{json .Query}}, "where": {{json .Filter}}, "v": {{json .Vector}}}`, "text": "/text"},
	"command":  {"command": []any{"sh", "-c", "cat"}},
}

func env() connector.Env {
	return connector.Env{Env: option.Env{Dir: ".", Lookup: func(name string) (string, bool) { return "k-123", name == "KEY" }}}
}

func TestEveryKindIsWhole(t *testing.T) {
	var names []string
	for _, k := range Kinds() {
		names = append(names, k.Name)
		if k.Help == "" || len(k.Options) == 0 || k.Capabilities == (assay.Capabilities{}) {
			t.Errorf("%s says too little of itself", k.Name)
		}
		seen := map[string]bool{}
		for _, o := range k.Options {
			if o.Help == "" || o.Name == "" || seen[o.Name] {
				t.Errorf("%s: option %q has no help, or stands twice", k.Name, o.Name)
			}
			seen[o.Name] = true
			if o.Required && o.Default != "" {
				t.Errorf("%s: option %s is required and has a default", k.Name, o.Name)
			}
		}
	}
	if d := cmp.Diff([]string{"bm25", "exact", "fuse", "qdrant", "chroma", "pgvector", "http", "command"}, names); d != "" {
		t.Error(d)
	}
}

// A kind's capabilities are those of what it builds.
func TestOpen(t *testing.T) {
	for _, k := range Kinds() {
		if problems := Kinds().Check(k.Name, settings[k.Name]); len(problems) > 0 {
			t.Errorf("%s: %v", k.Name, problems)
		}
		r, err := Kinds().Open(k.Name, settings[k.Name], env())
		if k.Embedded {
			if err == nil {
				t.Errorf("%s was opened alone", k.Name)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
			continue
		}
		d, ok := assay.As[assay.Describer](r)
		if !ok {
			t.Fatalf("%s does not describe itself", k.Name)
		}
		got := d.Capabilities()
		if k.Name == "http" { // this template uses a vector; others need none
			got.NeedsVector = false
		}
		if d := cmp.Diff(k.Capabilities, got); d != "" {
			t.Errorf("%s (-listed +built):\n%s", k.Name, d)
		}
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct {
		kind, option string
		values       map[string]any
		want         string
	}{
		{"qdrnat", "kind", nil, `no retriever is of kind "qdrnat"; did you mean "qdrant"?`},
		{"qdrant", "colection", map[string]any{"collection": "x", "colection": "x"}, `did you mean "collection"?`},
		{"qdrant", "api_key", map[string]any{"collection": "x", "api_key": "hunter2"}, "a secret may not be written"},
		{"bm25", "b", map[string]any{"b": 1.5}, "must be at most 1"},
		{"bm25", "analyzer", map[string]any{"analyzer": "englsh"}, `did you mean "english"?`},
		{"exact", "distance", map[string]any{"distance": "cosin"}, `did you mean "cosine"?`},
		{"fuse", "of", map[string]any{"of": []any{"a"}}, "at least two"},
		{"fuse", "of", map[string]any{"of": []any{"a", "a"}}, "twice"},
		{"fuse", "of", map[string]any{}, "is missing"},
		{"http", "body", map[string]any{"url": "http://h", "body": `{"q": "{{.Query}}"}`}, "{{json .Query}}"},
		{"command", "command", map[string]any{}, "is missing"},
		{"command", "comand", map[string]any{"command": "sh", "comand": "sh"}, `did you mean "command"?`},
	} {
		problems := Kinds().Check(c.kind, c.values)
		if len(problems) != 1 || problems[0].Option != c.option || !strings.Contains(problems[0].Err.Error(), c.want) {
			t.Errorf("%s %v: %v", c.kind, c.values, problems)
		}
		if k, err := Kinds().Kind(c.kind); err != nil || !k.Embedded {
			_, err := Kinds().Open(c.kind, c.values, env())
			if !errors.Is(err, assay.ErrUsage) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("open %s %v: %v", c.kind, c.values, err)
			}
		}
	}
}

func TestSettingsOfEmbeddedKinds(t *testing.T) {
	b, err := connector.Settings[BM25](map[string]any{"k1": 1.2}, option.Env{})
	if err != nil || b != (BM25{K1: 1.2, B: 0.4, Analyzer: "english"}) {
		t.Errorf("%+v, %v", b, err)
	}
	f, err := connector.Settings[Fuse](map[string]any{"of": []any{"a", "b"}}, option.Env{})
	if err != nil || f.K != 60 || f.Depth != 100 || f.Method != "rrf" || !slices.Equal(f.Of, []string{"a", "b"}) {
		t.Errorf("%+v, %v", f, err)
	}
}

// The help of the analyzer names every analyzer there is, and no other.
func TestAnalyzersAreNamed(t *testing.T) {
	i := slices.IndexFunc(option.Of(&BM25{}), func(o option.Option) bool { return o.Name == "analyzer" })
	_, list, _ := strings.Cut(option.Of(&BM25{})[i].Help, ": ")
	var named []string
	for _, w := range strings.FieldsFunc(list, func(r rune) bool { return r == ' ' || r == ',' || r == ';' }) {
		if slices.Contains(analyze.Names(), w) {
			named = append(named, w)
		}
	}
	slices.Sort(named)
	if d := cmp.Diff(analyze.Names(), named); d != "" {
		t.Errorf("(-there are +named):\n%s", d)
	}
	if languages, _, _ := strings.Cut(list, ", or the"); len(strings.Fields(languages)) != len(named)-1 { // "or", but neither cjk nor standard
		t.Errorf("%q names a language that there is no analyzer for", languages)
	}
}

// A command is found beside the configuration file, not beside whoever runs assay.
func TestCommandStartsBesideTheConfiguration(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/answer.sh", []byte("#!/bin/sh\nread -r line; echo '{\"hits\":[{\"id\":\"a\"}]}'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	e := env()
	e.Dir = dir
	r, err := Kinds().Open("command", map[string]any{"command": "./answer.sh"}, e)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := r.Search(t.Context(), assay.Request{Text: "x", K: 1})
	if err != nil || len(resp.Hits) != 1 {
		t.Errorf("%v, %v", resp, err)
	}
}

// The policy around a retriever changes nothing of its contract.
func TestContractUnderAPolicy(t *testing.T) {
	chunks := connectortest.Chunks()
	(&connectortest.Suite{
		Open: func(t *testing.T) assay.Retriever {
			index, err := exact.Build(t.Context(), func(yield func(assay.Chunk, error) bool) {
				for _, c := range chunks {
					if !yield(c, nil) {
						return
					}
				}
			}, exact.Config{Distance: connector.Cosine})
			if err != nil {
				t.Fatal(err)
			}
			return connector.Wrap(index, connector.Policy{Retry: call.Policy{Retries: 2}, Timeout: time.Minute, Concurrency: 2, Rate: 1e6})
		},
		Chunks: chunks, Distance: connector.Cosine,
	}).Run(t)
}
