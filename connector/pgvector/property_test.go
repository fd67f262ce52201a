package pgvector

import (
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
)

// values of every kind, with those that stores confuse: 1 and 1.0 and "1" and true, neighbours beyond 2^53, text that orders
// by bytes and not by a language.
var values = []any{"a", "B", "ä", "1", "", "true", int64(0), int64(1), int64(-3), 1.5, 0.1, float64(2), int64(9007199254740993), int64(9007199254740992), true, false}

// fields are those of the rows, and ones that they do not have.
var fields = []string{"x", "y", "deep.z", "dot.ted", "nope"}

func anyValue(t *rapid.T) any { return rapid.SampledFrom(values).Draw(t, "value") }

func anyFilter(t *rapid.T, depth int) assay.Filter {
	shape := rapid.IntRange(0, 9).Draw(t, "shape")
	if depth > 0 && shape < 4 {
		switch shape {
		case 0:
			f := anyFilter(t, depth-1)
			return assay.Filter{Not: &f}
		case 1:
			return assay.Filter{And: []assay.Filter{anyFilter(t, depth-1), anyFilter(t, depth-1)}}
		default:
			return assay.Filter{Or: []assay.Filter{anyFilter(t, depth-1), anyFilter(t, depth-1)}}
		}
	}
	f := assay.Filter{Field: rapid.SampledFrom(fields).Draw(t, "field")}
	switch rapid.IntRange(0, 6).Draw(t, "operator") {
	case 0:
		f.Eq = anyValue(t)
	case 1:
		f.Ne = anyValue(t)
	case 2:
		f.In = []any{anyValue(t), anyValue(t)}
	case 3:
		yes := rapid.Bool().Draw(t, "exists")
		f.Exists = &yes
	case 4:
		f.Gt, f.Lte = anyValue(t), anyValue(t)
	case 5:
		f.Gte = anyValue(t)
	default:
		f.Lt, f.Ne = anyValue(t), anyValue(t)
	}
	return f
}

// Whatever the filter, Postgres counts the rows that the neutral filter matches.
func TestFiltersMeanTheSame(t *testing.T) {
	url, conn := database(t)
	run(t, conn, "create table rows (id int primary key, meta jsonb, embedding vector(1) default '[1]')")
	var rows []map[string]any
	for i, v := range append(values, nil, []any{}, []any{"a", int64(1)}, []any{1.5, nil}, map[string]any{"k": "a"}) {
		row := map[string]any{"x": v, "y": values[(i*7)%len(values)], "deep": map[string]any{"z": values[(i*5)%len(values)]}, "dot.ted": values[(i*3)%len(values)]}
		if i%3 == 0 {
			delete(row, "y")
		}
		if i%4 == 0 {
			row["deep"] = values[i%len(values)]
		}
		rows = append(rows, row)
		text, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		run(t, conn, "insert into rows values ($1, $2::text::jsonb)", i, string(text))
	}
	sameAsNeutral := func(t *testing.T) {
		table := open(t, Settings{URL: url, Table: "rows", JSON: "meta"})
		rapid.Check(t, func(r *rapid.T) {
			f := anyFilter(r, 2)
			if f.Validate() != nil {
				r.Skip()
			}
			want := 0
			for _, row := range rows {
				if f.Match(row) {
					want++
				}
			}
			if n, err := table.Count(t.Context(), &f); err != nil || n != want {
				r.Fatalf("%s: %d rows, %v; want %d", &f, n, err, want)
			}
		})
	}
	t.Run("no index", sameAsNeutral)
	run(t, conn, "create index on rows using gin (meta jsonb_path_ops)") // containment stands beside each condition now
	t.Run("GIN index", sameAsNeutral)
}

// Columns compare by their type.
func TestColumnTypes(t *testing.T) {
	url, conn := database(t)
	run(t, conn, `create domain code as text`)
	run(t, conn, `create table typed (id int primary key, u uuid, n numeric, f real, c char(5), d date, ts timestamp, tz timestamptz, dom code, nums int[], ip inet,
		big bigint, embedding vector(1) default '[1]')`)
	run(t, conn, `insert into typed values
		(1, '6F9619FF-8B86-D011-B42D-00C04FC964FF', 1.10, 1.5, 'ab', '2026-01-02', '2026-01-02 03:04:05', '2026-01-02T03:04:05+02', 'x', '{1,2}', '::1', 9007199254740993),
		(2, null, 'NaN', 'NaN', null, null, null, null, null, null, null, 9007199254740992)`)
	table := open(t, Settings{URL: url, Table: "typed"})
	for in, want := range map[string]int{
		`{"field":"u","eq":"6f9619ff-8b86-d011-b42d-00c04fc964ff"}`: 1, `{"field":"n","eq":1.1}`: 1, `{"field":"n","gt":0}`: 1, `{"field":"f","gte":1.5}`: 1,
		`{"field":"f","ne":1.5}`: 1, `{"field":"c","eq":"ab"}`: 1, `{"field":"d","gte":"2026-01-02"}`: 1, `{"field":"d","gt":"2026-01-02"}`: 0,
		`{"field":"tz","eq":"2026-01-02T01:04:05Z"}`: 1, `{"field":"ts","lt":"2026-01-02T03:04:06"}`: 1, `{"field":"dom","eq":"x"}`: 1, `{"field":"nums","eq":2}`: 1,
		`{"field":"nums","gt":2}`: 0, `{"field":"nums","exists":false}`: 1, `{"field":"big","eq":9007199254740993}`: 1, `{"field":"big","gt":9007199254740992.0}`: 1,
		`{"field":"id","eq":1.5}`: 0, `{"field":"id","lt":1.5}`: 1, `{"field":"id","eq":"1"}`: 0, `{"field":"n","in":["a",true]}`: 0, `{"not":{"field":"d","gt":"2020-01-01"}}`: 1,
	} {
		f, err := assay.ParseFilter([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if n, err := table.Count(t.Context(), f); err != nil || n != want {
			t.Errorf("%s: %d, %v; want %d", in, n, err, want)
		}
	}
	for _, in := range []string{`{"field":"ip","eq":"::1"}`, `{"field":"d","gt":"yesterday"}`, `{"field":"f","eq":9007199254740993}`, `{"field":"emb","eq":1}`} {
		f, _ := assay.ParseFilter([]byte(in))
		if _, err := table.Count(t.Context(), f); assay.KindOf(err) != assay.KindInvalid {
			t.Errorf("%s: %v", in, err)
		}
	}
	chunks := 0
	for c, err := range table.ListChunks(t.Context(), assay.ListOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if chunks++; c.ID == "1" && fmt.Sprint(c.Metadata["tz"], c.Metadata["n"], c.Metadata["big"]) == "" {
			t.Error(c.Metadata)
		}
	}
	if chunks != 2 {
		t.Errorf("%d chunks", chunks)
	}
}
