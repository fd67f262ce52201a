package browser

import (
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// focused describes the element that has the focus, so that two elements differ in their descriptions.
const focused = `(() => {
	const e = document.activeElement;
	if (!e || e === document.body) return "";
	const all = [...document.querySelectorAll(e.tagName)];
	return e.tagName.toLowerCase() + " " + all.indexOf(e) + " " + (e.getAttribute("aria-label") || e.textContent).trim().slice(0, 60);
})()`

// Tab presses the tab key until the focus comes round, and lists what had it: the tag, its place among those of that
// tag, and its name. At most limit steps are made.
func (p *Page) Tab(limit int) []string {
	p.t.Helper()
	Eval[bool](p, `(document.activeElement && document.activeElement.blur(), true)`)
	var out []string
	seen := map[string]bool{}
	for range limit {
		p.Do(chromedp.KeyEvent(kb.Tab))
		at := Eval[string](p, focused)
		if at == "" || seen[at] {
			break
		}
		seen[at] = true
		out = append(out, at)
	}
	return out
}

// Press presses one key, such as kb.Enter.
func (p *Page) Press(key string) {
	p.t.Helper()
	p.Do(chromedp.KeyEvent(key))
}
