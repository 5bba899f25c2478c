package main

import (
	"io"
	"strings"
	"time"
)

// The habits are legal: a referee that minds them is wrong.

// rewriting writes another text of the same meaning, in one write.
func rewriting(change func(answer string) string) func(*player, int) {
	return func(p *player, _ int) {
		p.style = func(w io.Writer, answer string) error {
			_, err := io.WriteString(w, change(answer))
			return err
		}
	}
}

// spaced puts blanks between all tokens, and a newline at the end.
func spaced(blank string) func(string) string {
	return func(answer string) string {
		answer = strings.NewReplacer("(", " ( ", ")", " ) ").Replace(answer)
		return strings.Join(strings.Fields(answer), blank) + "\n"
	}
}

func bare(answer string) string { return answer }

func newlineInside(answer string) string { return strings.Replace(answer, " ", "\n", 1) + "\n" }

func carriageReturn(answer string) string { return answer + "\r\n" }

func tabs(answer string) string { return "\t" + strings.ReplaceAll(answer, " ", "\t") + "\t\n" }

func splitWrites(p *player, _ int) {
	p.style = func(w io.Writer, answer string) error {
		for _, c := range []byte(answer + "\n") {
			if _, err := w.Write([]byte{c}); err != nil {
				return err
			}
		}
		return nil
	}
}

func strayBytes(p *player, _ int) reply {
	p.raw("good game) (A6 A7)\nBYE\x00\n")
	return answered
}

func slowStart(_ *player, n int) reply {
	time.Sleep(milliseconds(n))
	return besides
}
