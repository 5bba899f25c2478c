package tune

import (
	"bytes"
	"fmt"
	"html"
	"io"
)

// Sizes of the plot, in pixels: a panel for each number, one below the other.
const (
	plotWidth   = 640
	panelHeight = 120
	marginLeft  = 110
	marginRight = 20
	marginTop   = 28
)

// WriteSVG draws the course of each number: its range from bottom to top, the rounds from left to right.
func (st *State) WriteSVG(w io.Writer) error {
	var b bytes.Buffer
	height := len(st.Numbers)*(panelHeight+marginTop) + 24
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img">`+"\n",
		plotWidth, height, plotWidth, height)
	fmt.Fprintf(&b, "<title>The course of %d numbers in %d of %d rounds</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", len(st.Numbers), st.Rounds, st.Of)
	wide := float64(plotWidth - marginLeft - marginRight)
	for i, n := range st.Numbers {
		top := float64(i*(panelHeight+marginTop) + marginTop)
		y := func(x float64) float64 { return top + panelHeight*(n.Max-x)/(n.Max-n.Min) }
		fmt.Fprintf(&b, `<text x="%d" y="%.0f" font-weight="bold">%s: %s, from %s</text>`+"\n", marginLeft, top-8, html.EscapeString(n.Name), n.Format(n.Tuned), n.Format(n.Start))
		fmt.Fprintf(&b, `<rect x="%d" y="%.1f" width="%.1f" height="%d" fill="none" stroke="#999"/>`+"\n", marginLeft, top, wide, panelHeight)
		for _, mark := range []float64{n.Max, n.Min} {
			fmt.Fprintf(&b, `<text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n", marginLeft-6, y(mark)+4, n.Format(mark))
		}
		fmt.Fprintf(&b, `<line x1="%d" x2="%.1f" y1="%.1f" y2="%.1f" stroke="#2a7" stroke-dasharray="4 3"/>`+"\n", marginLeft, marginLeft+wide, y(n.Tuned), y(n.Tuned))
		b.WriteString(`<polyline fill="none" stroke="#236" stroke-width="1.5" points="`)
		for r, theta := range st.Path {
			fmt.Fprintf(&b, "%.1f,%.1f ", marginLeft+wide*float64(r)/float64(max(1, st.Of)), y(theta[i]))
		}
		b.WriteString("\"/>\n")
	}
	fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="end">round %d of %d; dashed: the tuned value</text>`+"\n</svg>\n", marginLeft+wide, height-8, st.Rounds, st.Of)
	_, err := w.Write(b.Bytes())
	return err
}
