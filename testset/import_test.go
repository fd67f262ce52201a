package testset_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/testset"
)

// facts renders what a set says, a query a line: "text [id tags] target=grade(given)…".
func facts(s *testset.Set) []string {
	var out []string
	for _, q := range s.Queries() {
		line := q.Text
		if q.ID != testset.QueryID(q.Text, q.Filter) {
			line += " [" + q.ID + "]"
		}
		if len(q.Tags) > 0 {
			line += fmt.Sprint(" ", q.Tags)
		}
		for _, l := range s.Labels(q.ID) {
			line += fmt.Sprintf(" %s%s=%d", l.Target.Chunk, l.Target.Document, l.Grade)
			if l.Given != nil {
				line += fmt.Sprintf("(%v)", *l.Given)
			}
		}
		out = append(out, line)
	}
	return out
}

var pairs = []string{"how a=3 b=3", "why 2637283987631399371=3", "when"}

func TestImportForms(t *testing.T) {
	qrels := "7 0 a 1\r\n7\tQ0\tb\t0\n8 0 c\u00a0d 1\n" // C1: a no-break space belongs to the id
	for _, tc := range []struct {
		name  string
		files map[string]string // imported in the order of their names unless `from` is set
		from  string
		opts  testset.ImportOptions
		form  testset.Form
		want  []string
	}{
		{name: "json lines", form: testset.FormJSON, want: pairs,
			files: map[string]string{"q.jsonl": `{"query":"how","relevant_chunk_id":"a"}` + "\n" + `{"query":"how","relevant_chunk_id":"b"}` + "\n\n" + `{"query":"why","relevant_chunk_id":2637283987631399371}` + "\n" + `{"query":"when"}`}},
		{name: "json array", form: testset.FormJSON, want: pairs,
			files: map[string]string{"q.json": "\ufeff" + `[ {"query":"how", "relevant_ids":["a","b","a"]},` + "\n" + `{"query":"why","relevant_ids":[2637283987631399371]}, {"query":"when","relevant_chunk_id":null} ]`}},
		{name: "json with everything", form: testset.FormJSON, want: []string{"how [x1] [ops] a=2(9)"},
			files: map[string]string{"q.json": `[{"id":"x1","query":"how","relevant_chunk_id":"a","grade":2,"given":9,"tags":["ops"],"weight":2,"filter":{"field":"lang","eq":"de"}}]`}},
		{name: "other field names", form: testset.FormJSON, want: []string{"how [efc09699] [docs] a=3 b=3"},
			files: map[string]string{"q.json": `[{"id":"efc09699","question":"how","correct_chunks":["a","b"],"correct_answer":"so"}]`},
			opts:  testset.ImportOptions{QueryField: "question", IDsField: "correct_chunks", Tags: []string{"docs"}}},
		{name: "csv", form: testset.FormCSV, want: pairs,
			files: map[string]string{"q.csv": "Query,relevant_chunk_id\r\nhow,a\r\n\"how\",b\r\nwhy,2637283987631399371\r\nwhen,\r\n"}},
		{name: "tab-separated columns", form: testset.FormCSV, want: pairs,
			files: map[string]string{"q.tsv": "query\trelevant_ids\nhow\t[\"a\",\"b\"]\nwhy\t[2637283987631399371]\nwhen\t\n"}},
		{name: "csv cell with separators in the id", form: testset.FormCSV, want: []string{"how, then a;b|c=3"},
			files: map[string]string{"q.csv": "query,relevant_chunk_id\n\"how, then\",a;b|c\n"}},
		{name: "text", form: testset.FormText, want: []string{"how to rank in 2024", "top films of 2023"},
			files: map[string]string{"q.txt": "how to rank in 2024\n\n  top films of 2023 \r\ntop films of 2023"}},
		{name: "text with commas", form: testset.FormText, want: []string{"how to index, query, and rank", "why"},
			files: map[string]string{"q.txt": "how to index, query, and rank\nwhy\n"}},
		{name: "text forced on what looks like JSON", form: testset.FormText, want: []string{"[draft] how", "{x} why"},
			files: map[string]string{"q.txt": "[draft] how\n{x} why"}, opts: testset.ImportOptions{Form: testset.FormText}},
		{name: "trec topics and qrels", form: testset.FormTREC, want: []string{"how & why [7] a=3(1) b=0(0)", "when [8] c\u00a0d=3(1)"},
			files: map[string]string{"a.topics": "<top>\n<num> Number: 7\n<title> how &amp;\n why\n<desc> Description:\nlong\n</top>\n\n<top>\n<num>8</num><title>when</title>\n</top>", "b.qrels": qrels}},
		{name: "trec description as query", form: testset.FormTREC, want: []string{"long [7] a=3(1) b=0(0)", "other [8] c\u00a0d=3(1)"}, opts: testset.ImportOptions{TopicField: "desc"},
			files: map[string]string{"a.topics": "<top>\n<num> Number: 7\n<title> how\n<desc> Description:\nlong\n</top>\n<top><num>8<title>x<desc>other</top>", "b.qrels": qrels}},
		{name: "xml topics", form: testset.FormTREC, want: []string{"how [7] a=3(1) b=0(0)", "when [8] c\u00a0d=3(1)"},
			files: map[string]string{"a.xml": `<?xml version="1.0"?>` + "\n<topics>\n<topic number=\"7\" type=\"x\"><query>how</query></topic>\n<topic number='8'><title>when</title></topic></topics>", "b.qrels": qrels}},
		{name: "topics by tab, qrels first", form: testset.FormTREC, want: []string{"how [7] a=3(1) b=0(0)", "when [8] c\u00a0d=3(1)"},
			files: map[string]string{"a.qrels": qrels, "b.tsv": "7\thow\n8\twhen\n"}},
		{name: "beir folder", from: ".", form: testset.FormBEIR, want: []string{"how [1] a=3(1) b=0(0)", "when [3] c=3(1)"},
			files: map[string]string{"queries.jsonl": `{"_id":"1","text":"how","metadata":{}}` + "\n" + `{"_id":"2","text":"of the train split"}` + "\n" + `{"_id":"3","text":"when"}`,
				"qrels/test.tsv": "query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t0\n3\tc\t1\n", "qrels/train.tsv": "query-id\tcorpus-id\tscore\n2\tz\t1\n"}},
		{name: "beir folder, other split", from: ".", form: testset.FormBEIR, want: []string{"train [2] z=3(1)"}, opts: testset.ImportOptions{Split: "train"},
			files: map[string]string{"queries.jsonl": `{"_id":"1","text":"how"}` + "\n" + `{"_id":"2","text":"train"}`, "qrels/train.tsv": "query-id\tcorpus-id\tscore\n2\tz\t1\n"}},
		{name: "beir folder without qrels", from: ".", form: testset.FormBEIR, want: []string{"how [1]"},
			files: map[string]string{"queries.jsonl": `{"_id":"1","text":"how"}`}},
		{name: "grades on another scale", form: testset.FormTREC, want: []string{"how [7] a=2(1) b=3(4) c=0(0)"}, opts: testset.ImportOptions{Scale: testset.Scale{0: 0, 1: 2, 4: 3}},
			files: map[string]string{"a.tsv": "7\thow", "b.qrels": "7 0 a 1\n7 0 b 4\n7 0 c 0\n7 0 d -1\n"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := folder(t, tc.files)
			var files []string
			if tc.from != "" {
				files = []string{filepath.Join(dir, tc.from)}
			} else {
				for name := range tc.files {
					files = append(files, filepath.Join(dir, name))
				}
				slices.Sort(files)
			}
			home := t.TempDir()
			set, err := testset.OpenOrCreate(home)
			if err != nil {
				t.Fatal(err)
			}
			report, err := set.Import(files, tc.opts)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, facts(set)); diff != "" {
				t.Errorf("set (-want +got):\n%s", diff)
			}
			if report.Form != tc.form || report.NewQueries != len(tc.want) {
				t.Errorf("form %q, %d new queries", report.Form, report.NewQueries)
			}
			version := set.Version()
			again, err := testset.OpenOrCreate(home)
			if err != nil {
				t.Fatal(err)
			}
			report, err = again.Import(files, tc.opts)
			if err != nil || report.NewQueries != 0 || report.NewLabels != 0 || again.Version() != version {
				t.Errorf("imported twice: %d queries and %d labels added, version equal %v, error %v", report.NewQueries, report.NewLabels, again.Version() == version, err)
			}
		})
	}
}

func TestImportRefuses(t *testing.T) {
	for _, tc := range []struct {
		name string
		text string
		opts testset.ImportOptions
		want []string
	}{
		{"empty file", " \n", testset.ImportOptions{}, []string{"is empty"}},
		{"broken JSON line", `{"query":"a"}` + "\n" + `{"query":"b"}` + "\n" + `{"query":"c",}` + "\n", testset.ImportOptions{}, []string{"f:3", "not JSON"}},
		{"array not closed", `[{"query":"a"}` + "\n" + `,{"query":"b"}`, testset.ImportOptions{}, []string{"f:2"}},
		{"no query field", `[{"question":"a"}]`, testset.ImportOptions{}, []string{"f:1", `no "query"`, "--query-field"}},
		{"not an object", "[1,\n2]", testset.ImportOptions{}, []string{"f:1", "object"}},
		{"an id that is a list of lists", `[{"query":"a","relevant_ids":[["x"]]}]`, testset.ImportOptions{}, []string{"f:1", "is not an id"}},
		{"unknown filter", `{"query":"a","filter":{"like":"x"}}`, testset.ImportOptions{}, []string{"f:1", "like"}},
		{"invalid UTF-8", "{\"query\":\"\xff\"}", testset.ImportOptions{}, []string{"f:1", "UTF-8"}},
		{"binary", "a\x00b", testset.ImportOptions{}, []string{"not a text file"}},
		{"gzip", "\x1f\x8b\x08", testset.ImportOptions{}, []string{"compressed", "gunzip"}},
		{"graded JSON", `{"query":"a","relevant_chunk_id":"x","grade":2}`, testset.ImportOptions{}, []string{"2 (1 label)", "--map 1=2,2=3"}},
		{"graded qrels", "1 0 a 1\n1 0 b 2\n1 0 c 2\n", testset.ImportOptions{}, []string{"1 (1 label), 2 (2 labels)", "--map 1=2,2=3"}},
		{"map with a hole", "1 0 a 1\n1 0 b 2\n", testset.ImportOptions{Scale: testset.Scale{0: 0, 1: 2}}, []string{"grade 2 means"}},
		{"qrels without topics", "1 0 a 1\n", testset.ImportOptions{}, []string{`"1"`, "TOPICS QRELS"}},
		{"ragged csv", "query,relevant_chunk_id\na,b\nc\n", testset.ImportOptions{}, []string{"f:3", "number of fields"}},
		{"csv without query column", "question,id\na,b\n", testset.ImportOptions{Form: testset.FormCSV}, []string{"f:1", `no column "query"`}},
		{"grade that is no number", "1\t0\ta\tx\n", testset.ImportOptions{Form: testset.FormTREC}, []string{"not what format \"trec\""}},
		{"topic without title", "<top>\n<num>1\n</top>", testset.ImportOptions{}, []string{"f:1", "no <title>"}},
		{"topic without number", "\n<top>\n<title>x\n</top>", testset.ImportOptions{}, []string{"f:2", "without <num>"}},
		{"one id, two texts", "1\thow\n1\twhy\n", testset.ImportOptions{}, []string{"f:2", `"1" already means "how"`}},
		{"query too long", strings.Repeat("x", testset.MaxQueryBytes+1), testset.ImportOptions{}, []string{"f:1", "bytes long"}},
		{"a folder's form", "x", testset.ImportOptions{Form: testset.FormAssay}, []string{"is a folder"}},
		{"ids of another corpus", `{"query":"a","relevant_ids":["x","y"]}`, testset.ImportOptions{Lookup: corpus()}, []string{`none of the 2`, `"x", "y"`, `"42", "d1#0-9"`, "--no-check"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set, err := testset.OpenOrCreate(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			_, err = set.Import([]string{filepath.Join(folder(t, map[string]string{"f": tc.text}), "f")}, tc.opts)
			wantUsage(t, err, tc.want...)
			if files, _ := os.ReadDir(set.Dir()); len(files) > 0 || set.Len() > 0 {
				t.Errorf("a refused import left %d queries and %d files", set.Len(), len(files))
			}
		})
	}
}

func TestImportChecksIDs(t *testing.T) {
	set, err := testset.OpenOrCreate(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder(t, map[string]string{"f": `[{"query":"a","relevant_ids":["d1#0-9","gone","d1"],"answer":"x"},{"query":"b"}]`}), "f")
	// Imported unchecked first: the labels are tied to keys only, and the report says so.
	report, err := set.Import([]string{file}, testset.ImportOptions{})
	if err != nil || !slices.ContainsFunc(report.Warnings, func(w assay.Warning) bool { return w.Code == "unchecked_ids" }) {
		t.Fatalf("error %v, warnings %v", err, report.Warnings)
	}
	report, err = set.Import([]string{file}, testset.ImportOptions{Lookup: corpus()})
	if err != nil {
		t.Fatal(err)
	}
	want := &testset.Imported{Form: testset.FormJSON, Queries: 2, Labels: 3, NewLabels: 2, Unlabelled: 1, Known: 2, Checked: true,
		Unknown: testset.IDs{Count: 1, First: []string{"gone"}}, CorpusIDs: []string{"42", "d1#0-9", "d1#10-20"},
		Warnings: []assay.Warning{
			{Code: "unknown_ids", Text: `1 of 3 relevant ids are not in the corpus: "gone"; the corpus has "42", "d1#0-9", "d1#10-20"`},
			{Code: "unlabelled", Text: "1 query has no label: run and counted, not scored"},
			{Code: "ignored_fields", Text: "fields that were not read: answer (1)"},
		}}
	if diff := cmp.Diff(want, report, cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".seen" }, cmp.Ignore())); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	// The key imported first and the place found later are one target; a document id judges the document.
	got := map[string]bool{}
	for _, l := range set.Labels(set.Queries()[0].ID) {
		got[fmt.Sprintf("%s|%s|%s", l.Target.Chunk, l.Target.Document, l.Target.Quote)] = testset.WholeDocument(&l.Target)
	}
	if diff := cmp.Diff(map[string]bool{"d1#0-9|d1|first one": false, "gone||": false, "|d1|": true}, got); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
}

func TestParseScale(t *testing.T) {
	for _, tc := range []struct {
		text string
		want testset.Scale
		err  string
	}{
		{"1=2,2=3", testset.Scale{0: 0, 1: 2, 2: 3}, ""},
		{" 0=1 , -2=0, 0.5=2 ", testset.Scale{0: 1, -2: 0, 0.5: 2}, ""},
		{"same", testset.Scale{0: 0, 1: 1, 2: 2, 3: 3}, ""},
		{"1:2", nil, "--map 1=2,2=3"},
		{"", nil, "cannot read"},
		{"1=4", nil, "outside 0 to 3"},
		{"1=2,1=3", nil, "twice"},
		{"NaN=2", nil, "cannot read"},
	} {
		got, err := testset.ParseScale(tc.text)
		if tc.err != "" {
			wantUsage(t, err, tc.err)
		} else if diff := cmp.Diff(tc.want, got); err != nil || diff != "" {
			t.Errorf("%q: %v %s", tc.text, err, diff)
		}
	}
}
