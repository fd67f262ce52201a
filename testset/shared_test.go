package testset_test

import (
	"path/filepath"
	"testing"

	"github.com/assay-eval/assay/internal/shared"
	"github.com/assay-eval/assay/testset"
)

// TestRealFiles imports what people publish, as it lies.
func TestRealFiles(t *testing.T) {
	open := func() *testset.Set {
		set, err := testset.OpenOrCreate(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	// 100 questions with 192 correct chunks, whose ids are URLs.
	docs := filepath.Join(shared.Dir(t, "data", "claude_docs_rag"), "docs_evaluation_dataset.json")
	set := open()
	report, err := set.Import([]string{docs}, testset.ImportOptions{QueryField: "question", IDsField: "correct_chunks"})
	if err != nil || report.NewQueries != 100 || report.NewLabels != 192 || report.Unlabelled != 0 {
		t.Errorf("claude docs: %+v, %v", report, err)
	}
	_, err = open().Import([]string{docs}, testset.ImportOptions{})
	wantUsage(t, err, "docs_evaluation_dataset.json:2", `no "query"`, "--query-field")

	// Cranfield's codes go from 1, a complete answer, to 4, of minimal interest: nobody can guess that.
	cranfield := shared.Dir(t, "data", "cranfield")
	qrels := filepath.Join(cranfield, "cran.qrels.trec-format")
	topics := filepath.Join(folder(t, map[string]string{"topics.tsv": "1\twhat similarity laws must be obeyed\n2\twhat are the structural problems\n"}), "topics.tsv")
	_, err = open().Import([]string{topics, qrels}, testset.ImportOptions{})
	wantUsage(t, err, "scale of its own", "--map")
	set = open()
	scale, err := testset.ParseScale("1=3,2=3,3=2,4=1")
	if err != nil {
		t.Fatal(err)
	}
	report, err = set.Import([]string{topics, qrels}, testset.ImportOptions{Scale: scale})
	if err != nil || report.NewQueries != 2 || report.Labels != 29+25 {
		t.Errorf("cranfield: %+v, %v", report, err)
	}
}
