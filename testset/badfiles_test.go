package testset_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/testset"
)

// TestImportOfWrongFiles: files that are not what they seem end in words with their place, and leave nothing behind.
func TestImportOfWrongFiles(t *testing.T) {
	const own = `,"scale":"assay","by":"human"}`
	for name, tc := range map[string]struct {
		files map[string]string
		from  string // the files to import, apart by blanks
		opts  testset.ImportOptions
		want  []string
	}{
		"a blank in an id of qrels":     {files: map[string]string{"t.tsv": "t1\thow\n", "q.qrels": "t1 0 a b 1\n"}, from: "t.tsv q.qrels", want: []string{"q.qrels:1", "has 5", "CSV"}},
		"qrels of three fields":         {files: map[string]string{"t.tsv": "t1\thow\n", "q.qrels": "t1 d1 1\nt1 d2 0\n"}, from: "t.tsv q.qrels", want: []string{"three fields", "awk"}},
		"a header over TREC qrels":      {files: map[string]string{"t.tsv": "t1\thow\n", "q.qrels": "query it doc grade\nt1 0 a 1\nt1 0 b 1\n"}, from: "t.tsv q.qrels", want: []string{"q.qrels:1", "not a judgment"}},
		"one bad line among qrels":      {files: map[string]string{"t.tsv": "t1\thow\n", "q.qrels": "t1 0 a 1\nt1 0 b\nt1 0 c 1\n"}, from: "t.tsv q.qrels", want: []string{"q.qrels:2", "has 3"}},
		"a run":                         {files: map[string]string{"r.txt": "t1 Q0 a 1 2.5 tag\n"}, from: "r.txt", want: []string{"run", "assay score QRELS RUN"}},
		"a run among queries":           {files: map[string]string{"t.tsv": "t1\thow\n", "r": "t1 Q0 a 1 2.5 tag\n"}, from: "t.tsv r", want: []string{"run"}},
		"results of a run":              {files: map[string]string{"r.jsonl": `{"query":"q-1","hits":[]}`}, from: "r.jsonl", want: []string{"r.jsonl:1", "ranking of a run"}},
		"labels without their queries":  {files: map[string]string{"labels.jsonl": `{"query":"q-1","target":{"chunk":"a"},"event":"grade","grade":3,"by":"human"}`}, from: "labels.jsonl", want: []string{"labels.jsonl:1", "label of a test set", "assay import "}},
		"text beside qrels":             {files: map[string]string{"t.tsv": "t1\thow\n", "q.txt": "who\nwhy\n"}, from: "q.txt t.tsv", want: []string{"q.txt", "plain text", "--form text"}},
		"a file of another kind":        {files: map[string]string{"assay.yaml": "version: 1\ncorpus: {path: docs}\n"}, from: "assay.yaml", want: []string{"looks like no form", "--form text"}},
		"ends of lines of old Macs":     {files: map[string]string{"f": "query,relevant_chunk_id\rhow,a\r"}, from: "f", want: []string{"carriage return", "tr "}},
		"a workbook":                    {files: map[string]string{"f.xlsx": "PK\x03\x04\x14"}, from: "f.xlsx", want: []string{"workbook", "CSV UTF-8"}},
		"zstandard":                     {files: map[string]string{"f.zst": "(\xb5\x2f\xfd\x04"}, from: "f.zst", want: []string{"compressed", "zstd -d"}},
		"Latin 1":                       {files: map[string]string{"f.csv": "query,relevant_chunk_id\nsch\xf6n,a\n"}, from: "f.csv", want: []string{"f.csv:2", "UTF-8", "save the table"}},
		"a quotation that never ends":   {files: map[string]string{"f.csv": "query,relevant_chunk_id\n\"how,a\nwhy,b\n"}, from: "f.csv", want: []string{"f.csv:2", "opens here"}},
		"a quotation mark in a cell":    {files: map[string]string{"f.csv": "query,relevant_chunk_id\nsay \"so\",a\n"}, from: "f.csv", want: []string{"f.csv:2", "twice"}},
		"two columns of a name":         {files: map[string]string{"f.csv": "query,grade,Grade\nhow,1,0\n"}, from: "f.csv", want: []string{"f.csv:1", `two columns "grade"`}},
		"one rater, two grades":         {files: map[string]string{"t.tsv": "t1\thow\n", "q.qrels": "t1 0 a 1\nt1 0 a 0\n"}, from: "t.tsv q.qrels", want: []string{"q.qrels:2", "grade 0 here, grade 1 at", "q.qrels:1", "--who"}},
		"two grades in pairs":           {files: map[string]string{"f": `{"query":"a","relevant_chunk_id":"x","grade":1}` + "\n" + `{"query":"a","relevant_chunk_id":"x","grade":0}`}, from: "f", want: []string{"f:2", "f:1"}},
		"a map with a hole, its line":   {files: map[string]string{"t.tsv": "t1\thow\n", "q.qrels": "t1 0 a 1\nt1 0 b 2\n"}, from: "t.tsv q.qrels", opts: testset.ImportOptions{Scale: testset.Scale{1: 3}}, want: []string{"q.qrels:2", "grade 2 means"}},
		"a folder of qrels, compressed": {files: map[string]string{"d/queries.jsonl": `{"_id":"1","text":"a"}`, "d/qrels/test.tsv.gz": "\x1f\x8b"}, from: "d", want: []string{"qrels/test.tsv", "gunzip -k"}},
		"qrels of other queries":        {files: map[string]string{"d/queries.jsonl": `{"_id":"1","text":"a"}`, "d/qrels/test.tsv": "9\td\t1\n"}, from: "d", want: []string{`judges "9"`, `are "1"`}},
		"a folder of something else":    {files: map[string]string{"d/notes.md": "x"}, from: "d", want: []string{`"notes.md"`, "BEIR", "TREC"}},
		"two files of topics":           {files: map[string]string{"d/topics.a": "t1\thow\n", "d/topics.b": "t1\thow\n"}, from: "d", want: []string{"several files of topics", "assay import"}},
		"raters of a test set":          {files: map[string]string{"d/queries.jsonl": `{"id":"1","text":"a"}`, "d/labels.jsonl": ""}, from: "d", opts: testset.ImportOptions{By: assay.ByJudge}, want: []string{"their raters", "leave --by"}},
		"a grade that is no grade":      {files: map[string]string{"f": `{"query":"a","relevant_chunk_id":"x","grade":4` + own}, from: "f", want: []string{"f:1", "grade 4 is not one of assay's"}},
		"half a grade of assay's":       {files: map[string]string{"f": `{"query":"a","relevant_chunk_id":"x","grade":2.5` + own}, from: "f", want: []string{"f:1", "grade 2.5"}},
		"no rater":                      {files: map[string]string{"f": `{"query":"a","relevant_chunk_id":"x","grade":2,"scale":"assay","by":"humna"}`}, from: "f", want: []string{"f:1", `"humna" is no kind of rater`}},
		"no verdict":                    {files: map[string]string{"f": `{"query":"a","event":"undo"` + own}, from: "f", want: []string{"f:1", `"undo" is no verdict`}},
		"a quote of another length":     {files: map[string]string{"f": `{"query":"a","grade":2,"target":{"document":"d","start":1,"end":9,"quote":"x"}` + own}, from: "f", want: []string{"f:1", "offsets count bytes"}},
		"a place that is no number":     {files: map[string]string{"f.csv": "query,grade,document,start,end,scale\nhow,2,d,1.5,3,assay\n"}, from: "f.csv", want: []string{"f.csv:2", `column "start"`}},
		"a grade of nothing":            {files: map[string]string{"f": `{"query":"a","grade":2` + own}, from: "f", want: []string{"f:1", "without an id or a text"}},
		"judged, and no grade":          {files: map[string]string{"f": `{"query":"a","judged_chunk_id":"x"}`}, from: "f", want: []string{"f:1", "judged_chunk_id without a grade"}},
		"one text, two filters":         {files: map[string]string{"f": `{"id":"1","query":"a","filter":{"field":"x","eq":1}}` + "\n" + `{"id":"1","query":"a"}`}, from: "f", want: []string{"f:2", "already means \"a\" under", "here it is \"a\""}},
		"an export without pairs":       {files: map[string]string{"f": `{"schema":"assay/export/v1","pairs":3}`}, from: "f", want: []string{"f:1", "an export without its pairs"}},
		"a target of nothing":           {files: map[string]string{"f": `{"query":"a","grade":2,"target":{}` + own}, from: "f", want: []string{"f:1", "neither chunk, document nor quote"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, tc.files)
			var files []string
			for _, f := range strings.Fields(tc.from) {
				files = append(files, filepath.Join(dir, f))
			}
			set, err := testset.OpenOrCreate(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			_, err = set.Import(files, tc.opts)
			wantUsage(t, err, tc.want...)
			if left, _ := os.ReadDir(set.Dir()); len(left) > 0 || set.Len() > 0 {
				t.Errorf("a refused import left %d queries and %d files", set.Len(), len(left))
			}
		})
	}
}

// TestImportOfOddFiles: files that are odd, and clear.
func TestImportOfOddFiles(t *testing.T) {
	for name, tc := range map[string]struct {
		files map[string]string
		from  string
		opts  testset.ImportOptions
		want  []string
		codes string
	}{
		"semicolons":                      {files: map[string]string{"f.csv": "\ufeffQuery;relevant_chunk_id\r\n\"how; then\";a,b\r\n"}, from: "f.csv", want: []string{"how; then a,b=3"}, codes: "unchecked_ids"},
		"a semicolon in a header of one":  {files: map[string]string{"f.csv": "query\nhow; then\n"}, from: "f.csv", want: []string{"how; then"}, codes: "unlabelled"},
		"a line break in a cell":          {files: map[string]string{"f.csv": "query,relevant_chunk_id\r\n\"how\r\nlong\",a\r\n"}, from: "f.csv", want: []string{"how\nlong a=3"}, codes: "unchecked_ids"},
		"a carriage return kept":          {files: map[string]string{"f.csv": "query,relevant_chunk_id\n\"how\r\nlong\",a\nwhy,b\n"}, from: "f.csv", want: []string{"how\r\nlong a=3", "why b=3"}, codes: "unchecked_ids"},
		"tags apart by commas":            {files: map[string]string{"f.csv": "query,tags\nhow,\"a, b\"\n"}, from: "f.csv", want: []string{"how [a b]"}, codes: "unlabelled"},
		"an export in one document":       {files: map[string]string{"f": `{"schema":"assay/export/v1","queries":1,"pairs":[{"query":"a","relevant_chunk_id":"x","grade":2,"scale":"assay"},{"query":"b"}]}`}, from: "f", want: []string{"a x=2", "b"}, codes: "unchecked_ids unlabelled"},
		"topics of a filtered query":      {files: map[string]string{"f.jsonl": `{"id":"1","query":"a","filter":{"field":"x","eq":1}}`, "t.tsv": "1\ta\n", "q.qrels": "1 0 d 1\n"}, from: "f.jsonl t.tsv q.qrels", want: []string{"a [1] d=3(1)"}, codes: "unchecked_ids"},
		"a no-break space in an id":       {files: map[string]string{"t.tsv": "\u00a01\ta\n", "q.qrels": "\u00a01 0 d 1\n"}, from: "t.tsv q.qrels", want: []string{"a [\u00a01] d=3(1)"}, codes: "unchecked_ids"},
		"halves":                          {files: map[string]string{"f": `{"query":"a","relevant_chunk_id":"x","grade":0.5}`}, from: "f", opts: testset.ImportOptions{Scale: testset.Scale{0.5: 2}}, want: []string{"a x=2(0.5)"}, codes: "unchecked_ids"},
		"a negative grade":                {files: map[string]string{"t.tsv": "t1\thow\n", "q.qrels": "t1 0 a -2\nt1 0 b 1\n"}, from: "t.tsv q.qrels", want: []string{"how [t1] b=3(1)"}, codes: "unchecked_ids negative_grades"},
		"a negative grade with a meaning": {files: map[string]string{"t.tsv": "t1\thow\n", "q.qrels": "t1 0 a -2\nt1 0 b 1\nt1 0 c -1\n"}, from: "t.tsv q.qrels", opts: testset.ImportOptions{Scale: testset.Scale{-2: 0, 1: 3}}, want: []string{"how [t1] a=0(-2) b=3(1)"}, codes: "unchecked_ids negative_grades"},
		"a map that finds nothing":        {files: map[string]string{"t.tsv": "t1\thow\n", "q.qrels": "t1 0 a 1\nt1 0 b 0\n"}, from: "t.tsv q.qrels", opts: testset.ImportOptions{Scale: testset.Scale{0: 0, 1: 1}}, want: []string{"how [t1] a=1(1) b=0(0)"}, codes: "unchecked_ids none_relevant"},
		"a map for nothing":               {files: map[string]string{"f": `{"query":"a","relevant_chunk_id":"x"}`}, from: "f", opts: testset.ImportOptions{Scale: testset.Scale{1: 3}}, want: []string{"a x=3"}, codes: "unchecked_ids unused_map"},
		"the same line twice":             {files: map[string]string{"t.tsv": "t1\thow\n", "q.qrels": "t1 0 a 1\nt1 0 a 1\n"}, from: "t.tsv q.qrels", want: []string{"how [t1] a=3(1)"}, codes: "unchecked_ids"},
		"a folder of TREC":                {files: map[string]string{"d/topics.tsv": "t1\tquery\n{2}\tx\n", "d/qrels.txt": "t1 0 a 1\n"}, from: "d", want: []string{"query [t1] a=3(1)", "x [{2}]"}, codes: "unchecked_ids unlabelled"},
		"a folder with qrels of nothing":  {files: map[string]string{"d/topics.tsv": "t1\thow\n", "d/qrels.txt": ""}, from: "d", want: []string{"how [t1]"}, codes: "unlabelled"},
		"BEIR qrels of nothing":           {files: map[string]string{"d/queries.jsonl": `{"_id":"1","text":"a"}`, "d/qrels/test.tsv": "query-id\tcorpus-id\tscore\n"}, from: "d", want: []string{"a [1]"}, codes: "unlabelled"},
		"BEIR after pairs":                {files: map[string]string{"p.jsonl": `{"query":"how","relevant_chunk_id":"a"}`, "d/queries.jsonl": `{"_id":"1","text":"a"}` + "\n" + `{"_id":"2","text":"b"}`, "d/qrels/test.tsv": "1\tx\t1\n"}, from: "p.jsonl d", want: []string{"how a=3", "a [1] x=3(1)"}, codes: "unchecked_ids outside_split"},
		"a blank in an id of BEIR":        {files: map[string]string{"d/queries.jsonl": `{"_id":"1","text":"a"}`, "d/qrels/test.tsv": "query-id\tcorpus-id\tscore\n1\ta b\u00a0é\t1\n"}, from: "d", want: []string{"a [1] a b\u00a0é=3(1)"}, codes: "unchecked_ids"},
		"queries as assay writes them":    {files: map[string]string{"d/queries.jsonl": `{"id":"1","text":"a","weight":2}`}, from: "d", want: []string{"a [1]"}},
		"fields that mean something else": {files: map[string]string{"f": `{"query":"a","relevant_chunk_id":"x","by":"alice","event":"click","origin":"web","target":"t","time":"noon","scale":"1-5"}`}, from: "f", want: []string{"a x=3"}, codes: "unchecked_ids ignored_fields"},
		"a rater of a foreign file":       {files: map[string]string{"f": `{"query":"a","relevant_chunk_id":"x","by":"judge","who":"qwen"}`}, from: "f", want: []string{"a x=3"}, codes: "unchecked_ids"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, tc.files)
			var files []string
			for _, f := range strings.Fields(tc.from) {
				files = append(files, filepath.Join(dir, f))
			}
			set, err := testset.New(nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			report, err := set.Import(files, tc.opts)
			if err != nil {
				t.Fatalf("%v (%s)", err, assay.Hint(err))
			}
			if diff := cmp.Diff(tc.want, facts(set)); diff != "" {
				t.Errorf("set (-want +got):\n%s", diff)
			}
			if got := codes(report.Warnings); got != tc.codes {
				t.Errorf("warnings %q, want %q: %v", got, tc.codes, report.Warnings)
			}
			if name == "a rater of a foreign file" {
				if l := set.Labels(set.Queries()[0].ID)[0]; l.By != assay.ByJudge || l.Who != "qwen" {
					t.Errorf("label by %s %s", l.By, l.Who)
				}
			}
		})
	}
}

// TestImportByOutranksTheFile: what the person says of the raters holds for every line.
func TestImportByOutranksTheFile(t *testing.T) {
	set, err := testset.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	row := `{"query":"a","relevant_chunk_id":"x","grade":2,"scale":"assay","by":"judge","who":"qwen"}`
	if _, err := set.Import([]string{"-"}, testset.ImportOptions{Stdin: strings.NewReader(row), By: assay.ByHuman, Who: "ann"}); err != nil {
		t.Fatal(err)
	}
	if l := set.Labels(set.Queries()[0].ID)[0]; l.By != assay.ByHuman || l.Who != "ann" || l.Grade != 2 || l.Given != nil {
		t.Errorf("%+v", l)
	}
}
