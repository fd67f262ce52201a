package chroma

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/internal/option"
)

// Settings of a collection under test.
type Settings struct {
	URL        string `option:"url" default:"http://localhost:8000" help:"address of the server"`
	Tenant     string `option:"tenant" default:"default_tenant" help:"tenant of the database"`
	Database   string `option:"database" default:"default_database" help:"database of the collection"`
	Collection string `option:"collection,required" help:"name of the collection"`
	Key        string `option:"key" default:"id" help:"the chunk's key: id, or a field such as metadata.chunk_id"`
	Text       string `option:"text" default:"document" help:"the chunk's text: document, or a field such as metadata.text"`
	Title      string `option:"title" help:"field of the title, such as metadata.title"`
	Document   string `option:"document" help:"field of the document's id, such as metadata.source"`
	Start      string `option:"start" help:"field of the chunk's first byte in its document"`
	End        string `option:"end" help:"field of the first byte behind the chunk"`
	Page       int    `option:"page" default:"500" min:"1" help:"items per page of a listing"`

	APIKeyHeader string `option:"api_key_header" help:"header that carries api_key, such as X-Chroma-Token; empty means Authorization: Bearer"`
	connector.Remote
}

const (
	prefix   = "metadata." // stands before every field, so that a config says what it means
	document = "document"  // Chroma's own text of an item
)

// Check finds what the option tags cannot say.
func (s Settings) Check() []option.Problem {
	out := connector.CheckURL(s.URL)
	for _, p := range []struct{ name, path, also string }{{"key", s.Key, "id"}, {"text", s.Text, document}, {"title", s.Title, ""},
		{"document", s.Document, ""}, {"start", s.Start, ""}, {"end", s.End, ""}} {
		if p.path == "" || p.path == p.also {
			continue
		}
		if rest, ok := strings.CutPrefix(p.path, prefix); !ok || rest == "" {
			also := ""
			if p.also != "" {
				also = p.also + " or "
			}
			out = append(out, option.Problem{Option: p.name, Err: fmt.Errorf("%q is no field; write %smetadata.NAME", p.path, also)})
		}
	}
	if (s.Start == "") != (s.End == "") {
		out = append(out, option.Problem{Option: "start", Err: errors.New("start and end go together")})
	}
	return out
}

func (s Settings) fields() connector.Fields {
	cut := func(path string) string {
		name, ok := strings.CutPrefix(path, prefix)
		if !ok {
			return ""
		}
		return name
	}
	return connector.Fields{Key: cut(s.Key), Text: cut(s.Text), Title: cut(s.Title), Document: cut(s.Document), Start: cut(s.Start), End: cut(s.End)}
}

// allowed is the whole of what this package may ask a server: searches, listings, counts and settings.
func allowed(method, path string) bool {
	if path == "/api/v2/version" {
		return method == http.MethodGet
	}
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if len(parts) < 7 || parts[0] != "api" || parts[1] != "v2" || parts[2] != "tenants" || parts[4] != "databases" || parts[6] != "collections" {
		return false
	}
	switch rest := parts[7:]; method {
	case http.MethodGet:
		return len(rest) < 2 || len(rest) == 2 && rest[1] == "count"
	case http.MethodPost:
		return len(rest) == 2 && (rest[1] == "query" || rest[1] == "get")
	}
	return false
}
