package pgvector

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/connectortest"
	"github.com/assay-eval/assay/internal/parts"
)

// database makes a database with the extension. It returns a connection string of it and a session that may write, unlike this
// package's.
func database(t *testing.T) (url string, writer *pgx.Conn) {
	t.Helper()
	url = parts.Database(t)
	writer, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = writer.Close(context.WithoutCancel(t.Context())) })
	return url, writer
}

func run(t *testing.T, conn *pgx.Conn, sql string, args ...any) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// open opens a table; limits as a configuration gives them.
func open(t *testing.T, s Settings) *Table {
	t.Helper()
	if s.Vector == "" {
		s.Vector = "embedding"
	}
	if s.Page == 0 {
		s.Page = 7
	}
	s.Limits = connector.Limits{Timeout: 20 * time.Second}
	table, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = table.Close() })
	return table
}

// columns fills a table in which every metadata field is a column of its own type.
func columns(t *testing.T, conn *pgx.Conn, table string, chunks []assay.Chunk) {
	t.Helper()
	run(t, conn, `create table `+table+` (chunk text primary key, body text, doc varchar(40), first int, last bigint, "lang" text, year smallint, price float8,
		draft bool, tags text[], rare text, serial bigint, embedding vector(8))`)
	for _, c := range chunks {
		m := c.Metadata
		run(t, conn, `insert into `+table+` values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::text::vector)`, c.ID, c.Text, c.Document, c.Span.Start, c.Span.End,
			m["lang"], m["year"], m["price"], m["draft"], m["tags"], m["rare"], m["serial"], literal(c.Vector))
	}
}

// TestContractColumns runs the whole contract with metadata in typed columns, once for each distance.
func TestContractColumns(t *testing.T) {
	url, conn := database(t)
	chunks := connectortest.Chunks()
	columns(t, conn, "chunks", chunks)
	for _, distance := range []string{connector.Cosine, connector.Euclid, connector.Dot} {
		t.Run(distance, func(t *testing.T) {
			(&connectortest.Suite{
				Open: func(t *testing.T) assay.Retriever {
					return open(t, Settings{URL: url, Table: "chunks", Distance: distance, Text: "body", Document: "doc", Start: "first", End: "last"})
				},
				Missing:  func(t *testing.T) assay.Retriever { return open(t, Settings{URL: url, Table: "chanks"}) },
				Chunks:   chunks,
				Distance: distance,
				Refuses:  func(f *assay.Filter) bool { return slices.Contains(f.Fields(), "nope") },
			}).Run(t)
		})
	}
}

// TestContractJSON runs it with metadata in one column, as LangChain and others keep it, and an index on the vectors.
func TestContractJSON(t *testing.T) {
	url, conn := database(t)
	chunks := connectortest.Chunks()
	for _, typ := range []string{"json", "jsonb"} {
		t.Run(typ, func(t *testing.T) {
			table := `"Odd ""name"".` + typ + `"`
			run(t, conn, `create schema if not exists app`)
			run(t, conn, `create table app.`+table+` (id text primary key, document text, cmetadata `+typ+`, embedding vector)`)
			for _, c := range chunks {
				m := map[string]any{"source": c.Document, "start": c.Span.Start, "end": c.Span.End}
				for k, v := range c.Metadata {
					m[k] = v
				}
				run(t, conn, `insert into app.`+table+` values ($1, $2, $3, $4::text::vector)`, c.ID, c.Text, m, literal(c.Vector))
			}
			run(t, conn, `alter table app.`+table+` rename to t_`+typ)
			(&connectortest.Suite{
				Open: func(t *testing.T) assay.Retriever {
					return open(t, Settings{URL: url, Table: "app.t_" + typ, JSON: "cmetadata", Text: "document", Document: "cmetadata.source", Start: "start", End: "end"})
				},
				Chunks:   chunks,
				Distance: connector.Cosine,
				Without:  []string{"TestInspect"}, // the metadata's own fields come back beside those of the chunks
			}).Run(t)
		})
	}
}
