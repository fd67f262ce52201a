package testset_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/testset"
)

func sample(t *testing.T) *testset.Set {
	t.Helper()
	given := func(f float64) *float64 { return &f }
	label := func(query string, target assay.Target, grade assay.Grade, g *float64) assay.Label {
		return assay.Label{Query: query, Target: target, Event: assay.EventGrade, Grade: grade, Given: g, By: assay.ByHuman, Who: "ann", Time: noon}
	}
	bad := label("bad", assay.Target{Chunk: "a"}, 0, nil)
	bad.Event = assay.EventBadQuery
	set, err := testset.New([]assay.Query{
		{ID: "1", Text: "how,\n\"so\"", Tags: []string{"ops"}, Filter: &assay.Filter{Field: "lang", Eq: "de"}},
		{ID: "2", Text: "why <b>"},
		{ID: "bad", Text: "xx"},
		{Text: "when"},
	}, []assay.Label{
		label("1", assay.Target{Chunk: "a"}, 2, given(1)),
		label("1", assay.Target{Chunk: "b"}, 0, given(0)),
		label("2", assay.Target{Document: "doc"}, 3, given(2)),
		label("2", assay.Target{Document: "doc", Start: 1, End: 2, Quote: "x"}, 3, given(2)),
		bad,
	})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func codes(warnings []assay.Warning) string {
	var out []string
	for _, w := range warnings {
		out = append(out, w.Code)
	}
	return strings.Join(out, " ")
}

func TestExportStreams(t *testing.T) {
	when := testset.QueryID("when", nil)
	for _, tc := range []struct {
		form     testset.Form
		want     string
		warnings string
		queries  int
	}{
		{testset.FormJSON, `{"id":"1","query":"how,\n\"so\"","relevant_chunk_id":"a","grade":2,"scale":"assay","given":1,"by":"human","who":"ann","time":"2026-12-02T12:00:00Z","filter":{"field":"lang","eq":"de"},"tags":["ops"]}
{"id":"1","query":"how,\n\"so\"","judged_chunk_id":"b","grade":0,"scale":"assay","given":0,"by":"human","who":"ann","time":"2026-12-02T12:00:00Z","filter":{"field":"lang","eq":"de"},"tags":["ops"]}
{"id":"2","query":"why <b>","relevant_chunk_id":"doc","grade":3,"scale":"assay","given":2,"by":"human","who":"ann","time":"2026-12-02T12:00:00Z","target":{"document":"doc"}}
{"id":"2","query":"why <b>","grade":3,"scale":"assay","given":2,"by":"human","who":"ann","time":"2026-12-02T12:00:00Z","target":{"document":"doc","start":1,"end":2,"quote":"x"}}
{"id":"bad","query":"xx","scale":"assay","event":"bad_query","by":"human","who":"ann","time":"2026-12-02T12:00:00Z"}
{"query":"when"}
`, "", 4},
		{testset.FormCSV, "id,query,relevant_chunk_id,grade,given,judged_chunk_id,document,quote,by,who,time,note,event,tags,filter,weight,source_document,origin,start,end,version,before,after,text_hash,scale\n" +
			"1,\"how,\n\"\"so\"\"\",a,2,1,,,,human,ann,2026-12-02T12:00:00Z,,,ops,\"{\"\"field\"\":\"\"lang\"\",\"\"eq\"\":\"\"de\"\"}\",,,,,,,,,,assay\n" +
			"1,\"how,\n\"\"so\"\"\",,0,0,b,,,human,ann,2026-12-02T12:00:00Z,,,ops,\"{\"\"field\"\":\"\"lang\"\",\"\"eq\"\":\"\"de\"\"}\",,,,,,,,,,assay\n" +
			"2,why <b>,doc,3,2,,doc,,human,ann,2026-12-02T12:00:00Z,,,,,,,,,,,,,,assay\n" +
			"2,why <b>,,3,2,,doc,x,human,ann,2026-12-02T12:00:00Z,,,,,,,,1,2,,,,,assay\n" +
			"bad,xx,,,,,,,human,ann,2026-12-02T12:00:00Z,,bad_query,,,,,,,,,,,,assay\n" +
			when + ",when,,,,,,,,,,,,,,,,,,,,,,,\n", "", 4},
		{testset.FormText, "how, \"so\"\nwhy <b>\nwhen\n", "bad_queries labels filters query_fields one_line", 3},
	} {
		var out bytes.Buffer
		report, err := sample(t).Export(&out, tc.form, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, out.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.form, diff)
		}
		if got := codes(report.Warnings); got != tc.warnings || report.Queries != tc.queries {
			t.Errorf("%s: %d queries, warnings %q, want %q", tc.form, report.Queries, got, tc.warnings)
		}
	}
	_, err := sample(t).Export(&bytes.Buffer{}, testset.FormTREC, nil)
	wantUsage(t, err, "several files", "folder")
}

func TestExportFolders(t *testing.T) {
	when := testset.QueryID("when", nil)
	for _, tc := range []struct {
		form     testset.Form
		files    map[string]string
		warnings string
	}{
		{testset.FormTREC, map[string]string{
			"topics.tsv": "1\thow, \"so\"\n2\twhy <b>\n" + when + "\twhen\n",
			"qrels.txt":  "1 0 a 1\n1 0 b 0\n2 0 doc 2\n"}, "bad_queries no_id filters query_fields one_line"},
		{testset.FormBEIR, map[string]string{
			"queries.jsonl":  `{"_id":"1","text":"how,\n\"so\"","metadata":{"assay":{"tags":["ops"],"filter":{"field":"lang","eq":"de"}}}}` + "\n" + `{"_id":"2","text":"why <b>","metadata":{}}` + "\n" + `{"_id":"` + when + `","text":"when","metadata":{"assay":{"unlabelled":true}}}` + "\n",
			"qrels/test.tsv": "query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t0\n2\tdoc\t2\n"}, "bad_queries no_id"},
	} {
		dir := t.TempDir()
		report, err := sample(t).ExportDir(dir, tc.form, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range tc.files {
			got, err := os.ReadFile(filepath.Join(dir, name))
			if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
				t.Errorf("%s %s: %v (-want +got):\n%s", tc.form, name, err, diff)
			}
		}
		if report.Labels != 3 || len(report.Files) != 2 || codes(report.Warnings) != tc.warnings {
			t.Errorf("%s: %+v", tc.form, report)
		}
	}
}

func TestExportRefuses(t *testing.T) {
	blank, err := testset.New([]assay.Query{{ID: "q 1", Text: "x"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	_, err = blank.ExportDir(dir, testset.FormTREC, nil)
	wantUsage(t, err, `"q 1"`, "blank")
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Errorf("a refused export left files")
	}
	set, err := testset.OpenOrCreate(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = set.ExportDir(dir, testset.FormAssay, nil)
	wantUsage(t, err, "test set itself")
	_, err = set.ExportDir(dir, testset.FormCSV, nil)
	wantUsage(t, err, "one stream")
}

// TestRoundTrip: what a form can say comes back unchanged when it is imported again, grades to the digit.
func TestRoundTrip(t *testing.T) {
	base := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		home := filepath.Join(base, fmt.Sprint(n))
		scale := testset.Scale{0: 0, 1: 2, 2: 3}
		binary := rapid.Bool().Draw(rt, "binary")
		var queries []assay.Query
		var labels []assay.Label
		for i := range rapid.IntRange(1, 4).Draw(rt, "queries") {
			id := fmt.Sprint("q", i)
			text := strings.Join(strings.Fields(rapid.StringMatching(`[a-zé,"'|;<]{1,6}( [a-z0-9\]\[{]{1,6}){0,3}`).Draw(rt, "text")), " ")
			queries = append(queries, assay.Query{ID: id, Text: "x" + text})
			for j := range rapid.IntRange(1, 3).Draw(rt, "labels") {
				given := float64(rapid.IntRange(1, 2).Draw(rt, "given"))
				if binary {
					given = 1
				}
				grade, _ := map[float64]assay.Grade{1: 2, 2: 3}[given]
				labels = append(labels, assay.Label{Query: id, Target: assay.Target{Chunk: fmt.Sprintf("c%d,;'\"#\u00a0%d", i, j)}, Event: assay.EventGrade,
					Grade: grade, Given: &given, By: assay.ByHuman, Who: "import", Time: noon})
			}
		}
		set, err := testset.New(queries, labels)
		if err != nil {
			rt.Fatal(err)
		}
		want := facts(set)
		for _, form := range testset.Forms() {
			if form == testset.FormText {
				continue
			}
			dir := filepath.Join(home, string(form))
			from := []string{dir}
			switch form {
			case testset.FormJSON, testset.FormCSV:
				from = []string{filepath.Join(home, "f."+string(form))}
				var buf bytes.Buffer
				if _, err := set.Export(&buf, form, nil); err != nil {
					rt.Fatal(err)
				}
				if err := os.MkdirAll(home, 0o755); err != nil {
					rt.Fatal(err)
				}
				if err := os.WriteFile(from[0], buf.Bytes(), 0o644); err != nil {
					rt.Fatal(err)
				}
			default:
				report, err := set.ExportDir(dir, form, nil)
				if err != nil {
					rt.Fatal(err)
				}
				if form == testset.FormTREC {
					from = report.Files
				}
			}
			back, err := testset.New(nil, nil)
			if err != nil {
				rt.Fatal(err)
			}
			if _, err := back.Import(from, testset.ImportOptions{Scale: scale}); err != nil {
				rt.Fatalf("%s: %v (%s)", form, err, assay.Hint(err))
			}
			if diff := cmp.Diff(want, facts(back)); diff != "" {
				rt.Errorf("%s (-want +got):\n%s", form, diff)
			}
		}
	})
}

func TestImportOwnKeepsHistory(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	set, err := testset.OpenOrCreate(a)
	if err != nil {
		t.Fatal(err)
	}
	grade := event(t, 0, "c", "human/ann grade 3")
	undo := event(t, 1, "c", "human/ann undo")
	again := event(t, 2, "c", "human/ann grade 3")
	if _, err := set.AddQueries(assay.Query{ID: "q", Text: "?", Tags: []string{"x"}}); err != nil {
		t.Fatal(err)
	}
	if err := set.AddLabels(grade, undo, again); err != nil {
		t.Fatal(err)
	}
	if _, err := set.ExportDir(b, testset.FormAssay, nil); err != nil {
		t.Fatal(err)
	}
	other, err := testset.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{3, 0} {
		report, err := other.Import([]string{b}, testset.ImportOptions{})
		if err != nil || report.NewLabels != want || report.Labels != 3 {
			t.Errorf("import %d: %+v, %v", i+1, report, err)
		}
	}
	if diff := cmp.Diff(set.Events("q"), other.Events("q")); diff != "" || set.Version() != other.Version() {
		t.Errorf("history (-want +got):\n%s", diff)
	}
}

// TestBinaryRoundTrip: pairs that say relevant, or 0 and 1, come back from every form without a word about
// scales, also when both are in one set.
func TestBinaryRoundTrip(t *testing.T) {
	qrels := filepath.Join(t.TempDir(), "qrels.txt")
	topics := filepath.Join(filepath.Dir(qrels), "topics.tsv")
	pairs := filepath.Join(filepath.Dir(qrels), "pairs.jsonl")
	for path, text := range map[string]string{topics: "t1\tretention\n", qrels: "t1 0 a 1\nt1 0 b 0\n", pairs: "{\"query\":\"who\",\"relevant_ids\":[\"a\",\"c\"]}\n"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, files := range map[string][]string{"pairs": {pairs}, "qrels": {topics, qrels}, "both": {pairs, topics, qrels}} {
		set, err := testset.New(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := set.Import(files, testset.ImportOptions{Now: noon}); err != nil {
			t.Fatal(err)
		}
		for _, form := range []testset.Form{testset.FormJSON, testset.FormCSV, testset.FormBEIR, testset.FormTREC} {
			dir := t.TempDir()
			from := []string{dir}
			switch form {
			case testset.FormJSON, testset.FormCSV:
				from[0] = filepath.Join(dir, "f."+string(form))
				f, err := os.Create(from[0])
				if err != nil {
					t.Fatal(err)
				}
				if _, err := set.Export(f, form, nil); err != nil {
					t.Fatal(err)
				}
				if err := f.Close(); err != nil {
					t.Fatal(err)
				}
			default:
				report, err := set.ExportDir(dir, form, nil)
				if err != nil || strings.Contains(codes(report.Warnings), "scale") {
					t.Fatalf("%s %s: %+v, %v", name, form, report, err)
				}
				if form == testset.FormTREC {
					from = report.Files
				}
			}
			back, err := testset.New(nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := back.Import(from, testset.ImportOptions{Now: noon}); err != nil {
				t.Errorf("%s %s: %v", name, form, err)
			}
			if d := cmp.Diff(relevance(set), relevance(back)); d != "" {
				t.Errorf("%s %s (-want +got):\n%s", name, form, d)
			}
		}
	}
}

// relevance are the relevant ids of every query, by its text.
func relevance(s *testset.Set) map[string][]string {
	out := map[string][]string{}
	for _, q := range s.Queries() {
		for _, l := range s.Labels(q.ID) {
			if l.Grade == assay.MaxGrade {
				out[q.Text] = append(out[q.Text], l.Target.Chunk)
			}
		}
	}
	return out
}

// TestOneScaleForAll: labels without a given grade are written on the scale of those with one, where it has their like, so
// that what was imported is given back as it was; the same map reads all of it.
func TestOneScaleForAll(t *testing.T) {
	given := func(g float64) *float64 { return &g }
	label := func(id string, grade assay.Grade, given *float64) assay.Label {
		return assay.Label{Query: "1", Target: assay.Target{Chunk: id}, Event: assay.EventGrade, Grade: grade, Given: given, By: assay.ByHuman, Who: "ann", Time: noon}
	}
	for name, c := range map[string]struct {
		labels   []assay.Label
		want     string
		warnings string
	}{
		"a like for each":    {[]assay.Label{label("a", 3, given(2)), label("b", 2, given(1)), label("c", 3, nil), label("d", 2, nil), label("e", 0, nil)}, "2 1 2 1 0", "given_scale"},
		"none for grade 1":   {[]assay.Label{label("a", 3, given(2)), label("b", 2, given(1)), label("c", 1, nil)}, "3 2 1", "mixed_scales own_scale"},
		"two scales":         {[]assay.Label{label("a", 3, given(2)), label("b", 3, given(5)), label("c", 3, nil)}, "3 3 3", "mixed_scales own_scale"},
		"two scales, no own": {[]assay.Label{label("a", 3, given(2)), label("b", 3, given(5))}, "2 5", ""},
		"0 is relevant":      {[]assay.Label{label("a", 3, given(0)), label("b", 2, given(1)), label("c", 0, nil)}, "3 2 0", "mixed_scales own_scale"},
		"one given for two":  {[]assay.Label{label("a", 3, given(2)), label("b", 2, given(2)), label("c", 3, nil)}, "3 2 3", "mixed_scales own_scale"},
	} {
		set, err := testset.New([]assay.Query{{ID: "1", Text: "how"}}, c.labels)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []testset.Form{testset.FormTREC, testset.FormBEIR} {
			report, err := set.ExportDir(t.TempDir(), form, nil)
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(report.Files[1])
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for line := range strings.Lines(string(data)) {
				fields := strings.Fields(line)
				if fields[0] == "1" {
					got = append(got, fields[len(fields)-1])
				}
			}
			if c.warnings == "given_scale" && !strings.HasSuffix(report.Warnings[0].Text, "--map 1=2,2=3") {
				t.Error(report.Warnings)
			}
			if s := strings.Join(got, " "); s != c.want || codes(report.Warnings) != c.warnings {
				t.Errorf("%s, %s: %s, %q; want %s, %q", name, form, s, codes(report.Warnings), c.want, c.warnings)
			}
		}
	}
}

// TestOwnScaleIsSaid: grades that mean something to assay only need a word on the way back.
func TestOwnScaleIsSaid(t *testing.T) {
	set, err := testset.New([]assay.Query{{ID: "1", Text: "how"}}, []assay.Label{
		{Query: "1", Target: assay.Target{Chunk: "a"}, Event: assay.EventGrade, Grade: 2, By: assay.ByHuman, Who: "ann", Time: noon}})
	if err != nil {
		t.Fatal(err)
	}
	report, err := set.ExportDir(t.TempDir(), testset.FormTREC, nil)
	if err != nil || codes(report.Warnings) != "own_scale" {
		t.Errorf("%+v, %v", report, err)
	}
	back, err := testset.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := back.Import(report.Files, testset.ImportOptions{}); err == nil {
		t.Error("a grade of 2 was imported without a map")
	}
	if _, err := back.Import(report.Files, testset.ImportOptions{Scale: testset.Scale{0: 0, 1: 1, 2: 2, 3: 3}}); err != nil {
		t.Error(err)
	}
}
