package doctor_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/assay-eval/assay/connector/pgvector"
	"github.com/assay-eval/assay/doctor"
	"github.com/assay-eval/assay/internal/parts"
)

// filteredTable is a table of a real Postgres with metadata in a column and in jsonb, and these statements run on it.
func filteredTable(t *testing.T, statements ...string) *doctor.System {
	t.Helper()
	url := parts.Database(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	run := func(sql string) {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	run("create table chunks (id int primary key, body text, lang text, year int, tags text[], meta jsonb, embedding vector(2))")
	for i := range 40 {
		run(fmt.Sprintf(`insert into chunks values (%d, 'text %[1]d', '%s', %d, '{a,b}', '{"team": "ops", "since": %[1]d}', '[1,%[1]d]')`, i, []string{"de", "en"}[i%2], 2000+i))
	}
	for _, sql := range statements {
		run(sql)
	}
	table, err := pgvector.New(pgvector.Settings{URL: url, Table: "chunks", Vector: "embedding", Text: "body", JSON: "meta", Page: 100})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = table.Close() })
	return &doctor.System{Name: "pg", Kind: "pgvector", Where: "assay.yaml:3", Store: table, K: 5, Fields: doctor.Fields{Text: "body"}}
}

// A condition goes through an index or it does not, whatever stands in the catalogue: Postgres itself is asked.
func TestFilterIndexPostgres(t *testing.T) {
	const byTeam = "create index team on chunks using gin (meta jsonb_path_ops)"
	for name, c := range map[string]struct {
		filter     string
		statements []string
		want       want
	}{
		"column without":        {`{"field":"lang","eq":"de"}`, nil, want{doctor.Warning, "no_index", `the field "lang" is filtered by and no index serves the condition`, "create index on chunks (lang)"}},
		"column with":           {`{"field":"lang","eq":"de"}`, []string{"create index by_lang on chunks (lang)"}, want{status: doctor.OK, found: "lang (by_lang)"}},
		"range without":         {`{"field":"year","gte":2010}`, nil, want{doctor.Warning, "no_index", `"year"`, "create index on chunks (year)"}},
		"range with":            {`{"field":"year","gte":2010}`, []string{"create index by_year on chunks (year)"}, want{status: doctor.OK, found: "year (by_year)"}},
		"jsonb without":         {`{"field":"team","eq":"ops"}`, nil, want{doctor.Warning, "no_index", `"team"`, "create index on chunks using gin (meta jsonb_path_ops)"}},
		"jsonb with":            {`{"field":"team","eq":"ops"}`, []string{byTeam}, want{status: doctor.OK, found: "team (team)"}},
		"array without":         {`{"field":"tags","eq":"a"}`, nil, want{doctor.Warning, "no_index", `"tags"`, "create index on chunks using gin (tags)"}},
		"array with":            {`{"field":"tags","eq":"a"}`, []string{"create index by_tag on chunks using gin (tags)"}, want{status: doctor.OK, found: "tags (by_tag)"}},
		"an index of no use":    {`{"field":"lang","eq":"de"}`, []string{"create index low on chunks (lower(lang))"}, want{doctor.Warning, "no_index", `"lang"`, "create index on chunks (lang)"}},
		"one of two":            {`{"and":[{"field":"lang","eq":"de"},{"field":"year","lt":2010}]}`, []string{"create index by_lang on chunks (lang)"}, want{doctor.Warning, "no_index", `"year"`, "create index on chunks (year)"}},
		"what is not":           {`{"not":{"field":"lang","eq":"de"}}`, nil, want{status: doctor.OK, found: "lang (conditions that no index can serve)"}},
		"not, no such field":    {`{"not":{"field":"colour","eq":"red"}}`, nil, want{doctor.Fault, "no_such_field", `no chunk has the field "colour"`, "correct the field"}},
		"no such field":         {`{"field":"colour","eq":"red"}`, nil, want{doctor.Fault, "no_such_field", `no chunk has the field "colour"`, "correct the field"}},
		"under an HNSW index":   {`{"field":"lang","eq":"de"}`, []string{"create index on chunks using hnsw (embedding vector_cosine_ops)"}, want{doctor.Warning, "no_index", `"lang"`, "create index on chunks (lang)"}},
		"generate.filters only": {"", []string{"create index by_lang on chunks (lang)"}, want{status: doctor.OK, found: "lang (by_lang)"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := filteredTable(t, c.statements...)
			var set *doctor.Testset
			var fields []string
			if c.filter == "" {
				fields = []string{"lang"}
			} else {
				set = asks(t, c.filter)
			}
			r, err := doctor.Examine(t.Context(), &doctor.Setup{Systems: []*doctor.System{s}, Testset: set, FilterFields: fields}, doctor.Options{Only: []string{"filters"}})
			if err != nil {
				t.Fatal(err)
			}
			f := finding(t, r, "filters", "system pg")
			c.want.check(t, f)
			if lossy := name == "under an HNSW index"; c.want.cause == "no_index" && lossy != strings.Contains(f.Effect, "lists come back short") {
				t.Errorf("effect %q", f.Effect)
			}
		})
	}
}

// Chroma indexes every metadata value by itself, unless it is told not to.
func TestFilterIndexChroma(t *testing.T) {
	yaml := chromaSystem(t, collection(t, "cosine", handbook()), "")
	for filter, w := range map[string]want{
		`{"field":"source","eq":"page-1.md"}`: {status: doctor.OK, found: "source (inverted index, which Chroma makes for every field)"},
		`{"field":"colour","eq":"red"}`:       {doctor.Fault, "no_such_field", `no chunk has the field "colour"`, "correct the field"},
	} {
		r := examine(t, yaml, doctor.Options{Only: []string{"filters"}}, func(s *doctor.Setup) { s.Testset = asks(t, filter) })
		w.check(t, finding(t, r, "filters", "system live"))
	}
	// A schema can switch the index of a field off, and Chroma refuses the filter then.
	off := map[string]any{"string_inverted_index": map[string]any{"enabled": false, "config": map[string]any{}}}
	plain := collectionWith(t, handbook(), map[string]any{"schema": map[string]any{"defaults": map[string]any{}, "keys": map[string]any{"source": map[string]any{"string": off}}}})
	r := examine(t, chromaSystem(t, plain, ""), doctor.Options{Only: []string{"filters"}}, func(s *doctor.Setup) { s.Testset = asks(t, `{"field":"source","eq":"page-1.md"}`) })
	want{doctor.Fault, "refused", "string_inverted_index, switched off", "build the collection anew with that index"}.check(t, finding(t, r, "filters", "system live"))
}
