package report

import (
	"fmt"
	"io"
	"strings"
)

var _ = register(Format{Name: "SVG", Extensions: []string{".svg"}, Write: writeSVG})

// writeSVG writes the figures of the model, one below the other, as one picture with both themes in it. It can stand in
// a README: it loads nothing and runs nothing.
func writeSVG(w io.Writer, m *Model) error {
	const gap, title = 20, 30
	var b strings.Builder
	y := 0.0
	plots := m.Plots()
	for _, p := range plots {
		c := draw(p.Figure)
		fmt.Fprintf(&b, `<g transform="translate(0 %s)"><text class="group" x="8" y="20">%s</text><g transform="translate(0 %d)" role="img" aria-label="%s">%s</g></g>`,
			coord(y), markup(p.Title), title, markup(p.Figure.alt()), c.b.String())
		y += title + c.height + gap
	}
	if len(plots) == 0 {
		return fmt.Errorf("report: there is no figure to draw")
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %s" width="%d" height="%s"><title>%s</title><style>%s</style><rect class="sheet" width="100%%" height="100%%"/>%s</svg>`+"\n",
		plotWidth, coord(y), plotWidth, coord(y), markup(m.Title), strings.TrimSpace(figureStyle), b.String())
	return err
}
