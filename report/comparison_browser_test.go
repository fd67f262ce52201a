package report

import (
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
			p.Sound(name+", "+browser.Theme(dark), "report.html")
			p.Keep(name + "-" + browser.Theme(dark))
		}
	}
}
