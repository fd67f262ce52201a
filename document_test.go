package assay_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay"
)

// TestHashText compares with sha256sum, for texts that need no, one and several parts.
func TestHashText(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"abc":                              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		strings.Repeat("0123456789", 1000): "4c207598af7a20db0e3334dd044399a40e467cb81b37f7ba05a4f76dcbd8fd59",
	} {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 100 {
					if got := assay.HashText(text); got != "sha256:"+want {
						t.Errorf("%.20q: %s", text, got)
						return
					}
				}
			})
		}
		wg.Wait()
	}
}

func BenchmarkHashText(b *testing.B) {
	text := strings.Repeat("word123 ", 60)
	b.ReportAllocs()
	for b.Loop() {
		assay.HashText(text)
	}
}
