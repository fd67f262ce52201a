package parts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Database makes an empty database with the extension vector on the Postgres server, drops it when the test ends, and returns
// its connection string. Statements are run in it.
func Database(t testing.TB, statements ...string) string {
	t.Helper()
	server := Postgres(t)
	name := fmt.Sprintf("assay_test_%x", rand.Uint64())
	perform(t, server, "create database "+name)
	t.Cleanup(func() { perform(t, server, "drop database "+name+" with (force)") })
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	perform(t, u.String(), append([]string{"create extension vector"}, statements...)...)
	return u.String()
}

// perform runs statements in a session of its own, also when the test has ended.
func perform(t testing.TB, url string, statements ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for _, sql := range statements {
		if _, err := conn.Exec(ctx, sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}
