package pgvector

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/assay-eval/assay"
)

// mostConnections bounds how many sessions one table under test holds open; a server has 100 by default.
const mostConnections = 32

// newPool makes a pool of connections. It does not dial.
func newPool(s Settings) (*pgxpool.Pool, error) {
	c, err := pgxpool.ParseConfig(s.connString())
	if err != nil {
		// pgx takes the password out of what it repeats, but a string that cannot be parsed may be anything.
		return nil, assay.WithHint(assay.Usagef("url: cannot be read as a connection string"), "write it like postgres://USER@HOST:5432/DATABASE")
	}
	if !s.Password.IsZero() {
		c.ConnConfig.Password = s.Password.Reveal()
	}
	if s.CAFile != "" {
		if err := trust(c, s.CAFile); err != nil {
			return nil, err
		}
	}
	if c.ConnConfig.RuntimeParams["application_name"] == "" {
		c.ConnConfig.RuntimeParams["application_name"] = "assay"
	}
	if c.ConnConfig.ConnectTimeout == 0 {
		c.ConnConfig.ConnectTimeout = 10 * time.Second
	}
	// Statements are described once and planned each time: what pgbouncer can stand, and how an index is chosen for the
	// query at hand rather than for any.
	c.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	c.MinConns, c.MaxConns = 0, mostConnections
	pool, err := pgxpool.NewWithConfig(context.Background(), c)
	if err != nil {
		return nil, assay.Usagef("url: %w", err)
	}
	return pool, nil
}

// trust makes a file of certificates the only ones that vouch for the server.
func trust(c *pgxpool.Config, file string) error {
	pem, err := os.ReadFile(file)
	if err != nil {
		return assay.Classify(fmt.Errorf("ca_file: %w", err), assay.ErrUsage)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return assay.Usagef("ca_file: %s holds no PEM certificate", file)
	}
	c.ConnConfig.TLSConfig = &tls.Config{RootCAs: roots, ServerName: c.ConnConfig.Host, MinVersion: tls.VersionTLS12}
	c.ConnConfig.Fallbacks = nil // none without TLS
	return nil
}

// setting is a run-time setting for one transaction.
type setting struct{ name, value string }

// query is one statement with its arguments.
type query struct {
	sql  string
	args []any
}

// read runs one query in a read-only transaction of its own, with settings that end with it, all in one message, so that
// what is timed is one round trip. took is the time from sending to the last row, without waiting for a connection.
func (t *Table) read(ctx context.Context, op string, settings []setting, q query, row func(pgx.Rows) error) (took time.Duration, err error) {
	conn, err := t.pool.Acquire(ctx)
	if err != nil {
		return 0, t.failure(ctx, op, err)
	}
	defer conn.Release() // a session whose transaction did not end is closed
	batch := &pgx.Batch{}
	batch.Queue("begin read only")
	for _, s := range settings {
		batch.Queue("select set_config($1, $2, true)", s.name, s.value)
	}
	batch.Queue(q.sql, q.args...)
	batch.Queue("commit")
	start := time.Now()
	replies := conn.SendBatch(ctx, batch)
	err = func() error {
		for range 1 + len(settings) {
			if _, err := replies.Exec(); err != nil {
				return err
			}
		}
		rows, err := replies.Query()
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := row(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	}()
	took = time.Since(start)
	if closed := replies.Close(); err == nil {
		err = closed
	}
	return took, t.failure(ctx, op, err)
}
