package secret

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

const leak = "hunter2-very-secret"

func TestValueNeverPrints(t *testing.T) {
	v := New(leak)
	type config struct {
		Key     Value
		Pointer *Value
		Map     map[string]Value
	}
	c := config{v, &v, map[string]Value{"k": v}}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%p", "%T", "%10.3s"} {
		fmt.Fprintf(&out, verb+" "+verb+" "+verb+"\n", v, c, &c)
	}
	fmt.Fprintln(&out, v, c, fmt.Errorf("bad key %v", v))
	for _, enc := range []func(any) ([]byte, error){json.Marshal, yaml.Marshal} {
		b, err := enc(c)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(b, []byte(Redacted)) {
			t.Errorf("encoded without the placeholder: %s", b)
		}
		out.Write(b)
	}
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "key", v, "config", c)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "key", v, "config", c)
	for _, form := range []string{leak, fmt.Sprintf("%x", leak), fmt.Sprintf("%X", leak), leak[:3]} {
		if strings.Contains(out.String(), form) {
			t.Errorf("leaked %q in:\n%s", form, out.String())
		}
	}
	if v.Reveal() != leak || v.IsZero() {
		t.Error("Reveal does not give the secret")
	}
	if z := New(""); !z.IsZero() || z.Reveal() != "" || z.String() != "" {
		t.Error("an empty secret is not zero")
	}
}

func TestRedact(t *testing.T) {
	got := Redact("key abc-long and abc and abc-long", New("abc"), Value{}, New("abc-long"))
	if want := "key [redacted] and [redacted] and [redacted]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestParseRef(t *testing.T) {
	ok := map[string]any{"env": "X"}
	if r, err := ParseRef(ok); err != nil || r.Env != "X" || r.String() != "{env: X}" {
		t.Errorf("got %v, %v", r, err)
	}
	_, err := ParseRef(leak)
	if !errors.Is(err, ErrLiteral) || strings.Contains(fmt.Sprint(err), leak) {
		t.Errorf("literal: %v", err)
	}
	for _, bad := range []any{map[string]any{}, map[string]any{"env": ""}, map[string]any{"env": 3}, map[string]any{"evn": "X"},
		map[string]any{"env": "X", "file": "Y"}, nil, 7} {
		if _, err := ParseRef(bad); err == nil {
			t.Errorf("%v accepted", bad)
		}
	}
}

func TestResolve(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "key"), []byte("  from file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "empty"), []byte(" \n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "huge"), make([]byte, maxFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	env := func(name string) (string, bool) {
		v, ok := map[string]string{"SET": "from env", "EMPTY": ""}[name]
		return v, ok
	}
	for ref, want := range map[Ref]string{{Env: "SET"}: "from env", {File: "key"}: "from file", {File: filepath.Join(dir, "key")}: "from file"} {
		v, err := ref.Resolve(dir, env)
		if err != nil || v.Reveal() != want {
			t.Errorf("%v: %q, %v", ref, v.Reveal(), err)
		}
	}
	for _, ref := range []Ref{{Env: "UNSET"}, {Env: "EMPTY"}, {File: "nope"}, {File: "empty"}, {File: "huge"}, {File: "."}} {
		if v, err := ref.Resolve(dir, env); err == nil {
			t.Errorf("%v resolved to %d bytes", ref, len(v.Reveal()))
		}
	}
}

func TestHeaderName(t *testing.T) {
	for name, want := range map[string]bool{"Authorization": true, "X-Api-Key": true, "api-key": true, "Cookie": true, "X-Auth-Token": true,
		"X-Team": false, "Accept": false, "X-Request-Id": false} {
		if HeaderName(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
