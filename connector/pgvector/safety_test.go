package pgvector

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/connectortest"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/secret"
)

// Whatever reaches the server through this package cannot change anything.
func TestReadOnly(t *testing.T) {
	url, conn := database(t)
	run(t, conn, "create table x (id int primary key, embedding vector(2))")
	table := open(t, Settings{URL: url, Table: "x"})
	for _, sql := range []string{"insert into x values (1, null)", "create table y (a int)", "drop table x", "select setval(pg_get_serial_sequence('x', 'id'), 1)"} {
		_, err := table.read(t.Context(), "search", nil, query{sql: sql}, func(pgx.Rows) error { return nil })
		if err == nil && !strings.HasPrefix(sql, "select") {
			t.Errorf("%s was done", sql)
		}
	}
	if n, err := table.Count(t.Context(), nil); err != nil || n != 0 {
		t.Errorf("%d, %v", n, err)
	}
}

// Filters come from test sets, which anybody may have written.
func TestFilterIsNoStatement(t *testing.T) {
	url, conn := database(t)
	chunks := connectortest.Chunks()
	columns(t, conn, "chunks", chunks)
	table := open(t, Settings{URL: url, Table: "chunks", Text: "body"})
	for _, field := range []string{`lang" or true --`, `lang') or (true`, `x"; drop table chunks; --`, "t.lang", "\x00"} {
		_, err := table.Count(t.Context(), &assay.Filter{Field: field, Eq: "de"})
		if assay.KindOf(err) != assay.KindInvalid {
			t.Errorf("%q: %v", field, err)
		}
	}
	for _, value := range []string{`' or true --`, `$1`, `de') or ('1'='1`, `\'; drop table chunks; --`} {
		if n, err := table.Count(t.Context(), &assay.Filter{Field: "lang", Eq: value}); n != 0 || err != nil {
			t.Errorf("%q: %d, %v", value, n, err)
		}
	}
	_, err := table.Search(t.Context(), assay.Request{Vector: chunks[0].Vector, K: 1, Filter: &assay.Filter{Native: []byte(`"true"`)}})
	if assay.KindOf(err) != assay.KindInvalid {
		t.Errorf("native: %v", err)
	}
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{"docs": `"docs"`, "App.Docs": `"App"."Docs"`, `"a.b".c`: `"a.b"."c"`, `x"y`: `"x""y"`, "größe": `"größe"`} {
		if got, err := parseName(in); err != nil || got.Sanitize() != want {
			t.Errorf("%s: %s, %v", in, got.Sanitize(), err)
		}
	}
	for _, in := range []string{"", ".", "a.", ".a", "a.b.c", `"a`, `"a"b`, "a\x00b", `""`} {
		if got, err := parseName(in); err == nil {
			t.Errorf("%q: %v", in, got)
		}
	}
}

// A password is a reference in the configuration, and in no message.
func TestPasswords(t *testing.T) {
	for _, url := range []string{"postgres://u:hunter2@h/d", "postgres://h/d?password=hunter2"} {
		_, err := New(Settings{URL: url, Table: "x", Vector: "v"})
		if !errors.Is(err, assay.ErrUsage) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v", err)
		}
	}
	for _, s := range []Settings{
		{URL: "postgres://u@127.0.0.1:1/d", Password: secret.New("hunter2"), Table: "x", Vector: "v"},
		{URL: "postgres://ignored/d", Connection: secret.New("postgres://u:hunter2@127.0.0.1:1/d"), Table: "x", Vector: "v"},
		{URL: "postgres://ignored/d", Connection: secret.New("host=127.0.0.1 port=1 password=hunter2 sslmode=disable"), Table: "x", Vector: "v"},
	} {
		table, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		_, err = table.Search(t.Context(), assay.Request{Vector: []float32{1}, K: 1})
		if assay.KindOf(err) != assay.KindUnavailable || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "127.0.0.1:1/") {
			t.Errorf("%s: %v", assay.KindOf(err), err)
		}
		_ = table.Close()
	}
	_, err := New(Settings{URL: "postgres://h/d", Connection: secret.New("post gres://u:hunter2@"), Table: "x", Vector: "v"})
	if !errors.Is(err, assay.ErrUsage) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v", err)
	}
}

// What is wrong with the configuration is said with what would be right.
func TestWrongSettings(t *testing.T) {
	url, conn := database(t)
	run(t, conn, `create table chunks (a int, body text, meta jsonb, embedding vector(2))`)
	for want, s := range map[string]Settings{
		"the table has no primary key of one column":          {},
		`vector: the table has no column "embeding"`:          {Key: "a", Vector: "embeding"},
		"vector: column body is of type text":                 {Key: "a", Vector: "body"},
		`text: the table has no column "bdy"`:                 {Key: "a", Text: "bdy"},
		`document: the table has no column "meta2.source"`:    {Key: "a", Document: "meta2.source"},
		`json: "body" is no column of type json or jsonb`:     {Key: "a", JSON: "body"},
		`key: the table has no column "id"`:                   {Key: "id"},
		`columns: the table has no column "langg"`:            {Key: "a", Columns: []string{"langg"}},
		"the query has 3 dimensions, and column embedding ho": {Key: "a", Document: "meta.source"},
	} {
		s.URL, s.Table = url, "chunks"
		_, err := open(t, s).Search(t.Context(), assay.Request{Vector: []float32{1, 2, 3}, K: 1})
		if assay.KindOf(err) != assay.KindInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
	_, err := open(t, Settings{URL: url, Table: "chunk"}).Inspect(t.Context())
	if assay.KindOf(err) != assay.KindNotFound || !strings.Contains(assay.Hint(err), `did you mean "chunks"?`) {
		t.Errorf("%v, %s", err, assay.Hint(err))
	}
	_, err = open(t, Settings{URL: url + "x", Table: "chunks"}).Inspect(t.Context())
	if assay.KindOf(err) != assay.KindNotFound || !strings.Contains(assay.Hint(err), "names the database") {
		t.Errorf("%v, %s", err, assay.Hint(err))
	}
	if problems := (Settings{URL: "http://h", Table: "a.b.c", Start: "x"}).Check(); len(problems) != 3 || option.Join(problems) == nil {
		t.Errorf("%v", problems)
	}
}
