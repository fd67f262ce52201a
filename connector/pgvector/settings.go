package pgvector

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/internal/nearest"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/secret"
)

// Settings of a table under test.
type Settings struct {
	URL        string         `option:"url" default:"postgres://localhost:5432/postgres" help:"connection string without a password; what it leaves out comes from PGUSER and the like"`
	Password   secret.Value   `option:"password" help:"password, as {env: NAME} or {file: PATH}; without it PGPASSWORD and ~/.pgpass count"`
	Connection secret.Value   `option:"connection" help:"the whole connection string in place of url, as {env: DATABASE_URL}"`
	Table      string         `option:"table,required" help:"table or view, as NAME or SCHEMA.NAME; names are taken as they are, case included"`
	Vector     string         `option:"vector" default:"embedding" help:"column of the vectors, of type vector or halfvec"`
	Distance   string         `option:"distance" enum:"cosine,dot,euclid,manhattan" help:"how vectors are compared; empty takes that of the index, and cosine without one"`
	Params     map[string]any `option:"params" help:"settings of the search, for its transaction only: hnsw.ef_search, hnsw.iterative_scan, ivfflat.probes and the like"`
	JSON       string         `option:"json" help:"column of type json or jsonb whose keys are metadata fields, beside the columns"`
	Columns    []string       `option:"columns" default:"all" help:"columns that are metadata: all, none, or a list; what the other options name is always fetched"`
	Key        string         `option:"key" help:"column of the chunk's key; empty means the table's primary key"`
	Text       string         `option:"text" help:"column, or field of json, of the chunk's text"`
	Title      string         `option:"title" help:"column, or field of json, of the title"`
	Document   string         `option:"document" help:"column, or field of json, of the document's id"`
	Start      string         `option:"start" help:"column, or field of json, of the chunk's first byte in its document"`
	End        string         `option:"end" help:"column, or field of json, of the first byte behind the chunk"`
	Page       int            `option:"page" default:"500" min:"1" help:"rows per page of a listing"`
	CAFile     string         `option:"ca_file" path:"" help:"PEM certificates to trust, as sslrootcert of the connection string"`
	connector.Limits
}

// knownParams are the settings of pgvector up to 0.8. Postgres takes any name with a dot without a word, so one that
// is misspelt is refused here; whether the server's release knows it, is asked there.
var knownParams = []string{"hnsw.ef_search", "hnsw.iterative_scan", "hnsw.max_scan_tuples", "hnsw.scan_mem_multiplier",
	"ivfflat.probes", "ivfflat.iterative_scan", "ivfflat.max_probes"}

// Check finds what the option tags cannot say.
func (s Settings) Check() []option.Problem {
	var out []option.Problem
	add := func(name, format string, args ...any) {
		out = append(out, option.Problem{Option: name, Err: fmt.Errorf(format, args...)})
	}
	if u, err := url.Parse(s.URL); err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		add("url", "write it like postgres://USER@HOST:5432/DATABASE")
	} else if _, has := u.User.Password(); has || u.Query().Has("password") || u.Query().Has("sslpassword") {
		add("url", "holds a password: give it as password: {env: NAME}, or the whole as connection: {env: DATABASE_URL}")
	}
	if _, err := parseName(s.Table); err != nil {
		add("table", "%w", err)
	}
	if (s.Start == "") != (s.End == "") {
		out = append(out, option.Problem{Option: "start", Err: errors.New("start and end go together")})
	}
	for _, name := range slices.Sorted(maps.Keys(s.Params)) {
		switch v := s.Params[name].(type) {
		case string, bool, int, int64, uint64, float64:
		default:
			add("params."+name, "needs a number or a word, not %T", v)
		}
		if !slices.Contains(knownParams, name) {
			add("params."+name, "is no setting of pgvector%s", nearest.Suggest(name, knownParams))
		}
	}
	return out
}

// connString is the connection string, which may hold a password, and its parts that may be shown.
func (s Settings) connString() string {
	if !s.Connection.IsZero() {
		return s.Connection.Reveal()
	}
	return s.URL
}

// fields are the paths in the metadata at which the parts of a chunk lie.
func (s Settings) fields() connector.Fields {
	path := func(p string) string {
		if s.JSON != "" {
			p = strings.TrimPrefix(p, s.JSON+".")
		}
		return p
	}
	return connector.Fields{Text: path(s.Text), Title: path(s.Title), Document: path(s.Document), Start: path(s.Start), End: path(s.End)}
}
