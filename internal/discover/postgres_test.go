package discover

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/parts"
)

func TestRealPostgres(t *testing.T) {
	url := parts.Database(t, `create table plain (a int)`, `create schema app`,
		`create table app.chunks (id bigint primary key, body text, meta jsonb, embedding vector(3))`, `insert into app.chunks values (1, 'x', '{}', '[1,2,3]'), (2, 'y', '{}', null)`,
		`create index on app.chunks using hnsw (embedding vector_ip_ops)`,
		`create table "Odd.Name" (k text, v vector)`, `insert into "Odd.Name" values ('a', '[1,2]')`)
	s := one(t, url)
	if s.Kind != Postgres || s.URL != url || s.Product != "Postgres 16.2, pgvector 0.6.2" || s.Problem != "" {
		t.Errorf("%+v", s)
	}
	want := []Collection{
		{Name: "app.chunks", Using: "embedding", Count: 1, Dimension: 3, Distance: "dot", Columns: []Column{{"id", "int8", true}, {"body", "text", false}, {"meta", "jsonb", false}}},
		{Name: `"Odd.Name"`, Using: "v", Count: 1, Dimension: 2, Columns: []Column{{"k", "text", false}}},
	}
	if d := cmp.Diff(want, s.Collections); d != "" {
		t.Error(d)
	}
	// Without a database, all of the server are looked into, and each with vectors is a server.
	found := look(t, Options{}, strings.TrimSuffix(parts.Postgres(t), "/postgres"))
	if len(found.Servers) == 0 || found.Servers[0].Kind != Postgres {
		t.Errorf("%+v", found)
	}
}

func TestPostgresEnvironment(t *testing.T) {
	server := parts.Postgres(t)
	host := strings.Split(strings.TrimPrefix(server, "postgres://assay@"), "/")[0]
	name, port, _ := strings.Cut(host, ":")
	base := map[string]string{"OLLAMA_HOST": "127.0.0.1:1", "OPENAI_BASE_URL": "http://127.0.0.1:1", "QDRANT_URL": "http://127.0.0.1:1", "CHROMA_URL": "http://127.0.0.1:1"}
	with := func(more map[string]string) []Server {
		for k, v := range base {
			more[k] = v
		}
		return Look(t.Context(), Options{Env: environment(more)}).Servers
	}
	got := with(map[string]string{"PGHOST": name, "PGPORT": port, "PGUSER": "assay", "PGDATABASE": "postgres", "PGPASSWORD": "hunter2"})
	if len(got) != 1 || got[0].URL != server || got[0].KeyEnv != "PGPASSWORD" || got[0].Connection {
		t.Errorf("%+v", got)
	}
	// A string with a password is never repeated: the variable that holds it is what a configuration names.
	got = with(map[string]string{"DATABASE_URL": strings.Replace(server, "assay@", "assay:hunter2@", 1)})
	if len(got) != 1 || got[0].URL != server || got[0].KeyEnv != "DATABASE_URL" || !got[0].Connection || contains(fmt.Sprintf("%+v", got), "hunter2") {
		t.Errorf("%+v", got)
	}
	// A server that is there and lets nobody in is news.
	got = with(map[string]string{"DATABASE_URL": strings.Replace(server, "assay@", "nobody_of_that_name@", 1)})
	if len(got) != 1 || !contains(got[0].Problem, "nobody_of_that_name") || len(got[0].Collections) != 0 {
		t.Errorf("%+v", got)
	}
	found := look(t, Options{}, strings.Replace(server, "assay@", "assay:hunter2@", 1))
	if len(found.Absent) != 1 || contains(fmt.Sprintf("%+v", found), "hunter2") || !contains(found.Absent[0].Reason, "DATABASE_URL") {
		t.Errorf("%+v", found)
	}
}
