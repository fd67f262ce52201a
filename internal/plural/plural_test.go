package plural_test

import (
	"testing"

	"github.com/assay-eval/assay/internal/plural"
)

func TestCount(t *testing.T) {
	for want, got := range map[string]string{
		"0 queries":       plural.Count(0, "query"),
		"1 query":         plural.Count(1, "query"),
		"2 queries":       plural.Count(2, "query"),
		"1 relevant id":   plural.Count(1, "relevant id"),
		"12 relevant ids": plural.Count(12, "relevant id"),
		"2 keys":          plural.Count(2, "key"),
		"1 query was":     plural.Count(1, "query was", "queries were"),
		"3 queries were":  plural.Count(3, "query was", "queries were"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
