package pgvector

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
)

// parseName reads NAME or SCHEMA.NAME. A part in double quotes may hold a dot; without them it is taken as it is, while
// SQL would fold its case.
func parseName(s string) (pgx.Identifier, error) {
	bad := errors.New(`write it as NAME or SCHEMA.NAME; a name that holds a dot stands in double quotes`)
	var parts pgx.Identifier
	for rest := s; ; {
		var part string
		if quoted, ok := strings.CutPrefix(rest, `"`); ok {
			end := strings.IndexByte(quoted, '"')
			if end < 0 {
				return nil, bad
			}
			part, rest = quoted[:end], quoted[end+1:]
		} else if at := strings.IndexByte(rest, '.'); at >= 0 {
			part, rest = rest[:at], rest[at:]
		} else {
			part, rest = rest, ""
		}
		parts = append(parts, part)
		if part == "" || strings.ContainsRune(part, 0) || len(parts) > 2 {
			return nil, bad
		}
		if rest == "" {
			return parts, nil
		}
		if !strings.HasPrefix(rest, ".") {
			return nil, bad
		}
		rest = rest[1:]
	}
}

// quote makes an identifier of a name.
func quote(name string) string { return pgx.Identifier{name}.Sanitize() }
