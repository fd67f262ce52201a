package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/assay-eval/assay/internal/browser"
)

// pageFile writes a model as a page and returns its path.
func pageFile(t *testing.T, m *Model, name string) string {
	t.Helper()
	f, err := ForFile(name)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(render(t, f, m)), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPageInABrowser opens pages as their readers do: nothing on the console, no request but for the page itself, every
// text legible in both themes, no foreign text run.
func TestPageInABrowser(t *testing.T) {
	b := browser.Start(t)
	for name, m := range map[string]*Model{"plain": sample("docs_v3"), "hostile": sample(strings.Join(hostile, " "))} {
		for _, dark := range []bool{false, true} {
			path := pageFile(t, m, "report.html")
			p := b.Open(t, path, dark)
			if got := browser.Eval[bool](p, `matchMedia("(prefers-color-scheme: dark)").matches`); got != dark {
				t.Fatalf("the theme was not set")
			}
			p.Sound(name+", "+browser.Theme(dark), "report.html")
			p.Keep("report-" + name + "-" + browser.Theme(dark))
		}
	}
}

// TestPageByKeyboard reaches every table and figure with the tab key alone; those folded away after Enter on their title.
func TestPageByKeyboard(t *testing.T) {
	b := browser.Start(t)
	p := b.Open(t, pageFile(t, sample("docs_v3"), "report.html"), false)
	folded := browser.Eval[int](p, `document.querySelectorAll("details").length`)
	opened := 0
	for range folded + 3 {
		p.Press(kb.Tab)
		if browser.Eval[bool](p, `document.activeElement.tagName === "SUMMARY"`) {
			break
		}
	}
	for range 200 {
		if browser.Eval[bool](p, `document.activeElement.tagName === "SUMMARY" && !document.activeElement.parentElement.open`) {
			p.Press(kb.Enter)
			opened++
		}
		p.Press(kb.Tab)
		if browser.Eval[bool](p, `document.activeElement === document.body`) {
			break
		}
	}
	if opened != folded {
		t.Errorf("%d of %d folded parts were opened with the keyboard", opened, folded)
	}
	reached := p.Tab(300)
	for _, want := range browser.Eval[[]string](p, `[...document.querySelectorAll("table")].map(t => {
		const r = t.closest("[tabindex]"), all = [...document.querySelectorAll(r.tagName)];
		return r.tagName.toLowerCase() + " " + all.indexOf(r) + " " + (r.getAttribute("aria-label") || "").trim().slice(0, 60);
	})`) {
		found := false
		for _, r := range reached {
			found = found || r == want
		}
		if !found {
			t.Errorf("the keyboard does not reach %q; it reaches %q", want, reached)
		}
	}
	for check, script := range map[string]string{
		"a figure without a table":        `[...document.querySelectorAll("figure")].filter(f => !f.querySelector("table")).length`,
		"a picture without a description": `[...document.querySelectorAll("svg")].filter(s => !s.getAttribute("aria-label")).length`,
		"a table without column heads":    `[...document.querySelectorAll("table")].filter(t => !t.querySelector("th[scope=col]")).length`,
		"a scroll region without a name":  `[...document.querySelectorAll("[role=region]")].filter(t => !t.getAttribute("aria-label")).length`,
		"ids that are not unique":         `(ids => ids.length - new Set(ids).size)([...document.querySelectorAll("[id]")].map(e => e.id))`,
		"not exactly one main and h1":     `document.querySelectorAll("main, h1").length - 2`,
	} {
		if n := browser.Eval[int](p, script); n != 0 {
			t.Errorf("%s: %d", check, n)
		}
	}
}

// TestFigureFileInABrowser opens a figure that stands alone.
func TestFigureFileInABrowser(t *testing.T) {
	b := browser.Start(t)
	p := b.Open(t, pageFile(t, sample(hostile[8]), "trend.svg"), true)
	if lines := p.Console(); len(lines) > 0 {
		t.Errorf("on the console: %q", lines)
	}
	if r := p.Requests(); len(r) != 1 {
		t.Errorf("requests: %q", r)
	}
	if n := browser.Eval[int](p, `document.querySelectorAll("text").length`); n < 20 {
		t.Errorf("%d texts only", n)
	}
}
