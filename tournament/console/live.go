package console

import (
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/term"

	"luzhanqi/tournament/standings"
)

// Redraw is how often what is live is drawn.
const Redraw = 250 * time.Millisecond

// Live is lines on a terminal that stay in their place: each drawing replaces the one before. No line wraps, whatever the width.
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
	for _, line := range lines {
		fmt.Fprintf(&screen, "\r\x1b[K%s\n", standings.Cut(line, width-1))
	}
	screen.WriteString("\x1b[J")
	l.drawn = len(lines)
	io.WriteString(l.out, screen.String())
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
	text := fmt.Sprintf(", %.1f a second", rate)
	if rate < 1 {
		text = fmt.Sprintf(", %.1f a minute", 60*rate)
	}
	if left > 0 {
		eta := time.Duration(float64(left) / rate * float64(time.Second)).Round(time.Second)
		text += fmt.Sprintf(", done in %v (%s)", eta, time.Now().Add(eta).Format("15:04:05"))
	}
	return text
}
