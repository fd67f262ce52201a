package discover

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/assay-eval/assay"
)

// mostDatabases bounds how many databases of one server are looked into where none is named.
const mostDatabases = 12

// catalogue is how long reading the catalog of a database may take, against the short timeout of a first word.
const catalogue = 20 * time.Second

// askPostgres looks for columns of vectors, in the database named or in all that there are. Each database that has some is a
// Server of its own, for a connection is to a database.
func askPostgres(ctx context.Context, o *Options, a address) ([]Server, error) {
	ctx, cancel := context.WithTimeout(ctx, catalogue)
	defer cancel()
	at, err := url.Parse(a.url)
	if err != nil || at.Scheme != "postgres" && at.Scheme != "postgresql" {
		return nil, errors.New("it cannot be read; write it like postgres://USER@HOST:5432/DATABASE")
	}
	if _, has := at.User.Password(); has && a.from == "--at" {
		return nil, errors.New("it holds a password, which may stand in no configuration: put the whole into DATABASE_URL, and leave --at out")
	}
	named := strings.Trim(at.Path, "/") != ""
	if !named {
		at.Path = "/postgres"
	}
	first, err := o.askDatabase(ctx, a, at)
	if err != nil {
		return nil, err
	}
	if named || first.Problem != "" {
		return []Server{*first}, nil
	}
	return o.askDatabases(ctx, a, at, first), nil
}

// askDatabases looks into every database of a server; first is what was found in the one that was connected to.
func (o *Options) askDatabases(ctx context.Context, a address, at *url.URL, first *Server) []Server {
	var out []Server
	if len(first.Collections) > 0 {
		out = append(out, *first)
	}
	for _, name := range o.databases(ctx, at) {
		other := *at
		other.Path = "/" + name
		if s, err := o.askDatabase(ctx, a, &other); err == nil && len(s.Collections) > 0 {
			out = append(out, *s)
		}
	}
	if len(out) == 0 {
		out = append(out, *first)
	}
	return out
}

// postgresURL makes a connection string of PGHOST and its like.
func (o *Options) postgresURL() string {
	get := func(name, otherwise string) string {
		v, _ := o.lookup(name)
		return cmp.Or(v, otherwise)
	}
	u := url.URL{Scheme: "postgres", Host: get("PGHOST", "127.0.0.1") + ":" + get("PGPORT", "5432"), Path: "/" + get("PGDATABASE", "")}
	if host := get("PGHOST", ""); strings.HasPrefix(host, "/") { // the folder of a Unix socket
		u.Host, u.RawQuery = "", url.Values{"host": {host}, "port": {get("PGPORT", "5432")}}.Encode()
	}
	if user := get("PGUSER", ""); user != "" {
		u.User = url.User(user)
	}
	return u.String()
}

// connect opens a session that gives up soon.
func (o *Options) connect(ctx context.Context, at *url.URL) (*pgx.Conn, error) {
	c, err := pgx.ParseConfig(at.String())
	if err != nil {
		return nil, errors.New("it cannot be read as a connection string") // err may repeat a password
	}
	if v, ok := o.lookup("PGPASSWORD"); ok && c.Password == "" {
		c.Password = v
	}
	c.ConnectTimeout = o.Timeout
	c.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	c.RuntimeParams["application_name"] = "assay"
	return pgx.ConnectConfig(ctx, c)
}

// askDatabase lists the vector columns of one database. A server that refuses is a Server with a Problem.
func (o *Options) askDatabase(ctx context.Context, a address, at *url.URL) (*Server, error) {
	s := &Server{Kind: Postgres, URL: shownPostgres(at), From: a.from, Product: "Postgres", asked: a.from == "--at"}
	if _, ok := o.lookup("PGPASSWORD"); ok {
		s.KeyEnv = "PGPASSWORD"
	}
	if _, has := at.User.Password(); has {
		s.KeyEnv, s.Connection = a.keyEnv, true
	}
	conn, err := o.connect(ctx, at)
	if err != nil {
		var pg *pgconn.PgError
		if errors.As(err, &pg) {
			s.Problem = fmt.Sprintf("it refuses (%s): set DATABASE_URL, or PGUSER and PGPASSWORD", pg.Message)
			return s, nil
		}
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, assay.Errorf(assay.KindTimeout, "look", "", "no answer in time")
		}
		var dial *pgconn.ConnectError
		if errors.As(err, &dial) {
			return nil, assay.Errorf(assay.KindUnavailable, "look", "", "nothing listens there")
		}
		return nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if err := readVectors(ctx, conn, s); err != nil {
		s.Problem = "its tables could not be listed: " + err.Error()
	}
	return s, nil
}

// shownPostgres is a connection string without a password that connects all the same.
func shownPostgres(at *url.URL) string {
	u := *at
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	q := u.Query()
	q.Del("password")
	q.Del("sslpassword")
	u.RawQuery = q.Encode()
	return u.String()
}

// databases lists the other databases of a server.
func (o *Options) databases(ctx context.Context, at *url.URL) []string {
	conn, err := o.connect(ctx, at)
	if err != nil {
		return nil
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	rows, err := conn.Query(ctx, `select datname from pg_database where datallowconn and not datistemplate and datname <> current_database()
		and has_database_privilege(datname, 'connect') order by datname limit $1`, mostDatabases)
	if err != nil {
		return nil
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil
	}
	return names
}
