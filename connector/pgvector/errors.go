package pgvector

import (
	"context"
	"errors"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
)

// failure turns what pgx and the server say into an error of a kind, without the password.
func (t *Table) failure(ctx context.Context, op string, err error) error {
	if err == nil {
		return nil
	}
	var own *assay.Error
	if errors.As(err, &own) {
		return err
	}
	kind, hint := kindOf(err)
	switch ctx.Err() {
	case context.Canceled:
		kind = assay.KindCanceled
	case context.DeadlineExceeded:
		kind = assay.KindTimeout
	}
	text := secret.Redact(message(err), t.secrets...)
	out := error(&assay.Error{Kind: kind, Op: op, Where: t.where(), Err: errors.New(text)})
	if hint != "" {
		out = assay.WithHint(out, "%s", hint)
	}
	return out
}

// message is the server's sentence, or pgx's.
func message(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		text := pg.Message
		if pg.Hint != "" {
			text += " (" + pg.Hint + ")"
		}
		return text + " [" + pg.Code + "]"
	}
	return err.Error()
}

// kindOf reads the class of Postgres' error code (appendix A of its manual).
func kindOf(err error) (kind assay.Kind, hint string) {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return kindOfCode(pg.Code)
	}
	var dial *pgconn.ConnectError
	var network net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return assay.KindCanceled, ""
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return assay.KindTimeout, ""
	case errors.As(err, &dial), errors.As(err, &network):
		return assay.KindUnavailable, "is Postgres running, and does url: name its host and port?"
	case errors.Is(err, pgx.ErrNoRows):
		return assay.KindNotFound, ""
	}
	return assay.KindInternal, ""
}

func kindOfCode(code string) (kind assay.Kind, hint string) {
	switch code {
	case "42P01", "3F000":
		return assay.KindNotFound, ""
	case "3D000":
		return assay.KindNotFound, "url: names the database behind the host: postgres://USER@HOST:5432/DATABASE"
	case "42501":
		return assay.KindRefused, "assay only reads: GRANT SELECT on the table to its user"
	case "57014":
		return assay.KindTimeout, "statement_timeout of the server or of the role ended it"
	case "53300", "57P01", "57P02", "57P03", "55P03", "40001", "40P01":
		return assay.KindUnavailable, ""
	}
	switch class := code[:min(2, len(code))]; {
	case class == "28":
		return assay.KindRefused, "give the password as password: {env: NAME}, or the whole connection string as connection: {env: DATABASE_URL}"
	case class == "08" || class == "53":
		return assay.KindUnavailable, ""
	case strings.Contains("22 42 0A 25", class):
		return assay.KindInvalid, ""
	}
	return assay.KindInternal, ""
}
