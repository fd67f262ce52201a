package doctor_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/connectortest"
	"github.com/assay-eval/assay/connector/qdrant"
	"github.com/assay-eval/assay/doctor"
	"github.com/assay-eval/assay/internal/shared"
)

// recorded opens a collection over the recorded traffic of a real Qdrant 1.17.1. The old text of a reply is
// replaced by the new one where a state is planted that was not recorded.
func recorded(t *testing.T, s qdrant.Settings, change ...string) *doctor.System {
	t.Helper()
	var files []string
	for _, f := range []string{"server", "list", "scifact"} {
		files = append(files, shared.Dir(t, "fixtures", "qdrant", f+".jsonl"))
	}
	replay := connectortest.NewReplay(t, func(_ string, body map[string]any) {
		if body["with_vector"] == false {
			delete(body, "with_vector") // the default
		}
	}, files...)
	s.URL, s.Transport, s.Page = "http://qdrant.invalid:6333", &planted{t, replay, change}, 25
	c, err := qdrant.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return &doctor.System{Name: "q", Kind: "qdrant", Where: "assay.yaml:3", Store: c, K: 5,
		Fields: doctor.Fields{Text: s.Text, Prefix: "payload."}, Mend: doctor.Mend{URL: s.URL, Collection: s.Collection}}
}

type planted struct {
	t      *testing.T
	inner  http.RoundTripper
	change []string // old, new, old, new
}

func (p *planted) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := p.inner.RoundTrip(r)
	if err != nil || r.Method != http.MethodGet || !strings.HasPrefix(r.URL.Path, "/collections/") {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, body); err != nil {
		return nil, err
	}
	text := compact.String()
	for i := 0; i < len(p.change); i += 2 {
		if !strings.Contains(text, p.change[i]) {
			p.t.Errorf("the recorded reply does not hold %s", p.change[i])
		}
		text = strings.Replace(text, p.change[i], p.change[i+1], 1)
	}
	resp.Body = io.NopCloser(strings.NewReader(text))
	return resp, nil
}

func examineSystem(t *testing.T, s *doctor.System, set *doctor.Testset, check string) []doctor.Finding {
	t.Helper()
	r, err := doctor.Examine(t.Context(), &doctor.Setup{Systems: []*doctor.System{s}, Testset: set}, doctor.Options{Only: []string{check}})
	if err != nil {
		t.Fatal(err)
	}
	var out []doctor.Finding
	for _, f := range r.Findings {
		if f.Check == check {
			out = append(out, f)
		}
	}
	return out
}

func TestIndex(t *testing.T) {
	for name, c := range map[string]struct {
		settings qdrant.Settings
		change   []string
		want     want
	}{
		"small, without an index": {qdrant.Settings{Collection: "docs_v3"}, nil, want{status: doctor.OK, found: "ready: cosine, 65 chunks"}},
		"indexed":                 {qdrant.Settings{Collection: "scifact"}, nil, want{status: doctor.OK, found: "5183 chunks"}},
		"being built": {qdrant.Settings{Collection: "scifact"}, []string{`"status":"green"`, `"status":"yellow"`, `"indexed_vectors_count":5183`, `"indexed_vectors_count":5180`},
			want{doctor.Fault, "not_green", "yellow", "wait until"}},
		"optimizer waits": {qdrant.Settings{Collection: "scifact"}, []string{`"status":"green"`, `"status":"grey"`},
			want{doctor.Fault, "not_green", "grey", `curl -X PATCH http://qdrant.invalid:6333/collections/scifact -H 'Content-Type: application/json' -d '{"optimizers_config": {}}'`}},
		"switched off": {qdrant.Settings{Collection: "scifact"}, []string{`"indexing_threshold":100`, `"indexing_threshold":0`, `"indexed_vectors_count":5183`, `"indexed_vectors_count":0`},
			want{doctor.Fault, "no_index", "indexing is turned off", `{"optimizers_config": {"indexing_threshold": 10000}}`}},
		"half built": {qdrant.Settings{Collection: "scifact"}, []string{`"indexed_vectors_count":5183`, `"indexed_vectors_count":2000`},
			want{doctor.Fault, "index_unfinished", "2000 of 5183", "wait until"}},
		"updates wait": {qdrant.Settings{Collection: "scifact"}, []string{`"update_queue":{"length":0}`, `"update_queue":{"length":7}`},
			want{doctor.Fault, "updates_pending", "7 updates", "wait until"}},
		"without effect": {qdrant.Settings{Collection: "docs_v3", Params: map[string]any{"hnsw_ef": 64}}, nil,
			want{doctor.Warning, "ef_without_index", "hnsw_ef changes nothing", "leave params: out of systems.q.retriever"}},
		"strict": {qdrant.Settings{Collection: "strict"}, nil, want{doctor.Warning, "strict_mode", "refuses some requests", "keep k and params within"}},
	} {
		t.Run(name, func(t *testing.T) {
			found := examineSystem(t, recorded(t, c.settings, c.change...), nil, "index")
			if len(found) != 1 {
				t.Fatalf("%d findings: %+v", len(found), found)
			}
			c.want.check(t, found[0])
		})
	}
}

// asks is a test set of one query with a filter.
func asks(t *testing.T, filter string) *doctor.Testset {
	t.Helper()
	f, err := assay.ParseFilter([]byte(filter))
	if err != nil {
		t.Fatal(err)
	}
	return &doctor.Testset{Queries: []assay.Query{{ID: "q1", Text: "a question", Filter: f}}, Labels: func(string) []assay.Label { return nil }}
}

// The collection docs_v3 has payload indexes for lang (keyword, all points) and year (integer, one point without).
func TestFilters(t *testing.T) {
	docs := qdrant.Settings{Collection: "docs_v3", Text: "payload.text"}
	for name, c := range map[string]struct {
		filter string
		want   want
	}{
		"healthy":        {`{"field":"lang","eq":"de"}`, want{status: doctor.OK, found: "lang"}},
		"without index":  {`{"and":[{"field":"lang","eq":"de"},{"field":"draft","eq":true}]}`, want{doctor.Warning, "no_index", `"draft"`, `{"field_name": "draft", "field_schema": "bool"}`}},
		"of a list":      {`{"field":"tags","eq":"ops"}`, want{doctor.Warning, "no_index", `"tags"`, `"field_schema": "keyword"`}},
		"partly indexed": {`{"field":"year","gte":2020}`, want{doctor.Warning, "partly_indexed", "64 of 65 chunks", "set the field on every chunk"}},
		"another type":   {`{"field":"year","eq":"2021"}`, want{doctor.Fault, "wrong_type", `indexed as integer, and queries ask for the text "2021"`, "write the filter's value as integer"}},
		"no such field":  {`{"not":{"field":"language","eq":"de"}}`, want{doctor.Fault, "no_such_field", `no chunk has the field "language"`, "correct the field"}},
	} {
		t.Run(name, func(t *testing.T) {
			found := examineSystem(t, recorded(t, docs), asks(t, c.filter), "filters")
			if len(found) != 1 {
				t.Fatalf("%d findings: %+v", len(found), found)
			}
			c.want.check(t, found[0])
		})
	}
	found := examineSystem(t, recorded(t, docs), nil, "filters")
	want{status: doctor.NotChecked, found: "no query of the test set has a filter"}.check(t, found[0])
}

func TestTextOfQdrant(t *testing.T) {
	for field, w := range map[string]want{
		"payload.text": {doctor.Warning, "some_empty", "1 of 65 chunks have no text", "re-ingest"}, // as it was recorded
		"":             {doctor.Fault, "no_text", "no text: names the field", "text: payload.text (in systems.q.retriever)"},
		"payload.txt":  {doctor.Fault, "no_text", `under "payload.txt"`, "text: payload.text"},
	} {
		found := examineSystem(t, recorded(t, qdrant.Settings{Collection: "docs_v3", Text: field}), nil, "text")
		w.check(t, found[0])
	}
}

func TestIDs(t *testing.T) {
	for key, w := range map[string]want{
		"payload.chunk_id": {status: doctor.OK, found: "65 keys, each once"},
		"payload.path":     {doctor.Fault, "shared_key", "are those of several chunks", "leave key: out of systems.q.retriever"},
	} {
		found := examineSystem(t, recorded(t, qdrant.Settings{Collection: "docs_v3", Key: key}), nil, "ids")
		w.check(t, found[0])
	}
	// Chroma's own ids are unique: the key of a field is not.
	two := handbook()
	for i := range two {
		two[i].metadata["n"] = max(i, 1) // the first two share theirs
	}
	r := examine(t, chromaSystem(t, collection(t, "cosine", two), ", key: metadata.n"), doctor.Options{Only: []string{"ids"}})
	want{doctor.Fault, "shared_key", "1 key is that of several chunks: 1", "leave key: out"}.check(t, finding(t, r, "ids", "system live"))
}
