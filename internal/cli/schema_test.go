package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/assay-eval/assay/internal/term"
)

// compiled are the printed schemas, made ready to validate with a library that knows nothing of how they were made.
var compiled = struct {
	sync.Mutex
	of map[string]*jsonschema.Schema
}{of: map[string]*jsonschema.Schema{}}

// schemaOf is what `assay schema KIND` prints, compiled.
func schemaOf(kind string) (*jsonschema.Schema, error) {
	compiled.Lock()
	defer compiled.Unlock()
	if s, ok := compiled.of[kind]; ok {
		return s, nil
	}
	var out, errs bytes.Buffer
	if code := Run(context.Background(), []string{"schema", kind}, &term.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); code != 0 {
		return nil, fmt.Errorf("assay schema %s: %s", kind, &errs)
	}
	doc, err := jsonschema.UnmarshalJSON(&out)
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource(kind+".json", doc); err != nil {
		return nil, err
	}
	s, err := c.Compile(kind + ".json")
	compiled.of[kind] = s
	return s, err
}

// checkSchema validates a JSON document against the schema of a kind, or of the kind that it names when kind is "".
func checkSchema(kind string, doc []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		return fmt.Errorf("not one JSON document: %w", err)
	}
	if kind == "" {
		m, _ := v.(map[string]any)
		name, _ := m["schema"].(string)
		parts := strings.Split(name, "/")
		if len(parts) != 3 || parts[0] != "assay" || parts[2] != "v1" {
			return fmt.Errorf("it says that it is %q", name)
		}
		kind = parts[1]
	}
	s, err := schemaOf(kind)
	if err != nil {
		return err
	}
	if err := s.Validate(v); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	return nil
}

// mainOfTests is Main for the scripts: what a command prints under --json has to fit the schema that assay prints.
func mainOfTests() int {
	if !slices.Contains(os.Args, "--json") || slices.Contains(os.Args, "schema") || slices.Contains(os.Args, "--format") {
		return Main()
	}
	out := os.Stdout
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	os.Stdout = w
	var printed bytes.Buffer
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		_, _ = io.Copy(io.MultiWriter(out, &printed), r) // a script may close its end
		_, _ = io.Copy(io.Discard, r)
	}()
	code := Main()
	_ = w.Close()
	<-copied
	if printed.Len() == 0 || !json.Valid(printed.Bytes()) {
		return code // that there is one document is for the script to say
	}
	if err := checkSchema("", printed.Bytes()); err != nil {
		fmt.Fprintf(os.Stderr, "SCHEMA: %v: %v\n", os.Args[1:], err)
		return 99
	}
	return code
}

// Every line of the files that a project keeps fits its schema, the failed queries among them.
func TestFilesFitTheirSchemas(t *testing.T) {
	dir := t.TempDir()
	assay := func(code int, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		if got := Run(t.Context(), append(args, "--no-progress"), &term.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); got != code {
			t.Fatalf("%v ended with %d: %s%s", args, got, &out, &errs)
		}
	}
	assay(0, "demo", dir)
	config := filepath.Join(dir, "assay.yaml")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	down := strings.Replace(string(text), "systems:", "systems:\n  down: {retriever: {kind: command, command: [sh, -c, \"while read q; do echo '{\\\"error\\\":\\\"down\\\"}'; done\"]}}", 1)
	if err := os.WriteFile(config, []byte(down), 0o644); err != nil {
		t.Fatal(err)
	}
	assay(5, "-c", config, "run", "down")
	assay(0, "-c", config, "generate", "--method", "known-item", "--sample", "10")
	for glob, kind := range map[string]string{"testset/queries.jsonl": "query", "testset/labels.jsonl": "label", "eval_results.jsonl": "record", "runs/*/results.jsonl": "result",
		"runs/*/scores.jsonl": "scores", "runs/*/passages.jsonl": "passage"} {
		files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(glob)))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", glob, files, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range bytes.Lines(data) {
				if err := checkSchema(kind, line); err != nil {
					t.Fatalf("%s: %v\n%s", file, err, line)
				}
			}
		}
	}
	infos, _ := filepath.Glob(filepath.Join(dir, "runs", "*", "run.json"))
	for _, file := range infos {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkSchema("run", data); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// What commands print under --json fits the schema of the kind that it names: also what has nothing to list, and errors.
func TestDocumentsFitTheirSchemas(t *testing.T) {
	t.Chdir(t.TempDir())
	var seen []string
	run := func(args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		Run(t.Context(), append(args, "--json", "--no-progress"), &term.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if err := checkSchema("", out.Bytes()); err != nil {
			t.Errorf("%v: %v\n%.2000s", args, err, &out)
		}
		var doc struct {
			Schema string
			Config json.RawMessage
		}
		_ = json.Unmarshal(out.Bytes(), &doc) // checked a line above
		if strings.HasPrefix(doc.Schema, "assay/config-check/") {
			if err := checkSchema("config", doc.Config); err != nil {
				t.Errorf("what is in force is no assay.yaml: %v", err)
			}
		}
		seen = append(seen, strings.Split(doc.Schema, "/")[1])
	}
	run("demo", "d")
	t.Chdir("d")
	for file, text := range map[string]string{"x.qrels": "1 0 a 1\n2 0 b 1\n", "x.run": "1 Q0 a 1 2.0 t\n2 Q0 c 1 1.0 t\n"} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{"run fused", "run fused --limit 0", "rescore last", "report", "history", "runs list", "runs show last", "baseline set last --system fused",
		"baseline show", "gate", "compare last~1 last --system fused", "search plain bin", "measures", "stores", "version", "config check", "queries", "labels", "labels --stale", "agree",
		"add question --relevant nothing", "add question", "import x.qrels", "export --out x.jsonl", "score x.qrels x.run", "score x.qrels x.run -q", "doctor", "generate --method known-item --sample 3",
		"generate --dry-run --method known-item", "generate --rejects", "judge", "judge --dry-run", "label --dry-run", "help exit-codes", "completion bash", "init e --offline --dry-run", "bogus",
		"runs rm last --system fused"} {
		run(strings.Fields(args)...)
	}
	slices.Sort(seen)
	if seen = slices.Compact(seen); len(seen) < 20 {
		t.Errorf("only %d kinds were printed: %v", len(seen), seen)
	}
	t.Logf("kinds: %v", seen)
}

// A schema that allows everything would make every test of it pass.
func TestSchemasRefuse(t *testing.T) {
	for kind := range documents {
		if kind == "filter" { // described in words
			continue
		}
		if err := checkSchema(kind, []byte(`{"schema": 7, "query": 7, "hits": null}`)); err == nil {
			t.Errorf("%s: anything fits", kind)
		}
	}
}
