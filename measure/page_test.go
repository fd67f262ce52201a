package measure

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"
)

//go:generate go test -run TestMetricsPage -update .

var update = flag.Bool("update", false, "write docs/metrics.md")

// TestMetricsPage holds docs/metrics.md to the table; -update writes it.
func TestMetricsPage(t *testing.T) {
	tmpl, err := template.ParseFiles(filepath.Join("testdata", "metrics.md.tmpl"))
	if err != nil {
		t.Fatal(err)
	}
	type spelling struct{ Given, From, Canonical string }
	data := struct {
		Spellings []spelling
		Families  []*Family
	}{}
	for _, s := range [][2]string{
		{"nDCG@10", "ir_measures"}, {"RR@10", "ir_measures"}, {"P(rel=2)@5", "ir_measures"}, {"nDCG(dcg='exp-log2')@10", "ir_measures"},
		{"ndcg_cut.10", "trec_eval's -m"}, {"recip_rank", "trec_eval"}, {"ndcg.1=3,2=9", "trec_eval's -m"},
		{"P_5", "trec_eval's output, pytrec_eval"}, {"ndcg_at_10", "MTEB"}, {"R_cap@10", "BEIR"}, {"hit_rate@5", "ranx"}, {"precision@5", "ranx"},
	} {
		canonical, err := Canonical(s[0])
		if err != nil {
			t.Fatal(err)
		}
		data.Spellings = append(data.Spellings, spelling{s[0], s[1], canonical})
	}
	for _, f := range Families() {
		if !strings.HasPrefix(f.Name, "test_") && f.Source != "in house" { // what other tests register
			data.Families = append(data.Families, f)
		}
	}
	var page bytes.Buffer
	if err := tmpl.Execute(&page, data); err != nil {
		t.Fatal(err)
	}
	got := append(bytes.TrimSpace(page.Bytes()), '\n')
	path := filepath.Join("..", "docs", "metrics.md")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/metrics.md differs from the table: run go generate ./measure")
	}
}
