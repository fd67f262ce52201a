package pgvector

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/assay-eval/assay"
)

// indexed fills a table of 3,000 rows with an HNSW index on it, in which one row of a hundred is of kind rare.
func indexed(t *testing.T) (string, *pgx.Conn) {
	t.Helper()
	url, conn := database(t)
	run(t, conn, "create table chunks (id bigint primary key, body text, kind text, embedding vector(8))")
	rng := rand.New(rand.NewPCG(5, 6))
	var rows [][]any
	for i := range 3000 {
		v := make([]float32, 8)
		for j := range v {
			v[j] = float32(rng.NormFloat64())
		}
		kind := "common"
		if i%100 == 0 {
			kind = "rare"
		}
		rows = append(rows, []any{int64(i), fmt.Sprint("text ", i), kind, literal(v)})
	}
	run(t, conn, "create temp table staged (id bigint, body text, kind text, v text)")
	if _, err := conn.CopyFrom(t.Context(), pgx.Identifier{"staged"}, []string{"id", "body", "kind", "v"}, pgx.CopyFromRows(rows)); err != nil {
		t.Fatal(err)
	}
	run(t, conn, "insert into chunks select id, body, kind, v::vector from staged")
	run(t, conn, "create index by_cosine on chunks using hnsw (embedding vector_cosine_ops) with (m = 8, ef_construction = 32)")
	run(t, conn, "analyze chunks")
	return url, conn
}

var eight = []float32{1, -2, 0.5, 0.25, -1, 0, 3, 1}

func search(t *testing.T, f func(*Table) (assay.Response, error), table *Table) []assay.Hit {
	t.Helper()
	resp, err := f(table)
	if err != nil {
		t.Fatal(err)
	}
	return resp.Hits
}

// An HNSW index looks at hnsw.ef_search rows and filters them afterwards: pgvector before 0.8 has no other way. The list is
// short then, and it is what the application gets; the exact search says what is missing.
func TestShortListsUnderFilterStayShort(t *testing.T) {
	url, _ := indexed(t)
	table := open(t, Settings{URL: url, Table: "chunks", Text: "body"})
	req := assay.Request{Vector: eight, K: 10, Filter: &assay.Filter{Field: "kind", Eq: "rare"}}
	approximate := search(t, func(x *Table) (assay.Response, error) { return x.Search(t.Context(), req) }, table)
	exact := search(t, func(x *Table) (assay.Response, error) { return x.SearchExact(t.Context(), req) }, table)
	if len(approximate) >= 10 || len(exact) != 10 {
		t.Errorf("%d approximate hits and %d exact ones, want fewer than 10 and 10", len(approximate), len(exact))
	}
	if n, err := table.Count(t.Context(), req.Filter); err != nil || n != 30 {
		t.Errorf("%d, %v", n, err)
	}
}

// The settings of a search hold for it, and for nothing after it in the same session.
func TestParams(t *testing.T) {
	url, _ := indexed(t)
	req := assay.Request{Vector: eight, K: 100}
	plain := open(t, Settings{URL: url, Table: "chunks"})
	wide := open(t, Settings{URL: url, Table: "chunks", Params: map[string]any{"hnsw.ef_search": int64(200)}})
	hits := func(x *Table) []assay.Hit {
		return search(t, func(x *Table) (assay.Response, error) { return x.Search(t.Context(), req) }, x)
	}
	if n := len(hits(plain)); n != 40 { // the default of hnsw.ef_search, which caps the list
		t.Errorf("%d hits by default", n)
	}
	if n := len(hits(wide)); n != 100 {
		t.Errorf("%d hits with ef_search 200", n)
	}
	value := ""
	if err := wide.scan(t.Context(), query{sql: "select current_setting('hnsw.ef_search')"}, func(r pgx.Rows) error { return r.Scan(&value) }); err != nil || value != "40" {
		t.Errorf("afterwards it is %s, %v", value, err)
	}
	// Every row is compared, whatever the params: no cap.
	exact := search(t, func(x *Table) (assay.Response, error) { return x.SearchExact(t.Context(), req) }, plain)
	if len(exact) != 100 {
		t.Errorf("%d exact hits", len(exact))
	}
}

// Postgres takes a setting that the extension does not know without a word, and without effect.
func TestUnknownParams(t *testing.T) {
	url, _ := indexed(t)
	table := open(t, Settings{URL: url, Table: "chunks", Params: map[string]any{"hnsw.iterative_scan": "strict_order"}})
	_, err := table.Search(t.Context(), assay.Request{Vector: eight, K: 1})
	if assay.KindOf(err) != assay.KindInvalid || !strings.Contains(err.Error(), "pgvector 0.6.2 has no setting hnsw.iterative_scan") {
		t.Errorf("%v", err)
	}
	table = open(t, Settings{URL: url, Table: "chunks", Params: map[string]any{"hnsw.ef_search": int64(100000)}})
	_, err = table.Search(t.Context(), assay.Request{Vector: eight, K: 1})
	if assay.KindOf(err) != assay.KindInvalid || !strings.Contains(err.Error(), "hnsw.ef_search") {
		t.Errorf("%v", err)
	}
	problems := Settings{URL: "postgres://h/d", Table: "x", Params: map[string]any{"hnsw.efsearch": 1, "work_mem": "1GB", "hnsw.ef_search": []any{1}}}.Check()
	if len(problems) != 3 || !strings.Contains(problems[1].Error(), `did you mean "hnsw.ef_search"?`) {
		t.Errorf("%v", problems)
	}
}

func TestInspect(t *testing.T) {
	url, conn := indexed(t)
	run(t, conn, "insert into chunks values (9000, 'no vector', 'common', null)")
	codes := func(s Settings) []string {
		s.URL, s.Table = url, "chunks"
		i, err := open(t, s).Inspect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, w := range i.Warnings {
			out = append(out, w.Code)
		}
		if i.Ready != !slices.Contains(out, "index_invalid") {
			t.Errorf("ready %v with %v", i.Ready, out)
		}
		return out
	}
	i, err := open(t, Settings{URL: url, Table: "chunks", Params: map[string]any{"hnsw.ef_search": int64(77)}}).Inspect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"hnsw": map[string]any{"class": "vector_cosine_ops", "m": "8", "ef_construction": "32"}, "search": map[string]any{"hnsw.ef_search": "77"}}
	if d := cmp.Diff(want, i.Config["index_params"]); d != "" || i.Count != 3000 || i.Dimension != 8 || i.Distance != "cosine" || i.Server != "PostgreSQL 16.2, pgvector 0.6.2" {
		t.Errorf("%s%+v", d, i)
	}
	if d := cmp.Diff([]string{"vector_missing"}, codes(Settings{})); d != "" {
		t.Error(d)
	}
	// Compared by what the index does not serve: right, slow, and most likely a mistake in the configuration.
	if d := cmp.Diff([]string{"index_not_used", "vector_missing"}, codes(Settings{Distance: "euclid"})); d != "" {
		t.Error(d)
	}
	run(t, conn, "create index by_l2 on chunks using ivfflat (embedding vector_l2_ops) with (lists = 3)")
	if d := cmp.Diff([]string{"indexes_differ", "vector_missing"}, codes(Settings{Distance: "euclid"})); d != "" {
		t.Error(d)
	}
	run(t, conn, "update pg_index set indisvalid = false where indexrelid = 'by_cosine'::regclass") // as a build that failed does
	if d := cmp.Diff([]string{"index_invalid", "vector_missing"}, codes(Settings{Distance: "euclid"})); d != "" {
		t.Error(d)
	}
	// Without a word on distance, it is that of the index that can be used.
	if i, err := open(t, Settings{URL: url, Table: "chunks"}).Inspect(t.Context()); err != nil || i.Distance != "euclid" {
		t.Errorf("%s, %v", i.Distance, err)
	}
}

// A row without a vector is found by no search, is in no listing, and is not counted.
func TestRowsWithoutVector(t *testing.T) {
	url, conn := database(t)
	run(t, conn, "create table few (id uuid primary key default gen_random_uuid(), embedding vector(2))")
	run(t, conn, "insert into few (embedding) values ('[1,0]'), ('[0,1]'), (null), ('[0,0]')")
	table := open(t, Settings{URL: url, Table: "few"})
	resp, err := table.Search(t.Context(), assay.Request{Vector: []float32{1, 0}, K: 10})
	if err != nil || len(resp.Hits) != 2 || resp.Hits[0].Score != 1 {
		t.Errorf("%+v, %v", resp, err)
	}
	if d := cmp.Diff([]assay.Note{{Code: "vector_missing", Count: 2}}, resp.Notes); d != "" { // none, and one without direction
		t.Error(d)
	}
	if n, err := table.Count(t.Context(), nil); err != nil || n != 3 {
		t.Errorf("%d, %v", n, err)
	}
	if got, err := table.FetchChunks(t.Context(), []string{resp.Hits[0].ID, "no uuid"}, true); err != nil || len(got) != 1 || got[0].Vector[0] != 1 {
		t.Errorf("%v, %v", got, err)
	}
}
