package pgvector

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/internal/rest"
)

// ListChunks walks the rows that have a vector in the order of their keys, as they were when the listing began. It holds a
// read-only transaction open until the walk ends.
func (t *Table) ListChunks(ctx context.Context, opts assay.ListOptions) iter.Seq2[assay.Chunk, error] {
	return func(yield func(assay.Chunk, error) bool) {
		stopped, err := t.list(ctx, opts, func(c assay.Chunk) bool { return yield(c, nil) })
		if err != nil && !stopped {
			yield(assay.Chunk{}, t.failure(ctx, "list", err))
		}
	}
}

func (t *Table) list(ctx context.Context, opts assay.ListOptions, each func(assay.Chunk) bool) (stopped bool, err error) {
	i, err := t.info.Get(ctx, t.fetch)
	if err != nil {
		return false, err
	}
	b := &builder{info: i, json: t.settings.JSON}
	condition, err := b.filter(opts.Filter)
	if err != nil {
		return false, t.refused(err)
	}
	sql := t.selection(i, vectorOf(i, opts.WithVectors)) + present(i, condition) + " order by t." + quote(i.key)
	conn, err := t.pool.Acquire(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Release()
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return false, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // it changed nothing
	if _, err := tx.Exec(ctx, "declare assay_list no scroll cursor for "+sql, b.args...); err != nil {
		return false, err
	}
	for {
		chunks, err := t.page(ctx, i, tx)
		if err != nil || len(chunks) == 0 {
			return false, err
		}
		for _, c := range chunks {
			if !each(c) {
				return true, nil
			}
		}
	}
}

// page fetches the next rows of the listing; none at its end.
func (t *Table) page(ctx context.Context, i *info, tx pgx.Tx) ([]assay.Chunk, error) {
	rows, err := tx.Query(ctx, fmt.Sprintf("fetch forward %d from assay_list", max(1, t.settings.Page)))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var records []connector.Record
	for rows.Next() {
		record, err := t.listed(i, rows)
		if err != nil {
			return nil, err
		}
		records = append(records, record)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return t.chunks(records)
}

// listed reads one row of a listing.
func (t *Table) listed(i *info, rows pgx.Rows) (connector.Record, error) {
	var vector *string
	record, err := t.record(i, rows, &vector)
	if err != nil || vector == nil {
		return record, err
	}
	var v rest.Vector
	if err := rest.Unmarshal([]byte(*vector), &v); err != nil {
		return record, assay.Errorf(assay.KindMalformed, "list", t.where(), "row %s: the vector cannot be read: %w", record.ID, err)
	}
	record.Vector = v
	return record, nil
}

func (t *Table) chunks(records []connector.Record) ([]assay.Chunk, error) {
	chunks, err := t.fields.Chunks(t.where(), records)
	for n := range chunks {
		delete(chunks[n].Metadata, t.settings.Text)
	}
	return chunks, err
}

// vectorOf is the expression of the stored vector, where it is wanted.
func vectorOf(i *info, wanted bool) string {
	if !wanted {
		return "null::text"
	}
	return "t." + quote(i.vector.name) + "::text"
}

// present adds to a WHERE clause that the row has a vector: without one it is no part of the index.
func present(i *info, condition string) string {
	has := "t." + quote(i.vector.name) + " is not null"
	if condition == "" {
		return " where " + has
	}
	return condition + " and " + has
}

// FetchChunks gives chunks by their keys.
func (t *Table) FetchChunks(ctx context.Context, ids []string, withVectors bool) ([]assay.Chunk, error) {
	i, err := t.info.Get(ctx, t.fetch)
	if err != nil {
		return nil, t.failure(ctx, "list", err)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	condition, arg := keyed(i, ids)
	q := query{t.selection(i, vectorOf(i, withVectors)) + present(i, " where "+condition), []any{arg}}
	var records []connector.Record
	_, err = t.read(ctx, "list", nil, q, func(r pgx.Rows) error {
		record, err := t.listed(i, r)
		records = append(records, record)
		return err
	})
	if err != nil {
		return nil, err
	}
	chunks, err := t.chunks(records)
	return connector.Ordered(chunks, ids), err
}

// keyed is the condition that the key is among texts, written so that an index on an integer or text column serves.
func keyed(i *info, ids []string) (condition string, arg any) {
	c, _ := i.column(i.key)
	key := "t." + quote(i.key)
	switch c.typ {
	case "int2", "int4", "int8":
		var numbers []int64
		for _, id := range ids {
			if n, ok := wholeNumber(id); ok {
				numbers = append(numbers, n)
			}
		}
		return key + " = any($1::bigint[])", numbers
	case "text", "varchar":
		return key + " = any($1::text[])", ids
	}
	return key + "::text = any($1::text[])", ids
}

// wholeNumber reads a key of an integer column as Postgres shows it.
func wholeNumber(s string) (int64, bool) {
	var n int64
	if _, err := fmt.Sscan(s, &n); err != nil || fmt.Sprint(n) != strings.TrimSpace(s) {
		return 0, false
	}
	return n, true
}

// Count counts the rows that have a vector, under a filter, exactly.
func (t *Table) Count(ctx context.Context, filter *assay.Filter) (int, error) {
	i, err := t.info.Get(ctx, t.fetch)
	if err != nil {
		return 0, t.failure(ctx, "count", err)
	}
	b := &builder{info: i, json: t.settings.JSON}
	condition, err := b.filter(filter)
	if err != nil {
		return 0, t.refused(err)
	}
	n := 0
	_, err = t.read(ctx, "count", nil, query{"select count(*) from " + i.table.Sanitize() + " t" + present(i, condition), b.args},
		func(r pgx.Rows) error { return r.Scan(&n) })
	return n, err
}
