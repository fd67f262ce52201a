package config_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
)

// validators stand in for the rooms above: measure "m", kinds with an option table of their own.
var validators = config.Validators{
	Measure: func(name string) error {
		if !strings.Contains(name, "@") && name != "map" {
			return fmt.Errorf("unknown measure %q", name)
		}
		return nil
	},
	Retriever: func(kind string, options map[string]any) []config.OptionError {
		if kind == "qdrant" && options["collection"] == nil {
			return []config.OptionError{{Option: "collection", Err: errors.New("is missing")}}
		}
		return nil
	},
	Rule: func(string) error { return nil },
}

func TestFull(t *testing.T) {
	cfg, err := config.Load("testdata/full.yaml", []string{"run.workers=3", "systems.lexical.k=20"}, validators)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range cfg.Systems {
		names = append(names, s.Name)
	}
	if diff := cmp.Diff([]string{"docs_v3", "lexical", "dense", "hybrid", "app", "script"}, names); diff != "" {
		t.Errorf("systems keep the order of the file: %s", diff)
	}
	docs, _ := cfg.System("docs_v3")
	if docs.Rerank.Depth != 100 || docs.Retriever.Options["collection"] != "docs_v3" || docs.Config["chunk_size"] != "medium" {
		t.Errorf("docs_v3 = %+v", docs)
	}
	lexical, _ := cfg.System("lexical")
	if lexical.K != 20 || cfg.Run.Workers != 3 || cfg.Run.Timeout != 30*time.Second {
		t.Errorf("--set: k %d, workers %d, timeout %v", lexical.K, cfg.Run.Workers, cfg.Run.Timeout)
	}
	if !filepath.IsAbs(cfg.Testset) || !strings.HasSuffix(cfg.Corpus.Path, filepath.Join("testdata", "docs")) {
		t.Errorf("paths: %s, %s", cfg.Testset, cfg.Corpus.Path)
	}
	vllm, _ := cfg.Model("vllm")
	if vllm.Remote.APIKey.Env != "VLLM_KEY" {
		t.Errorf("api_key = %v", vllm.Remote.APIKey)
	}
}

func TestThreeLines(t *testing.T) {
	cfg, err := config.Parse([]byte("version: 1\ncorpus:\n  path: docs\n"), "assay.yaml", nil, validators)
	if err != nil {
		t.Fatal(err)
	}
	if len(cfg.Systems) != 1 || cfg.Systems[0].Retriever.Kind != "bm25" || cfg.Systems[0].K != 10 {
		t.Errorf("systems = %+v", cfg.Systems)
	}
	if cfg.Corpus.Chunk != (config.Chunk{}) {
		t.Errorf("nothing was said of chunks, yet chunk = %+v", cfg.Corpus.Chunk)
	}
	cfg, err = config.Parse([]byte("corpus: {path: docs, chunk: {unit: char}}\n"), "assay.yaml", nil, validators)
	if want := (config.Chunk{By: "heading", Size: 300, Overlap: 40, Unit: "char"}); err != nil || cfg.Corpus.Chunk != want {
		t.Errorf("chunk = %+v, %v", cfg.Corpus.Chunk, err)
	}
}

// TestBadFiles pairs every bad file with its message: name.yaml beside name.txt.
func TestBadFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no bad files: %v", err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			_, err := config.Load(f, nil, validators)
			if err == nil {
				t.Fatal("accepted")
			}
			if !errors.Is(err, assay.ErrUsage) {
				t.Errorf("not an error of usage: %v", err)
			}
			golden := strings.TrimSuffix(f, ".yaml") + ".txt"
			got := strings.ReplaceAll(err.Error(), filepath.ToSlash(f), filepath.Base(f)) + "\n"
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSetIsReadAsYAML(t *testing.T) {
	base := "corpus: {path: docs}\n"
	for set, wantErr := range map[string]string{
		"run.timeout=5s":            "",
		"measures=[recall@5, map]":  "",
		"run.timeout=soon":          "--set run.timeout=soon: run.timeout: expected a duration",
		"run.tmeout=5s":             `did you mean "timeout"?`,
		"nonsense":                  "expected key=value",
		"systems.x.retriever=false": "expected a mapping",
	} {
		_, err := config.Parse([]byte(base), "assay.yaml", []string{set}, validators)
		switch {
		case wantErr == "" && err != nil:
			t.Errorf("--set %s: %v", set, err)
		case wantErr != "" && (err == nil || !strings.Contains(err.Error(), wantErr)):
			t.Errorf("--set %s: got %v, want %q", set, err, wantErr)
		}
	}
}

func TestMissingFileHasHint(t *testing.T) {
	_, err := config.Load(filepath.Join(t.TempDir(), "assay.yaml"), nil, validators)
	if assay.Hint(err) == "" || !errors.Is(err, assay.ErrUsage) {
		t.Errorf("err = %v, hint %q", err, assay.Hint(err))
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "version: 1", "a: &x [*x]", "a: {b: [1, 2]}\na: 1", "? [x]", "- 1", "corpus: {path: \"\\x00\"}",
		"systems: {a: {retriever: {kind: fuse, of: [a]}}}", "run: {timeout: 1h, workers: auto}", "<<: {a: 1}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		cfg, err := config.Parse(data, "assay.yaml", nil, validators)
		if (cfg == nil) == (err == nil) {
			t.Fatalf("config %v with error %v", cfg, err)
		}
	})
}

// TestYAMLRoundTrip: what `config check` prints is a file that gives the same configuration.
func TestYAMLRoundTrip(t *testing.T) {
	cfg, err := config.Load("testdata/full.yaml", nil, validators)
	if err != nil {
		t.Fatal(err)
	}
	text, err := cfg.YAML()
	if err != nil {
		t.Fatal(err)
	}
	again, err := config.Parse([]byte(text), "testdata/full.yaml", nil, validators)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if diff := cmp.Diff(cfg.Effective(), again.Effective()); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(text, "env: VLLM_KEY") {
		t.Errorf("the secret's reference is missing in\n%s", text)
	}
}
