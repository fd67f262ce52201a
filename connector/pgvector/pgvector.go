// Package pgvector retrieves from a Postgres table with a vector column of the extension pgvector, as it is deployed.
//
// It is opinionated about four things. Every statement runs in a read-only transaction, and settings of the search
// are set for that transaction alone. Values travel as parameters and names as quoted identifiers: no query or filter is
// ever part of a statement's text, which is why a native filter, SQL in a test set, is refused. A list that
// pgvector cuts short, because an approximate index found too little under a filter, stays short: that is what
// the application gets. And a score means the same everywhere, higher is better: cosine similarity, inner product, or a
// distance with its sign turned.
package pgvector

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/internal/secret"
)

// Kind is the name of this connector in a configuration.
const Kind = "pgvector"

// Table is a Retriever over one table. It also lists, fetches, counts, searches exactly and inspects. Close it to end its
// sessions.
type Table struct {
	settings Settings
	pool     *pgxpool.Pool
	fields   connector.Fields
	secrets  []secret.Value
	info     *connector.Lazy[*info]
}

// New makes a Table. It does not dial; errors are of usage.
func New(s Settings) (*Table, error) {
	if err := option.Join(s.Check()); err != nil {
		return nil, err
	}
	pool, err := newPool(s)
	if err != nil {
		return nil, err
	}
	t := &Table{settings: s, pool: pool, fields: s.fields(), secrets: []secret.Value{s.Password, s.Connection}, info: connector.NewLazy[*info]()}
	t.secrets = append(t.secrets, secret.New(pool.Config().ConnConfig.Password))
	return t, nil
}

// Close ends the sessions.
func (t *Table) Close() error {
	t.pool.Close()
	return nil
}

// Capabilities says what a table can do.
func (t *Table) Capabilities() assay.Capabilities {
	return assay.Capabilities{NeedsVector: true, ReturnsText: t.settings.Text != "", Filters: true, Lists: true, Fetches: true,
		Counts: true, Exact: true, Inspects: true}
}

// where names the table in messages, never with a password.
func (t *Table) where() string {
	c := t.pool.Config().ConnConfig
	return fmt.Sprintf("%s:%d/%s table %s", c.Host, c.Port, c.Database, t.settings.Table)
}

// Search asks the table as it is deployed, with the params of the settings.
func (t *Table) Search(ctx context.Context, req assay.Request) (assay.Response, error) {
	var settings []setting
	for _, name := range knownParams {
		if v, ok := t.settings.Params[name]; ok {
			settings = append(settings, setting{name, fmt.Sprint(v)})
		}
	}
	return t.search(ctx, req, settings)
}

// SearchExact compares every row: the store's own oracle. Postgres is told to use no index scan, so that the order comes
// from sorting distances.
func (t *Table) SearchExact(ctx context.Context, req assay.Request) (assay.Response, error) {
	return t.search(ctx, req, []setting{{"enable_indexscan", "off"}})
}

func (t *Table) search(ctx context.Context, req assay.Request, settings []setting) (assay.Response, error) {
	if err := connector.CheckRequest(req, t.where(), true); err != nil {
		return assay.Response{}, err
	}
	i, err := t.info.Get(ctx, t.fetch)
	if err != nil {
		return assay.Response{}, t.failure(ctx, "search", err)
	}
	if err := connector.CheckDirection(req.Vector, i.distance, t.where()); err != nil {
		return assay.Response{}, err
	}
	if n := i.vector.size; n > 0 && n != len(req.Vector) {
		return assay.Response{}, assay.Errorf(assay.KindInvalid, "search", t.where(), "the query has %d dimensions, and column %s holds vectors of %d",
			len(req.Vector), i.vector.name, n)
	}
	q, err := t.searchSQL(i, req)
	if err != nil {
		return assay.Response{}, err
	}
	var records []connector.Record
	missing := 0
	took, err := t.read(ctx, "search", settings, q, func(r pgx.Rows) error {
		var distance *float64
		record, err := t.record(i, r, &distance)
		if err != nil {
			return err
		}
		if distance == nil || math.IsNaN(*distance) { // no vector, or one without direction: found by nobody
			missing++
			return nil
		}
		record.Score = score(i.distance, *distance)
		records = append(records, record)
		return nil
	})
	if err != nil {
		return assay.Response{}, err
	}
	resp, err := t.fields.Hits(t.where(), records)
	if err != nil {
		return assay.Response{}, err
	}
	for n := range resp.Hits {
		delete(resp.Hits[n].Metadata, t.settings.Text) // it is the hit's text already
	}
	connector.AddNote(&resp, "vector_missing", missing)
	resp.Timings.Search = took
	return resp, connector.Tidy(&resp, req.K)
}

// score turns a distance of pgvector into a score where higher is better. Its inner product is negative already.
func score(distance string, d float64) float64 {
	if distance == connector.Cosine {
		return 1 - d
	}
	return 0 - d // not -d: a distance of 0 must not become -0
}

// record reads the key, the metadata, and one more value of a row.
func (t *Table) record(i *info, r pgx.Rows, more any) (connector.Record, error) {
	var key *string
	var fields string
	if err := r.Scan(&key, &fields, more); err != nil {
		return connector.Record{}, err
	}
	if key == nil {
		return connector.Record{}, assay.WithHint(assay.Errorf(assay.KindInvalid, "search", t.where(), "a row has no value in the key column %s", i.key),
			"name a column that every row fills: key: COLUMN")
	}
	out := connector.Record{ID: *key}
	if err := rest.Unmarshal([]byte(fields), &out.Metadata); err != nil {
		return out, assay.Errorf(assay.KindMalformed, "search", t.where(), "row %s cannot be read: %w", *key, err)
	}
	if t.settings.JSON != "" {
		out.Metadata = merged(out.Metadata, t.settings.JSON)
	}
	return out, nil
}

// merged lifts the keys of a JSON column beside the columns, which come first.
func merged(columns map[string]any, json string) map[string]any {
	inner, _ := columns[json].(map[string]any)
	delete(columns, json)
	for k, v := range inner {
		if _, taken := columns[k]; !taken {
			columns[k] = v
		}
	}
	return columns
}

// literal is a vector as pgvector reads it.
func literal(v []float32) string {
	b, err := json.Marshal(v)
	if err != nil { // CheckRequest refused what is not finite
		return ""
	}
	return string(b)
}

// operators of pgvector by distance.
var operators = map[string]string{connector.Cosine: "<=>", connector.Dot: "<#>", connector.Euclid: "<->", connector.Manhattan: "<+>"}

// searchSQL is the statement of a search. The distance stands in ORDER BY as an index wants it: the bare column and the
// operator of the index's class.
func (t *Table) searchSQL(i *info, req assay.Request) (query, error) {
	b := &builder{info: i, json: t.settings.JSON}
	schema := quote(i.schema)
	distance := fmt.Sprintf("t.%s operator(%s.%s) %s::text::%s.%s", quote(i.vector.name), schema, operators[i.distance],
		b.arg(literal(req.Vector)), schema, i.vector.typ)
	condition, err := b.filter(req.Filter)
	if err != nil {
		return query{}, t.refused(err)
	}
	sql := t.selection(i, distance) + condition + " order by " + distance + " limit " + b.arg(req.K)
	return query{sql, b.args}, nil
}

// selection is the head of every statement on rows: key, metadata as JSON, and one more expression.
func (t *Table) selection(i *info, more string) string {
	columns := t.columns(i)
	for n, c := range columns {
		columns[n] = "t." + quote(c)
	}
	fields := "'{}'"
	if len(columns) > 0 {
		fields = "(select to_json(x)::text from (select " + strings.Join(columns, ", ") + ") x)"
	}
	return fmt.Sprintf("select t.%s::text, %s, %s from %s t", quote(i.key), fields, more, i.table.Sanitize())
}

// refused makes the error of a filter that cannot be expressed.
func (t *Table) refused(err error) error {
	return assay.Errorf(assay.KindInvalid, "search", t.where(), "filter: %w", err)
}
