package nearest_test

import (
	"testing"

	"github.com/assay-eval/assay/internal/nearest"
)

func TestName(t *testing.T) {
	valid := []string{"recall@10", "retriever", "timeout", "k", "chunk"}
	for given, want := range map[string]string{
		"retreiver": "retriever", "Timeout": "timeout", "recal@10": "recall@10", "kk": "k", "chnuk": "chunk",
		"completely-else": "", "": "k",
	} {
		if got := nearest.Name(given, valid); got != want {
			t.Errorf("Name(%q) = %q, want %q", given, got, want)
		}
	}
}
