package console

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"luzhanqi/text"
	"luzhanqi/tournament/standings"
)

// Redraw is how often what is live is drawn.
const Redraw = 250 * time.Millisecond

// Live is lines on a terminal that stay in their place: each drawing replaces the one before. What is wider than the terminal goes on
// in the next line; the terminal itself never wraps.
type Live struct {
	out   Output
	drawn int // lines on the screen
}

// NewLive draws on a terminal.
func NewLive(out Output) *Live { return &Live{out: out} }

// Size is that of the terminal; false: it is none, or too small to draw on.
func (l *Live) Size() (width, height int, ok bool) {
	width, height, err := term.GetSize(int(l.out.Fd()))
	return width, height, err == nil && width >= 20 && height >= 5
}

// Draw draws lines over the ones before.
func (l *Live) Draw(lines []string) {
	width, _, ok := l.Size()
	if !ok {
		return
	}
	var screen strings.Builder
	if l.drawn > 0 {
		fmt.Fprintf(&screen, "\x1b[%dA", l.drawn)
	}
	lines = fold(lines, width-1)
	for _, line := range lines {
		fmt.Fprintf(&screen, "\r\x1b[K%s\n", line)
	}
	screen.WriteString("\x1b[J")
	l.drawn = len(lines)
	io.WriteString(l.out, screen.String())
}

// fold breaks lines that are wider than so many columns, at blanks; what follows is set in by two more. A longer word is cut.
func fold(lines []string, width int) (folded []string) {
	for _, line := range lines {
		if uniseg.StringWidth(line) <= width {
			folded = append(folded, line)
			continue
		}
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		for i, part := range text.Wrap(line, width-len(indent)-2) {
			if i > 0 {
				part = "  " + part
			}
			folded = append(folded, standings.Cut(indent+part, width))
		}
	}
	return folded
}

// Clear takes away what was drawn.
func (l *Live) Clear() {
	if l.drawn > 0 {
		fmt.Fprintf(l.out, "\x1b[%dA\r\x1b[J", l.drawn)
		l.drawn = 0
	}
}

// Pace says how fast games end, and when they will have: done of them took so long, and so many are left.
func Pace(done, left int, took time.Duration) string {
	if done <= 0 {
		return ""
	}
	rate := float64(done) / took.Seconds()
	pace := fmt.Sprintf(", %.1f a second", rate)
	if rate < 1 {
		pace = fmt.Sprintf(", %.1f a minute", 60*rate)
	}
	if left > 0 {
		eta := time.Duration(float64(left) / rate * float64(time.Second)).Round(time.Second)
		pace += fmt.Sprintf(", done in %v (%s)", eta, time.Now().Add(eta).Format("15:04:05"))
	}
	return pace
}
