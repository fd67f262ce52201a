package option

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
)

type remote struct {
	Key     secret.Value  `option:"api_key" help:"key"`
	Headers Headers       `option:"headers" help:"headers"`
	Timeout time.Duration `option:"timeout" default:"30s" help:"limit"`
}

type settings struct {
	Name string `option:"collection,required" help:"name of the collection"`
	remote
	K1     float64        `option:"k1" default:"0.9" min:"0" help:"k1"`
	Page   int            `option:"page" default:"256" min:"1" help:"page"`
	Order  string         `option:"order" enum:"desc,asc" default:"desc" help:"order"`
	Strict bool           `option:"strict" default:"true" help:"strict"`
	Fields []string       `option:"fields" default:"all" help:"fields"`
	Params map[string]any `option:"params" help:"params"`
	Free   any            `option:"free" help:"free"`
	CA     string         `option:"ca_file" path:"" help:"file"`
	hidden int            //nolint:unused // a field without a tag is passed over
}

func env(pairs map[string]string) Env {
	return Env{Dir: "/conf", Lookup: func(k string) (string, bool) { v, ok := pairs[k]; return v, ok }}
}

func TestDecode(t *testing.T) {
	var got settings
	problems := Decode(map[string]any{
		"collection": "docs", "api_key": map[string]any{"env": "KEY"}, "headers": map[string]any{"X-Team": "search", "Authorization": map[string]any{"env": "AUTH"}},
		"timeout": "2s", "k1": int64(2), "page": 12.0, "order": "asc", "strict": false, "fields": []any{"a", "b"},
		"params": map[string]any{"x": int64(1)}, "free": int64(7), "ca_file": "ca.pem",
	}, &got, env(map[string]string{"KEY": "k", "AUTH": "Bearer t"}))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if got.Key.Reveal() != "k" || got.Headers.Secret["Authorization"].Reveal() != "Bearer t" || got.Headers.Plain["X-Team"] != "search" {
		t.Errorf("secrets: %v", got.Headers)
	}
	got.Key, got.Headers = secret.Value{}, Headers{}
	want := settings{Name: "docs", remote: remote{Timeout: 2 * time.Second}, K1: 2, Page: 12, Order: "asc", Fields: []string{"a", "b"},
		Params: map[string]any{"x": int64(1)}, Free: int64(7), CA: "/conf/ca.pem"}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(settings{}, remote{}, secret.Value{})); d != "" {
		t.Error(d)
	}
}

func TestDefaults(t *testing.T) {
	var got settings
	if p := Decode(map[string]any{"collection": "docs", "k1": nil}, &got, Env{}); len(p) > 0 {
		t.Fatal(p)
	}
	want := settings{Name: "docs", remote: remote{Timeout: 30 * time.Second}, K1: 0.9, Page: 256, Order: "desc", Strict: true, Fields: []string{"all"}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(settings{}, remote{}, secret.Value{})); d != "" {
		t.Error(d)
	}
}

func TestProblems(t *testing.T) {
	base := func(k string, v any) map[string]any { return map[string]any{"collection": "x", k: v} }
	for _, c := range []struct {
		in   map[string]any
		want string
	}{
		{map[string]any{}, "collection: is missing: name of the collection"},
		{map[string]any{"collection": ""}, "collection: is empty: name of the collection"},
		{map[string]any{"collection": int64(5)}, "collection: needs text, got 5"},
		{base("colection", "y"), `colection: no such option; did you mean "collection"?`},
		{base("api_key", "hunter2"), "api_key: a secret may not be written in the configuration"},
		{base("api_key", map[string]any{"env": "UNSET"}), "api_key: environment variable UNSET is not set"},
		{base("headers", "x"), `headers: needs a map of header names to values, got "x"`},
		{base("headers", map[string]any{"Authorization": "hunter2"}), "headers.Authorization: a secret may not be written in the configuration"},
		{base("headers", map[string]any{"X-Team": int64(3)}), "headers.X-Team: needs text, {env: NAME} or {file: PATH}, got 3"},
		{base("timeout", int64(30)), "timeout: needs a duration such as 30s or 500ms, got 30"},
		{base("timeout", "-1s"), `timeout: needs a duration such as 30s or 500ms, got "-1s"`},
		{base("k1", "much"), `k1: needs a number, got "much"`},
		{base("k1", -0.5), "k1: must be at least 0"},
		{base("page", 1.5), "page: needs a whole number, got 1.5"},
		{base("page", int64(0)), "page: must be at least 1"},
		{base("order", "dsc"), `order: "dsc" is not one of desc, asc; did you mean "desc"?`},
		{base("strict", "yes please"), `strict: needs true or false, got "yes please"`},
		{base("fields", []any{"a", int64(1)}), "fields: needs a list of texts, got 1 in it"},
		{base("params", "x"), `params: needs a map, got "x"`},
		{base("collection", map[string]any{"secret": "hunter2"}), "collection: needs text, got a map"},
	} {
		var s settings
		problems := Decode(c.in, &s, env(nil))
		if len(problems) != 1 || problems[0].Error() != c.want {
			t.Errorf("%v: got %v, want %q", c.in, problems, c.want)
		}
		err := Join(problems)
		if !errors.Is(err, assay.ErrUsage) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("joined: %v", err)
		}
	}
	if Join(nil) != nil {
		t.Error("no problems are an error")
	}
	var s settings
	if p := Decode(map[string]any{"zeta": 1, "k1": "x"}, &s, Env{}); len(p) != 3 || p[0].Option != "collection" || p[1].Option != "k1" || p[2].Option != "zeta" {
		t.Errorf("not all, or not sorted: %v", p)
	}
}

func TestCheckWithoutSecrets(t *testing.T) {
	var s settings
	if p := Decode(map[string]any{"collection": "x", "api_key": map[string]any{"env": "UNSET"}}, &s, Env{}); len(p) > 0 {
		t.Errorf("checking the form needs the secret itself: %v", p)
	}
}

func TestOf(t *testing.T) {
	options := Of(&settings{})
	want := []string{"collection", "api_key", "headers", "timeout", "k1", "page", "order", "strict", "fields", "params", "free", "ca_file"}
	if d := cmp.Diff(want, Names(options)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(Option{Name: "order", Type: "text", Help: "order", Default: "desc", Values: []string{"desc", "asc"}}, options[6]); d != "" {
		t.Error(d)
	}
	if o := options[1]; !o.Secret || o.Type != "secret" {
		t.Errorf("api_key: %+v", o)
	}
	if !options[0].Required {
		t.Error("collection is not required")
	}
}
