package browser

// contrastScript lists the texts whose contrast with what lies behind them is below that of WCAG 2.2, success criterion
// 1.4.3 (AA): 4.5, or 3 for large text. Backgrounds are followed up to the first opaque one.
const contrastScript = `(() => {
	const rgba = c => { const m = c.match(/[\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
	const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] + b[i] * (1 - a[3])).concat([1]);
	const lum = c => { const f = c.slice(0, 3).map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
		return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2]; };
	const behind = e => {
		const layers = [];
		for (let n = e; n; n = n.parentElement) {
			const c = rgba(getComputedStyle(n).backgroundColor);
			if (c[3] > 0) layers.push(c);
			if (c[3] === 1) break;
		}
		return layers.reverse().reduce((under, c) => over(c, under), [255, 255, 255, 1]);
	};
	const out = new Set();
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n; (n = walk.nextNode());) {
		const e = n.parentElement, s = getComputedStyle(e);
		if (!n.data.trim() || s.display === "none" || e.closest("title, style, script") || !e.checkVisibility()) continue;
		const back = behind(e.ownerSVGElement ? e.ownerSVGElement.parentElement : e);
		const ink = over(rgba(e.ownerSVGElement ? s.fill : s.color), back);
		const [a, b] = [lum(ink), lum(back)].sort((x, y) => y - x);
		const ratio = (a + 0.05) / (b + 0.05), size = parseFloat(s.fontSize);
		const large = size >= 24 || (size >= 18.66 && s.fontWeight >= 700);
		if (ratio < (large ? 3 : 4.5)) out.add(ratio.toFixed(2) + " " + e.tagName + "." + (e.getAttribute("class") || "") + " " + n.data.trim().slice(0, 30));
	}
	return [...out];
})()`

// LowContrast lists the texts that are too faint to be read by everybody.
func (p *Page) LowContrast() []string {
	p.t.Helper()
	return Eval[[]string](p, contrastScript)
}
