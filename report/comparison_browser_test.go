package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/browser"
)

// TestComparisonInABrowser opens the pages of a comparison and of a verdict: nothing on the console, no request but for the page
// itself, every text legible in both themes, also where every name, query and chunk is hostile.
func TestComparisonInABrowser(t *testing.T) {
	b := browser.Start(t)
	failed, _ := verdict(t, "docs_v4")
	for name, m := range map[string]*Model{"comparison": comparison(t, "docs_v4"), "comparison-hostile": comparison(t, strings.Join(hostile, " ")), "gate": failed} {
		for _, dark := range []bool{false, true} {
			p := b.Open(t, pageFile(t, m, "report.html"), dark)
			if low := p.LowContrast(); len(low) > 0 {
				t.Errorf("%s, dark %v: too little contrast:\n%s", name, dark, strings.Join(low, "\n"))
			}
			if lines := p.Console(); len(lines) > 0 {
				t.Errorf("%s: on the console: %q", name, lines)
			}
			if r := p.Requests(); len(r) != 1 || !strings.HasSuffix(r[0], "report.html") {
				t.Errorf("%s: requests: %q", name, r)
			}
			if dir := os.Getenv("ASSAY_SCREENSHOTS"); dir != "" {
				theme := map[bool]string{false: "light", true: "dark"}[dark]
				if err := os.WriteFile(filepath.Join(dir, name+"-"+theme+".png"), p.Screenshot(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
