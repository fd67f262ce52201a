package testset_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/testset"
)

// drawnText is what hurts exchange formats: quotation marks, separators, line breaks of both kinds, brackets.
func drawnText(t *rapid.T, name string) string {
	return rapid.StringMatching(`[a-zé,;"'|<=\[{-]{1,4}([ \n]|\r\n|\t)?[a-z0-9\]}"]{1,6}`).Draw(t, name)
}

// drawnTarget is a chunk by its key, a chunk with its place, a document, or words alone.
func drawnTarget(t *rapid.T) assay.Target {
	n := rapid.IntRange(0, 3).Draw(t, "which")
	chunk := rapid.SampledFrom([]string{"c%d", "[c%d]", " c%d ", "c,\"%d", "é\u00a0%d"}).Draw(t, "chunk")
	switch rapid.SampledFrom([]string{"chunk", "placed", "words", "document"}).Draw(t, "target") {
	case "placed":
		quote := drawnText(t, "quote")
		return assay.Target{Chunk: fmt.Sprintf("placed%d", n), Document: fmt.Sprintf("d%d.md", n), Version: "sha256:1", Start: 10 * n, End: 10*n + len(quote), Quote: quote,
			Before: rapid.SampledFrom([]string{"", " so\r\n", "\n"}).Draw(t, "before"), After: " ", TextHash: "sha256:2"}
	case "words":
		return assay.Target{Quote: fmt.Sprint(drawnText(t, "words"), n)}
	case "document":
		return assay.Target{Document: fmt.Sprintf("whole%d.md", n), Version: "sha256:3"}
	}
	return assay.Target{Chunk: fmt.Sprintf(chunk, n)}
}

// drawnSet is a set with everything that an exchange form may lose. plain keeps to what qrels can say: chunks by keys
// without blanks, and grades.
func drawnSet(t *rapid.T, plain bool) *testset.Set {
	var queries []assay.Query
	var labels []assay.Label
	for i := range rapid.IntRange(1, 4).Draw(t, "queries") {
		q := assay.Query{Text: fmt.Sprint(i, strings.TrimSpace(drawnText(t, "text")))}
		if rapid.Bool().Draw(t, "named") {
			q.ID = fmt.Sprint("id", i)
		}
		q.Tags = rapid.SampledFrom([][]string{nil, {"ops"}, {assay.TagUnanswerable, "b, c"}, {"x", "y"}}).Draw(t, "tags")
		q.Weight = rapid.SampledFrom([]float64{0, 0.25, 3}).Draw(t, "weight")
		if rapid.Bool().Draw(t, "filtered") {
			q.Filter = &assay.Filter{Field: "lang", Eq: "de"}
		}
		q.Origin = rapid.SampledFrom([]*assay.Origin{nil, {Method: "import", Document: "d1.md"}, {Method: "llm", Model: "m", Seed: 7, Document: "d,\"2\".md", Passed: []string{"a"}}}).Draw(t, "origin")
		if q.ID == "" {
			q.ID = testset.QueryID(q.Text, q.Filter)
		}
		queries = append(queries, q)
		for range rapid.IntRange(0, 5).Draw(t, "events") {
			l := assay.Label{Query: q.ID, Event: assay.EventGrade, By: assay.ByHuman, Who: rapid.SampledFrom([]string{"ann", "bob", assay.Adjudicated}).Draw(t, "who"),
				Time: noon.Add(time.Duration(len(labels)) * time.Second), Note: rapid.SampledFrom([]string{"", "why, \"so\"\r\n "}).Draw(t, "note")}
			switch rapid.IntRange(0, 3).Draw(t, "rater") {
			case 0:
				l.By, l.Who = assay.ByJudge, "qwen"
			case 1:
				l.By, l.Who = assay.BySynthetic, "m"
			}
			l.Grade = rapid.IntRange(0, 3).Draw(t, "grade")
			if rapid.Bool().Draw(t, "given") {
				given := []float64{0, -2, 0.5, 4}[l.Grade]
				l.Given = &given
			}
			if plain {
				l.Target, l.Note = assay.Target{Chunk: fmt.Sprint("c;é#", rapid.IntRange(0, 3).Draw(t, "chunk"))}, ""
				labels = append(labels, l)
				continue
			}
			l.Target = drawnTarget(t)
			if e := rapid.SampledFrom([]assay.Event{"", "", "", assay.EventBadQuery, assay.EventBrokenText, assay.EventUnsure, assay.EventUndo}).Draw(t, "event"); e != "" {
				l.Event, l.Grade, l.Given = e, 0, nil
			} else if at := l.Target; at.Anchored() && rapid.Bool().Draw(t, "marked") {
				l.Evidence = &assay.Anchor{Document: at.Document, Version: at.Version, Start: at.Start, End: at.Start + 1, Quote: at.Quote[:1]}
				if !utf8.ValidString(l.Evidence.Quote) {
					l.Evidence = nil
				}
			}
			labels = append(labels, l)
		}
	}
	set, err := testset.New(queries, labels)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// said is all that a set says of its queries, but for its history.
func said(s *testset.Set) map[string]any {
	out := map[string]any{}
	for _, q := range s.Queries() {
		q.Origin.Source = "" // where it was read
		if q.Tags == nil {
			q.Tags = []string{}
		}
		labels := map[string]assay.Label{}
		for _, l := range s.Labels(q.ID) {
			l.Evidence = nil // a label that counts is tied to it
			labels[testset.Key(&l.Target)] = l
		}
		verdict := s.Verdict(q.ID)
		var broken []string
		for i := range verdict.Broken {
			broken = append(broken, testset.Key(&verdict.Broken[i]))
		}
		slices.Sort(broken)
		out[q.ID] = []any{q, labels, verdict.BadQuery, broken}
	}
	return out
}

// sent exports a set and returns what to import.
func sent(t *rapid.T, set *testset.Set, form testset.Form, dir string) ([]string, *testset.Exported) {
	if form != testset.FormJSON && form != testset.FormCSV {
		report, err := set.ExportDir(dir, form, nil)
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		return []string{dir}, report
	}
	var buf bytes.Buffer
	report, err := set.Export(&buf, form, nil)
	if err != nil {
		t.Fatalf("%s: %v", form, err)
	}
	path := dir + "." + string(form)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, buf.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return []string{path}, report
}

func withOrigins(s *testset.Set, t *rapid.T) *testset.Set {
	queries := s.Queries()
	var labels []assay.Label
	for i := range queries {
		if queries[i].Origin == nil {
			queries[i].Origin = &assay.Origin{Method: "import"}
		}
		labels = append(labels, s.Events(queries[i].ID)...)
	}
	out, err := testset.New(queries, labels)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestExchangeKeepsAll: json, csv and assay's own form give back the same set: every query with its fields, every label
// that counts with its grade, scale, rater, time and text, and what raters said of queries and passages. Given back to the
// set it came from, nothing is new.
func TestExchangeKeepsAll(t *testing.T) {
	base := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		set := withOrigins(drawnSet(rt, false), rt)
		for _, form := range []testset.Form{testset.FormJSON, testset.FormCSV, testset.FormAssay} {
			files, report := sent(rt, set, form, filepath.Join(base, fmt.Sprint(n), string(form)))
			for _, w := range report.Warnings {
				if w.Code != "history" {
					rt.Errorf("%s: %v", form, w)
				}
			}
			back, err := testset.New(nil, nil)
			if err != nil {
				rt.Fatal(err)
			}
			if _, err := back.Import(files, testset.ImportOptions{Now: noon}); err != nil {
				data, _ := os.ReadFile(files[0])
				rt.Fatalf("%s: %v (%s)\n%s", form, err, assay.Hint(err), data)
			}
			if diff := cmp.Diff(said(set), said(back)); diff != "" {
				data, _ := os.ReadFile(files[0])
				rt.Errorf("%s (-want +got):\n%s\n%s", form, diff, data)
			}
			if again, err := set.Import(files, testset.ImportOptions{Now: noon}); err != nil || again.NewLabels+again.NewQueries > 0 {
				rt.Errorf("%s into the set itself: %+v, %v", form, again, err)
			}
		}
	})
}

// TestQrelsKeepGrades: beir and trec give back every query, and every grade on the map that the export names; beir the
// fields of queries too.
func TestQrelsKeepGrades(t *testing.T) {
	base := t.TempDir()
	n := 0
	own := testset.Scale{0: 0, -2: 1, 0.5: 2, 4: 3}
	grades := func(s *testset.Set, fields bool) map[string]any {
		out := map[string]any{}
		for _, q := range s.Queries() {
			labels := map[string]assay.Grade{}
			for _, l := range s.Labels(q.ID) {
				labels[l.Target.Chunk] = l.Grade
			}
			out[q.ID] = []any{labels}
			if fields {
				out[q.ID] = []any{labels, q.Text, slices.Clip(append([]string{}, q.Tags...)), q.Filter.String(), q.Weight, q.SourceDocument(), q.Origin.Method}
			}
		}
		return out
	}
	rapid.Check(t, func(rt *rapid.T) {
		n++
		set := withOrigins(drawnSet(rt, true), rt)
		for _, form := range []testset.Form{testset.FormTREC, testset.FormBEIR} {
			files, report := sent(rt, set, form, filepath.Join(base, fmt.Sprint(n), string(form)))
			var scale testset.Scale
			for _, w := range report.Warnings {
				_, text, mapped := strings.Cut(w.Text, "--map ")
				if !mapped {
					continue
				}
				var err error
				if scale, err = testset.ParseScale(text); err != nil {
					rt.Fatal(err)
				}
			}
			back, err := testset.New(nil, nil)
			if err != nil {
				rt.Fatal(err)
			}
			_, err = back.Import(files, testset.ImportOptions{Now: noon, Scale: scale})
			if err != nil && scale == nil {
				_, err = back.Import(files, testset.ImportOptions{Now: noon, Scale: own})
			}
			if err != nil {
				rt.Fatalf("%s: %v (%s)", form, err, assay.Hint(err))
			}
			if diff := cmp.Diff(grades(set, form == testset.FormBEIR), grades(back, form == testset.FormBEIR)); diff != "" {
				rt.Errorf("%s (-want +got):\n%s\n%v", form, diff, report.Warnings)
			}
		}
	})
}
